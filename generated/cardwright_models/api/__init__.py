"""Descriptions of HTTP APIs.

Generated from schemas/
by `make generate`: not edited, printed again when the schemas change.
"""
