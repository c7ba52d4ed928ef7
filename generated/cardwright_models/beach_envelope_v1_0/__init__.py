"""Beach 1.0 envelope.

Generated from schemas/beach/1.0/messages.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
