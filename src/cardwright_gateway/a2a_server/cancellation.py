"""Ending what does not end at the first word: a2a-sdk takes being cancelled for the end of a stream, and waits on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

_T = TypeVar("_T")
# How long what was cancelled has to tidy up before it is cancelled once more (ours).
AGAIN_SECONDS: Final = 1.0
# How often, before nobody waits for it any more (ours).
_TIMES: Final = 5


async def ending(work: Coroutine[Any, Any, _T]) -> _T:
    """Return what work gives; where whoever waits is cancelled, it is cancelled until it has ended."""
    doing = asyncio.ensure_future(work)
    try:
        await asyncio.wait({doing})
    except asyncio.CancelledError:
        await _ended(doing)
        raise
    return doing.result()


async def ended(work: Coroutine[Any, Any, object], *, within_seconds: float) -> bool:
    """Do work that has so long; past that it is cancelled until it has ended. Return whether it ended at all.

    What it raises is let through.
    """
    doing = asyncio.ensure_future(work)
    try:
        await asyncio.wait({doing}, timeout=within_seconds)
    finally:
        await _ended(doing)
    if doing.done() and not doing.cancelled():
        doing.result()
    return doing.done()


async def _ended(doing: asyncio.Future[Any]) -> None:
    again = False
    for _ in range(_TIMES):
        if doing.done():
            break
        doing.cancel()
        try:
            await asyncio.wait({doing}, timeout=AGAIN_SECONDS)
        except asyncio.CancelledError:
            # Whoever leaves first, and an agent that is closed then: what is left alone now would wait for ever.
            again = True
    doing.add_done_callback(_seen)
    if again:
        raise asyncio.CancelledError


def _seen(done: asyncio.Future[Any]) -> None:
    """Look at how something ended that perhaps nobody waits for: it would be reported as forgotten."""
    if not done.cancelled():
        done.exception()
