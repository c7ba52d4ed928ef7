"""A2A 0.2 agent card.

Generated from schemas/a2a/0.2/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
