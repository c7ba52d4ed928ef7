"""The HTTP endpoint of workers: take work from a queue, and report its progress and result."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright.canonical import Limits, decode
from cardwright.errors import MalformedDocument
from cardwright.http.problem import BAD_QUERY, NO_SUCH_PATH, UNAUTHENTICATED, method_not_allowed, refuse
from cardwright.http.request import off_loop
from cardwright.http.response import Response
from cardwright_gateway.a2a.calls import MAX_BODY_BYTES
from cardwright_gateway.a2a.field_limits import MAX_MESSAGE_VALUES
from cardwright_gateway.a2a.problems import BAD_WORK
from cardwright_gateway.a2a.responses import json_response

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractContextManager

    from cardwright.http.request import Scope
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.backends.queue import QueueBackend
    from cardwright_gateway.backends.work import Work

# The maximum and default time that a worker waits (project decision).
MAX_WAIT_SECONDS: Final = 30.0
# The interval of heartbeats on a worker's stream (project decision).
_HEARTBEAT_SECONDS: Final = 10.0
_PATH: Final = re.compile(r"/queue(?:/([A-Za-z0-9_-]{1,64})(/result)?)?")
_WAIT: Final = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,3})?")


_LIMITS: Final = Limits(max_bytes=MAX_BODY_BYTES, max_members=100_000, max_values=MAX_MESSAGE_VALUES)
_NO_CONTENT: Final = Response(204, ((b"cache-control", b"no-store"),))


async def answer_worker(
    queue: QueueBackend,
    token_digest: bytes,
    exchange: Exchange,
    polling: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Response | None:
    """Handle a worker's request: `GET /queue`, `POST /queue/{id}`, `POST /queue/{id}/result`, below the agent.

    Args:
        queue: The queue.
        token_digest: The SHA-256 of the workers' token (RFC 6750 §2.1).
        exchange: The request.
        polling: Counts a worker while it waits for work, and refuses too many.

    Raises:
        HttpError: If the worker is refused.
        CardError: If the work id is unknown, or the report is invalid.
        Disconnected: If the worker disconnects.
    """
    if not is_worker(exchange.scope, token_digest):
        raise refuse(
            UNAUTHENTICATED,
            "missing or wrong token; send the workers' token as Authorization: Bearer",
            headers=((b"www-authenticate", b'Bearer realm="work"'),),
        )
    match = _PATH.fullmatch(exchange.path)
    if match is None:
        raise refuse(
            NO_SUCH_PATH,
            "unknown path; take work at /queue, report progress at /queue/{id}, report the result at /queue/{id}/result",
        )
    work_id, ends = match[1], match[2]
    method = "POST" if work_id else "GET"
    if exchange.method != method:
        raise method_not_allowed((method,), f"method not allowed; use {method}")
    if work_id:
        # A body for nothing would take memory from the callers of the agent.
        await queue.check_held(work_id)
    body = await exchange.body(f"worker:{exchange.agent_id}", MAX_BODY_BYTES)
    if work_id:
        return await _report(queue.finish if ends else queue.report, work_id, body)
    with polling():
        if _streams(exchange.scope):
            await _push(queue, exchange)
            return None
        # A worker that has disconnected must not take work.
        work = await exchange.while_connected(queue.take(_wait(exchange)))
    return _NO_CONTENT if work is None else json_response(200, work.to_wire())


async def _report(take: Callable[[str, Any], Awaitable[None]], work_id: str, body: bytes) -> Response:
    try:
        await take(work_id, await off_loop(len(body), decode, body, _LIMITS))
    except MalformedDocument as error:
        raise refuse(BAD_WORK, str(error)) from None
    return _NO_CONTENT


def is_worker(scope: Scope, digest: bytes) -> bool:
    """Whether a request has the Bearer token with this SHA-256 (RFC 6750 §2.1)."""
    sent = [value for name, value in scope["headers"] if name == b"authorization"]
    scheme, _, token = sent[0].partition(b" ") if len(sent) == 1 else (b"", b"", b"")
    matches = hmac.compare_digest(hashlib.sha256(token.strip()).digest(), digest)
    return scheme.lower() == b"bearer" and matches


def _streams(scope: Scope) -> bool:
    """Whether a worker requests a stream."""
    accept = b", ".join(value for name, value in scope["headers"] if name == b"accept").lower()
    return b"text/event-stream" in accept


async def _push(queue: QueueBackend, exchange: Exchange) -> None:
    """Stream work to a worker until it disconnects; the data of each event are those of `GET /queue`."""
    headers = [
        (b"content-type", b"text/event-stream"), (b"cache-control", b"private, no-store"), (b"x-accel-buffering", b"no"),
    ]  # fmt: skip
    await exchange.send({"type": "http.response.start", "status": 200, "headers": headers})
    disconnected = asyncio.ensure_future(_disconnected(exchange))
    try:
        while not disconnected.done():
            taking = asyncio.ensure_future(queue.take(_HEARTBEAT_SECONDS))
            try:
                await asyncio.wait({taking, disconnected}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                # If the worker disconnected meanwhile, cancelling returns its work to the queue.
                taken = taking.done()
                taking.cancel()
                await asyncio.gather(taking, return_exceptions=True)
            if not taken:
                return
            work = taking.result()
            event = b": nothing yet\n\n" if work is None else _event(work)
            await exchange.send({"type": "http.response.body", "body": event, "more_body": True})
    finally:
        disconnected.cancel()
        await asyncio.gather(disconnected, return_exceptions=True)


def _event(work: Work) -> bytes:
    return b"event: work\ndata: " + orjson.dumps(work.to_wire()) + b"\n\n"


async def _disconnected(exchange: Exchange) -> None:
    """Wait for the disconnect; a coroutine, because some servers' awaitables cannot be passed to `gather`."""
    await exchange.receive()


def _wait(exchange: Exchange) -> float:
    waits = [value for name, value in exchange.fields if name == "wait"] or ["30"]
    if len(waits) != 1 or not _WAIT.fullmatch(waits[0]) or float(waits[0]) > MAX_WAIT_SECONDS:
        raise refuse(
            BAD_QUERY, f"wait must be a number of seconds from 0 to {MAX_WAIT_SECONDS:g}, at most once"
        )
    return float(waits[0])
