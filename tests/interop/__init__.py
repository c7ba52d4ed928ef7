"""Runs of cardwright with other SDKs, and tables of their results."""
