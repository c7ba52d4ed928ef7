"""The HTTP that workers speak to a queue of work."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import parse_qs

import orjson

from cardwright.canonical import decode
from cardwright.errors import MalformedDocument
from cardwright.http.problem import (
    BAD_QUERY,
    METHOD_NOT_ALLOWED,
    UNAUTHENTICATED,
    ErrorCode,
    HttpError,
    Problem,
)
from cardwright_gateway.a2a.calls import LIMITS, read_body
from cardwright_gateway.a2a.errors import Refusal, faults_of, refusal
from cardwright_gateway.errors import BadWork, UnknownWork

if TYPE_CHECKING:
    from cardwright.http.request import Receive, Scope, Send
    from cardwright_gateway.backends.work import Work

UNKNOWN_WORK: Final = ErrorCode(404, "UNKNOWN_WORK")
BAD_WORK: Final = ErrorCode(400, "BAD_WORK")
NO_SUCH_PATH: Final = ErrorCode(404, "NO_SUCH_PATH")
# The longest that a worker may wait, and does where it does not say (ours).
MAX_WAIT_SECONDS: Final = 30.0
# How often a worker on a stream is shown that it is there still (ours).
_BEAT_SECONDS: Final = 10.0
_PATH: Final = re.compile(r"/queue(?:/([A-Za-z0-9_-]{1,64})(/result)?)?")
_WAIT: Final = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,3})?")


class Queue(Protocol):
    """What workers speak to; the turns come to it in its own way."""

    async def take(self, wait_seconds: float) -> Work | None:
        """Return the turn that has waited longest; None where there is none within a time."""
        ...

    async def tell(self, work_id: str, body: Any) -> None:
        """Tell the caller how far a worker is, or a piece of its result; the lease begins anew."""

    async def finish(self, work_id: str, body: Any) -> None:
        """End a turn."""


class _No(Exception):
    """Carries a refusal to where requests are answered; it never leaves this module."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why.problem.message)
        self.why = why


