"""A2A card with a 0.x and a 1.0 form.

Generated from schemas/a2a/hybrid/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
