"""A2A 0.2 messages.

Generated from schemas/a2a-messages/0.2/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
