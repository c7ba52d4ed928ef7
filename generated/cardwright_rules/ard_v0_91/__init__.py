"""ARD 0.91 manifest.

Generated from schemas/ard/0.91/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
