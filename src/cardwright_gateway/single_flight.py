"""Single-flight helpers: one task runs; cancelling a waiter does not cancel it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.errors import CardError

_T = TypeVar("_T")


async def whole(work: Callable[[], _T]) -> _T:
    """Run work in a thread; a cancelled waiter waits until the work has ended."""
    running = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait({running})
        if not running.cancelled():
            # asyncio would log an exception that is never retrieved.
            running.exception()
        raise


async def shielded(task: asyncio.Task[_T], gone: CardError) -> _T:
    """Return the result of a task; cancelling the waiter does not cancel the task.

    Args:
        task: The task.
        gone: Raised if the task itself was cancelled because its agent was removed.
    """
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if task.cancelled():
            raise gone from None
        raise
