"""Repeated cancellation: works around a2a-sdk swallowing the first `CancelledError`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

# The interval, and the maximum number of attempts (project decision).
_CANCEL_INTERVAL_SECONDS: Final = 1.0
_MAX_CANCELS: Final = 5
_T = TypeVar("_T")


async def ending(work: Coroutine[Any, Any, _T]) -> _T:
    """Return the result of work; if the waiter is cancelled, cancel the work until it has ended."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        await cancel_until_done(task)
        raise
    return task.result()


async def ended(work: Coroutine[Any, Any, object], *, within_seconds: float) -> bool:
    """Run work with a time limit, then cancel it until it has ended; return whether it has ended.

    Errors of the work are raised.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=within_seconds)
    finally:
        await cancel_until_done(task)
    if task.done() and not task.cancelled():
        task.result()
    return task.done()


async def cancel_until_done(task: asyncio.Future[Any]) -> None:
    """Cancel a task repeatedly: works around a2a-sdk swallowing the first `CancelledError`."""
    cancelled = False
    for _ in range(_MAX_CANCELS):
        if task.done():
            break
        task.cancel()
        try:
            await asyncio.wait({task}, timeout=_CANCEL_INTERVAL_SECONDS)
        except asyncio.CancelledError:
            # The caller disconnected and then the agent was closed: without another cancellation it would wait forever.
            cancelled = True
    task.add_done_callback(_retrieve_exception)
    if cancelled:
        raise asyncio.CancelledError


def _retrieve_exception(done: asyncio.Future[Any]) -> None:
    """Retrieve the exception of a task: asyncio logs exceptions that are never retrieved."""
    if not done.cancelled():
        done.exception()
