"""Settings files: schemas and models.

Generated from schemas/
by `make generate`: not edited, printed again when the schemas change.
"""
