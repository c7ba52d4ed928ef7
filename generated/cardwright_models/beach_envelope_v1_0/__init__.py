"""Beach 1.0 envelope.

Generated from schemas/beach/1.0/messages.json
by `make generate`: not edited, printed again when the schemas change.
"""
