"""Settings files: schemas.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""
