"""Schemas of the files that operators write.

Generated from schemas/
by `make generate`: not edited, printed again when the schemas change.
"""
