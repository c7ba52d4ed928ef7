"""Work that several wait for: one does it, and who leaves takes it from nobody."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.errors import CardError

_T = TypeVar("_T")


async def whole(work: Callable[[], _T]) -> _T:
    """Do work in a thread; whoever is cancelled meanwhile goes when it is done, and not from under it."""
    doing = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        await asyncio.wait({doing})
        if not doing.cancelled():
            # Nobody else would look at what went wrong.
            doing.exception()
        raise


async def shared(task: asyncio.Task[_T], gone: CardError) -> _T:
    """Return what a task gives; it goes on where whoever waits here is cancelled.

    Args:
        task: The work.
        gone: Raised where the work itself was ended, since its agent is there no more.
    """
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if task.cancelled():
            raise gone from None
        raise
