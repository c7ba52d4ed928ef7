"""A2A card that carries a 0.x and a 1.0 form.

Generated from schemas/a2a/hybrid/dialect.json
by `make generate`: not edited, printed again when the schemas change.
"""
