"""Typed models of agent cards, catalogues and messages, one package a dialect. They need pydantic alone.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""
