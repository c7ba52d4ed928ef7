"""An agent that is a function: the gateway speaks A2A for it."""

from __future__ import annotations


def answer(message: str) -> str:
    """Greet whoever writes."""
    return f"Good day! You wrote {len(message.split())} words."
