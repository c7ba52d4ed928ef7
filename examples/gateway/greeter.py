"""A Python function as an agent: the gateway provides its A2A endpoint."""

from __future__ import annotations


def answer(message: str) -> str:
    """Return a greeting and the number of words in the message."""
    return f"Good day! You wrote {len(message.split())} words."
