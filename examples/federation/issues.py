"""The agent: a function that yields its response line by line."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

_OPEN = ("#12 Rewrite the harbour's timetable", "#15 Greet in Breton, too")


async def answer(message: str) -> AsyncGenerator[str]:
    """Yield the open pull requests."""
    yield f"You asked: {message}\n"
    for title in _OPEN:
        await asyncio.sleep(0.1)
        yield f"{title}\n"
