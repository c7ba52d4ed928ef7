"""Single-flight helpers: one task runs; cancelling a waiter does not cancel it."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar, copy_context
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from cardwright.errors import CardError

_T = TypeVar("_T")
# The `CDN-Loop` of the current request. Requests that its work sends, also in other asyncio tasks, pass it on.
RECEIVED_LOOP: Final[ContextVar[str]] = ContextVar("cdn_loop", default="")


def shared_task(work: Coroutine[Any, Any, _T], *, name: str | None = None) -> asyncio.Task[_T]:
    """Start work that many callers share.

    The requests of the work do not pass on the `CDN-Loop` of the caller that happens to start it: one caller must not
    choose a header field of requests for all. A loop still ends, because the gateway adds its own name.
    """
    context = copy_context()
    context.run(RECEIVED_LOOP.set, "")
    return asyncio.create_task(work, name=name, context=context)


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
