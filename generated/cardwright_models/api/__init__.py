"""HTTP APIs: descriptions and models of their components.

Generated from schemas/
by `make generate`: not edited, printed again when the schemas change.
"""
