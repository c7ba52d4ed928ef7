"""AI Catalog 1.0.

Generated from schemas/ai-catalog/1/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
