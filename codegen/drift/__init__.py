"""Comparison of an upstream specification with our schema of the same card.

Both sides are reduced to one neutral shape (`shape`) and compared row by row
(`compare`); `python -m codegen.drift SPEC` prints the rows.
"""
