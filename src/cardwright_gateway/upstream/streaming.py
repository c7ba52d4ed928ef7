"""Forwarding of event streams: split at event boundaries; a broken stream ends with an error event."""

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
# The longest event terminator less one: how much of a chunk's end may be the start of a terminator.
_SEAM: Final = 3
# Maximum size of one event (project decision); events are forwarded only whole.
MAX_EVENT_BYTES: Final = 4 * 1024 * 1024


class Events:
    """Buffer that collects the chunks of a stream until an event ends; scans each byte once."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._size = 0
        self._seam = b""

    def cut(self, chunk: bytes) -> bytes:
        """Add a chunk; return the events that are complete now.

        Raises:
            BadResponse: If an event is too large.
        """
        scanned = self._seam + chunk
        end = max(
            scanned.rfind(terminator) + len(terminator) if terminator in scanned else 0
            for terminator in _ENDS
        )
        ready = b""
        if end:
            at = end - len(self._seam)
            ready = b"".join((*self._chunks, chunk[:at]))
            self._chunks.clear()
            self._size = 0
            chunk = scanned = chunk[at:]
        self._chunks.append(chunk)
        self._size += len(chunk)
        self._seam = scanned[-_SEAM:]
        if self._size > MAX_EVENT_BYTES:
            raise not_a_reply(f"an event of the stream has more than {MAX_EVENT_BYTES:,} bytes")
        return ready

    def rest(self) -> bytes:
        """Return the last event, which the end of the stream terminates; empty if absent."""
        buffered = b"".join(self._chunks)
        return buffered + b"\n\n" if buffered.strip() else b""


def rpc_error_event(call: Call) -> Callable[[Problem], bytes]:
    """Return a function that renders the last event of a broken JSON-RPC stream."""
    return lambda problem: b"data: " + rpc_problem(problem, call.id).body + b"\n\n"


def rest_error_event(problem: Problem) -> bytes:
    """Return the last event of a broken REST stream."""
    return b"event: error\ndata: " + json_bytes(problem.to_json()) + b"\n\n"


async def forward_stream(
    response: Streamed, fields: Iterable[tuple[bytes, bytes]], send: Send, failing: Callable[[Problem], bytes]
) -> None:
    """Forward a stream event by event. If it breaks, send the error as the last event."""
    headers = [*fields, (b"content-type", SSE.encode()), (b"x-accel-buffering", b"no")]
    if not any(name == b"cache-control" for name, _ in headers):
        headers.append((b"cache-control", b"no-store"))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    events = Events()
    try:
        async for chunk in response.chunks():
            ready = events.cut(chunk)
            if ready:
                await send({"type": "http.response.body", "body": ready, "more_body": True})
        last = events.rest()
    except CardError as error:
        last = failing(problem_of(error))
    await send({"type": "http.response.body", "body": last, "more_body": False})
