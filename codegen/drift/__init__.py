"""Where an upstream specification and our schema of the same card disagree.

Both sides are reduced to one neutral shape (`shape`) and compared row by row
(`compare`); `python -m codegen.drift SPEC` prints the rows.
"""