async def queue_endpoint(
    backend: Queue, token_digest: bytes, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer a worker: `GET /queue`, `POST /queue/{id}`, `POST /queue/{id}/result`; the path is relative.

    Args:
        backend: Whose work it is.
        token_digest: The SHA-256 of the token that its workers send (RFC 6750 §2.1).
        scope: Of ASGI.
        receive: Of ASGI.
        send: Of ASGI.
    """
    try:
        _check_token(scope, token_digest)
        if scope["method"] == "GET" and str(scope["path"]) == "/queue" and _streams(scope):
            await read_body(receive)
            await _pushed(backend, receive, send)
            return
        status, value = await _answer(backend, scope, receive)
        await _send(send, status, value)
    except _No as no:
        await _send(send, no.why.problem.condition.status, no.why.to_rest(), no.why.problem.headers)
    except HttpError as refused:
        why = Refusal(refused.problem)
        await _send(send, why.problem.condition.status, why.to_rest())
    except ConnectionError:
        return


def is_worker(scope: Scope, digest: bytes) -> bool:
    """Whether a request brings the token whose SHA-256 this is (RFC 6750 §2.1)."""
    sent = [value for name, value in scope["headers"] if name == b"authorization"]
    scheme, _, token = sent[0].partition(b" ") if len(sent) == 1 else (b"", b"", b"")
    right = hmac.compare_digest(hashlib.sha256(token.strip()).digest(), digest)
    return scheme.lower() == b"bearer" and right


def _check_token(scope: Scope, digest: bytes) -> None:
    if not is_worker(scope, digest):
        headers = ((b"www-authenticate", b'Bearer realm="work"'),)
        told = "workers send the token that they were given as Authorization: Bearer"
        raise _No(Refusal(Problem(UNAUTHENTICATED, told, {}, headers)))


async def _answer(backend: Queue, scope: Scope, receive: Receive) -> tuple[int, Any]:
    match = _PATH.fullmatch(str(scope["path"]))
    if match is None:
        told = "there is nothing at this path: take work at /queue, tell of it at /queue/{id}, end it at /queue/{id}/result"
        raise _No(refusal(NO_SUCH_PATH, told))
    work_id, ends = match[1], match[2]
    method = "POST" if work_id else "GET"
    if scope["method"] != method:
        headers = ((b"allow", method.encode()),)
        raise _No(Refusal(Problem(METHOD_NOT_ALLOWED, f"this path takes {method}", {}, headers)))
    body = await read_body(receive)
    if not work_id:
        return await _take(backend, _wait(scope), receive)
    try:
        value = decode(body, LIMITS)
        await (backend.finish if ends else backend.tell)(work_id, value)
    except MalformedDocument as error:
        raise _No(refusal(BAD_WORK, str(error))) from None
    except BadWork as error:
        raise _No(refusal(BAD_WORK, str(error), faults_of(error.violations))) from None
    except UnknownWork as error:
        raise _No(refusal(UNKNOWN_WORK, str(error))) from None
    return 204, None


async def _take(backend: Queue, wait_seconds: float, receive: Receive) -> tuple[int, Any]:
    """Wait for work as long as the worker does: none is given to one that has hung up."""
    taking = asyncio.ensure_future(backend.take(wait_seconds))
    going = asyncio.ensure_future(_gone(receive))
    try:
        await asyncio.wait({taking, going}, return_when=asyncio.FIRST_COMPLETED)
        if not taking.done():
            raise ConnectionError
        work = taking.result()
    finally:
        for waiting in (taking, going):
            waiting.cancel()
        await asyncio.gather(taking, going, return_exceptions=True)
    return (204, None) if work is None else (200, work.to_wire())


def _streams(scope: Scope) -> bool:
    """Whether a worker asks to be told of work on a stream."""
    accept = b", ".join(value for name, value in scope["headers"] if name == b"accept").lower()
    return b"text/event-stream" in accept


async def _pushed(backend: Queue, receive: Receive, send: Send) -> None:
    """Tell a worker of all work as it comes, until it hangs up: each an event whose data is that of `GET /queue`."""
    headers = [
        (b"content-type", b"text/event-stream"), (b"cache-control", b"private, no-store"), (b"x-accel-buffering", b"no"),
    ]  # fmt: skip
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    going = asyncio.ensure_future(_gone(receive))
    try:
        while not going.done():
            taking = asyncio.ensure_future(backend.take(_BEAT_SECONDS))
            try:
                await asyncio.wait({taking, going}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                # Where the worker hung up meanwhile, what was taken for it is given back.
                given = taking.done()
                taking.cancel()
                await asyncio.gather(taking, return_exceptions=True)
            if not given:
                return
            work = taking.result()
            event = b": nothing yet\n\n" if work is None else _event(work)
            await send({"type": "http.response.body", "body": event, "more_body": True})
    finally:
        going.cancel()
        await asyncio.gather(going, return_exceptions=True)


def _event(work: Work) -> bytes:
    return b"event: work\ndata: " + orjson.dumps(work.to_wire()) + b"\n\n"


async def _gone(receive: Receive) -> None:
    """Wait for what comes after the body; a server's own awaitable is no future that could be gathered."""
    await receive()


def _wait(scope: Scope) -> float:
    query = scope.get("query_string", b"").decode("latin-1")
    said = parse_qs(query, keep_blank_values=True, max_num_fields=32).get("wait", ["30"])
    if len(said) != 1 or not _WAIT.fullmatch(said[0]) or float(said[0]) > MAX_WAIT_SECONDS:
        raise _No(refusal(BAD_QUERY, f"wait is a number of seconds from 0 to {MAX_WAIT_SECONDS:g}, once"))
    return float(said[0])


async def _send(send: Send, status: int, value: Any, more: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    body = b"" if value is None else orjson.dumps(value)
    kind = ((b"content-type", b"application/json"),) if body else ()
    length = ((b"content-length", str(len(body)).encode()),) if status != 204 else ()
    headers = [*kind, *length, (b"cache-control", b"private, no-store"), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
