"""HTTP APIs: descriptions and models of their components.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""
