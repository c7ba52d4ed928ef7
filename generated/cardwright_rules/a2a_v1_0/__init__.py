"""A2A 1.0 agent card.

Generated from schemas/a2a/1.0/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
