"""Bounded waits for conditions without an event."""

from __future__ import annotations

import asyncio
from inspect import isawaitable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


async def wait_until(condition: Callable[[], Awaitable[object] | object], seconds: float = 60.0) -> None:
    """Poll until a condition holds.

    Args:
        condition: Returns a true value, perhaps asynchronously, when it holds.
        seconds: The time limit.

    Raises:
        TimeoutError: At the time limit.
    """
    async with asyncio.timeout(seconds):
        while True:
            value = condition()
            if await value if isawaitable(value) else value:
                return
            await asyncio.sleep(0.01)
