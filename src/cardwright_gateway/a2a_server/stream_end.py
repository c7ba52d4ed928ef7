"""The end of a stream whose agent has ended its own, and left the task open."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from cardwright_gateway.a2a_server.cancelling import cancel_until_done

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from a2a.server.events import Event

# How long an event that was reported before the end may be on its way (project decision).
_ON_THE_WAY_SECONDS: Final = 0.25


async def until_ended(
    events: AsyncGenerator[Event, None], stream_ended: asyncio.Event
) -> AsyncGenerator[Event, None]:
    """Yield events until their end, or until the stream of the agent has ended and no event is on its way.

    The turn goes on, as when its caller disconnects; the caller reads the task, or subscribes to it.
    """
    # The events in one asyncio task: a2a-sdk's generator may hold a scope over several of them.
    queue: asyncio.Queue[Event] = asyncio.Queue(1)
    reading = asyncio.ensure_future(_put(events, queue))
    ended = asyncio.ensure_future(stream_ended.wait())
    try:
        while True:
            event = await _next(queue, reading, ended)
            if event is None:
                break
            yield event
        if reading.done():
            reading.result()
    finally:
        ended.cancel()
        await cancel_until_done(reading)


async def _next(
    queue: asyncio.Queue[Event], reading: asyncio.Future[None], ended: asyncio.Future[Any]
) -> Event | None:
    """Return the next event; None after the last one."""
    following: asyncio.Task[Any] = asyncio.create_task(queue.get())
    try:
        await asyncio.wait({following, reading, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not following.done() and not reading.done():
            await asyncio.wait(
                {following, reading}, timeout=_ON_THE_WAY_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
        return following.result() if following.done() else None
    finally:
        following.cancel()


async def _put(events: AsyncGenerator[Event, None], queue: asyncio.Queue[Event]) -> None:
    async with aclosing(events) as read:
        async for event in read:
            await queue.put(event)
