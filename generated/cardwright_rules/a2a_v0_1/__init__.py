"""A2A 0.1 agent card.

Generated from schemas/a2a/0.1/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
