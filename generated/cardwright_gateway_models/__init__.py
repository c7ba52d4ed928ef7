"""Typed models of the settings and the HTTP API of the gateway.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""
