"""A2A 0.3 messages.

Generated from schemas/a2a-messages/0.3/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
