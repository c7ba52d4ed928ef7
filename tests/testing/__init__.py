"""The helpers for tests of applications, and the pytest plugin."""
