"""A2A 0.3 agent card.

Generated from schemas/a2a/0.3/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
