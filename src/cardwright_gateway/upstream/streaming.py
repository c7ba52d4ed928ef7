"""Forwarding of event streams: split at event boundaries; a broken stream ends with an error event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError
from cardwright.guard.message_limits import EVENT_STREAM, EventBuffer
from cardwright.guard.pace import work_of
from cardwright.http.request import off_loop
from cardwright_gateway.a2a.problems import problem_of
from cardwright_gateway.upstream.client import not_a_reply
from cardwright_gateway.upstream.event_errors import has_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.guard import Streamed
    from cardwright.guard.answer_memory import HeldAnswer
    from cardwright.guard.pace import Allowance
    from cardwright.http.problem import Problem
    from cardwright.http.request import Send
    from cardwright_gateway.upstream.event_errors import EventErrors

# By how much it is cheaper to forward events than to parse them (measured; project decision).
_CHEAPER: Final = 8


async def forward_stream(
    response: Streamed,
    fields: Iterable[tuple[bytes, bytes]],
    send: Send,
    errors: EventErrors,
    allowance: Allowance,
    held: HeldAnswer | None = None,
    note: Callable[[Problem, CardError], None] = lambda *_: None,
) -> None:
    """Forward a stream event by event, with its errors rebuilt. If it breaks, or has no event, send the error as the last one.

    `held` is the memory of what was not forwarded yet; None for no limit but that of one event. `note` is called with that
    error.
    """
    headers = [*fields, (b"content-type", EVENT_STREAM.encode()), (b"x-accel-buffering", b"no")]
    if not any(name == b"cache-control" for name, _ in headers):
        headers.append((b"cache-control", b"no-store"))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    events, forwarded = EventBuffer(), False
    try:
        async for chunk in response.chunks():
            if held is not None:
                held.add(len(chunk))
            ready = events.cut(chunk)
            if ready:
                await allowance.spend(work_of(ready) // _CHEAPER)
                ready = await off_loop(len(ready), errors.rebuilt, ready)
                forwarded = forwarded or has_data(ready)
                await send({"type": "http.response.body", "body": ready, "more_body": True})
                if held is not None:
                    held.resize(events.size)
        rest = events.rest()
        await allowance.spend(work_of(rest) // _CHEAPER)
        # The end of the stream ends the last event.
        last = await off_loop(len(rest), errors.rebuilt, rest + b"\n\n") if rest.strip() else b""
        if not forwarded and not has_data(last):
            raise not_a_reply("the agent's stream ended without an event")
    except CardError as error:
        problem = problem_of(error)
        note(problem, error)
        last = errors.failed(problem)
    await send({"type": "http.response.body", "body": last, "more_body": False})
