"""A2A 1.0 messages.

Generated from schemas/a2a-messages/1.0/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
