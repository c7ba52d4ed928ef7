"""A2A 0.1 messages.

Generated from schemas/a2a-messages/0.1/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
