"""Beach 1.0 agent card.

Generated from schemas/beach/1.0/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
