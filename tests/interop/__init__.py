"""Runs of cardwright with the SDKs of others, and the tables of their results."""
