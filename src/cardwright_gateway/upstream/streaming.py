"""Streams that pass through: cut where an event ends, and ended in words where they break off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError
from cardwright.http.representation import json_bytes
from cardwright_gateway.a2a.problems import problem_of
from cardwright_gateway.a2a.responses import rpc_problem
from cardwright_gateway.upstream.client import not_a_reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.guard import Streamed
    from cardwright.http.problem import Problem
    from cardwright.http.request import Send
    from cardwright_gateway.a2a.calls import Call

SSE: Final = "text/event-stream"
_ENDS: Final = (b"\n\n", b"\r\n\r\n", b"\r\r")
# The longest end of an event less one: what of a piece may be the beginning of an end.
_SEAM: Final = 3
# One event of a stream (ours): what is longer is not passed on in parts.
MAX_EVENT_BYTES: Final = 4 * 1024 * 1024


class Events:
    """Gathers pieces of a stream until an event ends; each byte is looked at once, whatever the pieces."""

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._size = 0
        self._seam = b""

    def cut(self, piece: bytes) -> bytes:
        """Take a piece; return the events that are whole now.

        Raises:
            BadAnswer: If an event is too large.
        """
        seen = self._seam + piece
        end = max(seen.rfind(mark) + len(mark) if mark in seen else 0 for mark in _ENDS)
        ready = b""
        if end:
            at = end - len(self._seam)
            ready = b"".join((*self._held, piece[:at]))
            self._held.clear()
            self._size = 0
            piece = seen = piece[at:]
        self._held.append(piece)
        self._size += len(piece)
        self._seam = seen[-_SEAM:]
        if self._size > MAX_EVENT_BYTES:
            raise not_a_reply("an event of its stream is too large")
        return ready

    def rest(self) -> bytes:
        """Return the event that the end of the stream ends; empty where there is none."""
        held = b"".join(self._held)
        return held + b"\n\n" if held.strip() else b""


def rpc_failing(call: Call) -> Callable[[Problem], bytes]:
    """Return what makes the last event of a broken stream of JSON-RPC."""
    return lambda problem: b"data: " + rpc_problem(problem, call.id).body + b"\n\n"


def rest_failing(problem: Problem) -> bytes:
    """Return the last event of a broken stream of REST."""
    return b"event: error\ndata: " + json_bytes(problem.to_json()) + b"\n\n"


async def pass_on(
    answer: Streamed, fields: Iterable[tuple[bytes, bytes]], send: Send, failing: Callable[[Problem], bytes]
) -> None:
    """Pass a stream on, event by event; where it breaks off, its last event says so."""
    headers = [*fields, (b"content-type", SSE.encode()), (b"x-accel-buffering", b"no")]
    if not any(name == b"cache-control" for name, _ in headers):
        headers.append((b"cache-control", b"no-store"))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    events = Events()
    try:
        async for piece in answer.chunks():
            ready = events.cut(piece)
            if ready:
                await send({"type": "http.response.body", "body": ready, "more_body": True})
        last = events.rest()
    except CardError as error:
        last = failing(problem_of(error))
    await send({"type": "http.response.body", "body": last, "more_body": False})
