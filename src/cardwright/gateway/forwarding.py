"""Calls that pass through to the agent behind: JSON-RPC and REST, as they came, streams too."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import CardError, PeerTimeout, PeerUnreachable
from cardwright.gateway.answering import Reply, body_reply, problem_reply
from cardwright.gateway.bodies import Gone
from cardwright.gateway.conditions import (
    NOT_OFFERED,
    RATE_LIMITED,
    UPSTREAM_UNREACHABLE,
    problem_of,
    version_not_supported,
)
from cardwright.gateway.upstream import as_json, media_type, not_a_reply, sent_back, sent_on, whole
from cardwright.serve.extended import METHODS as EXTENDED_METHODS
from cardwright.serve.negotiation import version as asked_version
from cardwright.serve.problems import UNAUTHENTICATED, Problem, Refused
from cardwright.serve.representation import json_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.gateway.bodies import Call
    from cardwright.gateway.placing import Placed
    from cardwright.gateway.upstream import Caller
    from cardwright.guard import Streamed
    from cardwright.serve.requests import Receive, Request, Scope, Send

_SSE: Final = "text/event-stream"
_ENDS: Final = (b"\n\n", b"\r\n\r\n", b"\r\r")
# One event of a stream (ours): what is longer is not passed on in parts.
_MAX_EVENT_BYTES: Final = 16 * 1024 * 1024
_STREAMING: Final = frozenset({"SendStreamingMessage", "SubscribeToTask", "message/stream", "tasks/resubscribe",
                               "tasks/sendSubscribe"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Forward:
    """One request on its way to the agent behind.

    Attributes:
        caller: What calls the agent.
        placed: Its card, with where calls go.
        scope: The request.
        request: Its fields, read strictly.
        body: Its body.
        extended: Turns the extended card that comes back into what may be told of it.
    """

    caller: Caller
    placed: Placed
    scope: Scope
    request: Request
    body: bytes
    extended: Callable[[Any], Any]

    async def call(self, call: Call, receive: Receive, send: Send) -> None:
        """Send a JSON-RPC request on, and its answer back.

        Raises:
            Refused: If the agent does not speak the version.
            CardError: If it cannot be reached, or its answer is none.
            Gone: If whoever asked left.
        """
        version = self._version(call.method)
        route = self.placed.routes["JSONRPC", version]
        headers = self._headers(version)
        streams = call.method in _STREAMING
        back = self._card_in_result if call.method in EXTENDED_METHODS else None
        failing = _JsonRpcFailure(call.id)
        async with self.caller.asked("POST", route.url, headers, self.body, streams=streams) as answer:
            await self._answered(answer, receive, send, failing, back, is_reply=_is_rpc_reply)

    async def rest(self, path: str, version: str, *, extended: bool, receive: Receive, send: Send) -> None:
        """Send a request of REST on, and its answer back.

        Args:
            path: What stands behind the agent, each step quoted.
            version: The version that the path belongs to.
            extended: Whether it asks for the extended card.
            receive: Tells when whoever asked leaves.
            send: Takes the answer.

        Raises:
            Refused: If the agent does not speak the version over REST.
            CardError: As `call`.
            Gone: As `call`.
        """
        route = self.placed.routes.get(("HTTP+JSON", version))
        if route is None:
            raise self._not_offered(version)
        query = bytes(self.scope.get("query_string", b"")).decode("latin-1")
        url = f"{route.url.partition('?')[0].rstrip('/')}/{path}{f'?{query}' if query else ''}"
        streams = path.endswith((":stream", ":subscribe"))
        back = self.extended if extended else None
        body = self.body or None
        method = str(self.scope["method"])
        async with self.caller.asked(method, url, self._headers(version), body, streams=streams) as answer:
            is_reply = _is_older_rest_reply if version == "0.3" else _is_rest_reply
            await self._answered(answer, receive, send, _RestFailure(), back, is_reply=is_reply)

    def _version(self, method: str) -> str:
        """Return the version that a call is of, among those that the agent speaks (A2A 1.0 §3.6.2)."""
        spoken = [version for binding, version in self.placed.routes if binding == "JSONRPC"]
        if not spoken:
            raise self._not_offered("1.0")
        header = self.request.fields.get("a2a-version")
        asked = asked_version(header, self.request.version_parameter, spoken)
        if asked is not None:
            return asked
        # Empty means 0.3 (§3.6.2), but a method that only 1.0 has says what it is.
        newer = method[:1].isupper()
        fits = [version for version in sorted(spoken, reverse=True) if (version >= "1.0") is newer]
        if not fits:
            raise Refused(version_not_supported(tuple(sorted(spoken, reverse=True))))
        return fits[0]

    def _not_offered(self, version: str) -> Refused:
        offered = ", ".join(f"{binding} of A2A {one}" for binding, one in self.placed.routes) or "nothing"
        return Refused(
            Problem(NOT_OFFERED, f"this agent does not answer A2A {version} so: it speaks {offered}")
        )

    def _headers(self, version: str) -> dict[str, str]:
        found = sent_on(self.scope["headers"])
        # A server takes a missing version for 0.3, and some do not read the query's.
        return found if version.startswith("0.") else {"a2a-version": version} | found

    async def _answered(
        self,
        answer: Streamed,
        receive: Receive,
        send: Send,
        failing: _Failure,
        back: Callable[[Any], Any] | None,
        *,
        is_reply: Callable[[int, Any], bool],
    ) -> None:
        kind = media_type(answer.headers)
        # A card comes whole, whatever it is called: as a stream it would go out as it is.
        if kind == _SSE and answer.status == 200 and back is None:
            await _streamed(answer, receive, send, failing)
            return
        if answer.status == 204:
            await Reply(204, tuple(sent_back(answer.headers))).send(send)
            return
        if not (kind == "application/json" or kind.endswith("+json")):
            raise _by_status(answer)
        body = await whole(answer)
        value = as_json(body) if body or answer.status < 400 else None
        if not is_reply(answer.status, value):
            raise _by_status(answer)
        if back is not None and (answer.status < 300 or (type(value) is dict and "result" in value)):
            body = json_bytes(back(value))
        fields = (*sent_back(answer.headers), (b"content-type", kind.encode()))
        await body_reply(answer.status, body, fields).send(send)

    def _card_in_result(self, value: Any) -> Any:
        return {**value, "result": self.extended(value["result"])} if "result" in value else value


class _Failure:
    """What a stream ends with that breaks off."""

    def event(self, problem: Problem) -> bytes:
        """Return the event."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class _JsonRpcFailure(_Failure):
    call_id: Any

    def event(self, problem: Problem) -> bytes:
        return b"data: " + problem_reply(problem, self.call_id).body + b"\n\n"


class _RestFailure(_Failure):
    def event(self, problem: Problem) -> bytes:
        return b"event: error\ndata: " + json_bytes(problem.to_json()) + b"\n\n"


async def _streamed(answer: Streamed, receive: Receive, send: Send, failing: _Failure) -> None:
    """Pass a stream on, event by event; where it breaks off, its last event says so."""
    fields = [
        *sent_back(answer.headers),
        (b"content-type", b"text/event-stream"),
        (b"x-accel-buffering", b"no"),
    ]
    if not any(name == b"cache-control" for name, _ in fields):
        fields.append((b"cache-control", b"no-store"))
    await send({"type": "http.response.start", "status": 200, "headers": fields})
    left = asyncio.ensure_future(_left(receive))
    passing = asyncio.ensure_future(_passed(answer, send, failing))
    try:
        await asyncio.wait([left, passing], return_when=asyncio.FIRST_COMPLETED)
        if not passing.done():
            raise Gone
        passing.result()
    finally:
        for task in (left, passing):
            task.cancel()
        await asyncio.gather(left, passing, return_exceptions=True)


async def _left(receive: Receive) -> None:
    """Return when whoever asked has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _passed(answer: Streamed, send: Send, failing: _Failure) -> None:
    held = b""
    last = b""
    try:
        async for piece in answer.chunks():
            held += piece
            end = max(held.rfind(mark) + len(mark) if mark in held else 0 for mark in _ENDS)
            if end:
                whole_events, held = held[:end], held[end:]
                await send({"type": "http.response.body", "body": whole_events, "more_body": True})
            elif len(held) > _MAX_EVENT_BYTES:
                raise not_a_reply("an event of its stream is too large")
    except CardError as error:
        last = failing.event(problem_of(error))
    else:
        # The last event may end with the stream.
        last = held + b"\n\n" if held.strip() else b""
    await send({"type": "http.response.body", "body": last, "more_body": False})


def _by_status(answer: Streamed) -> CardError | Refused:
    """Return what an answer means that is none of A2A: nothing of it is told."""
    status = answer.status
    headers = tuple(
        pair for pair in sent_back(answer.headers) if pair[0] in (b"www-authenticate", b"retry-after")
    )
    if status in (401, 403):
        condition = (
            UNAUTHENTICATED if status == 401 else replace(UNAUTHENTICATED, status=403, reason="FORBIDDEN")
        )
        return Refused(
            Problem(condition, "the agent asks for other credentials: its card says which", headers=headers)
        )
    if status == 429:
        return Refused(Problem(RATE_LIMITED, "the agent is asked too often", headers=headers))
    if status == 504:
        return PeerTimeout("", "it did not answer in time")
    if status == 503:
        return Refused(Problem(UPSTREAM_UNREACHABLE, "the agent is not available now", headers=headers))
    if status >= 500:
        return PeerUnreachable("", "it answers with an error of its server")
    if 300 <= status < 400:
        return not_a_reply("it redirects, and calls are not sent elsewhere")
    return not_a_reply("it is none of A2A")


def _is_rpc_reply(_: int, value: Any) -> bool:
    return type(value) is dict and value.get("jsonrpc") == "2.0"


def _is_rest_reply(status: int, value: Any) -> bool:
    """Whether an answer of REST may go back: an error is told as A2A tells it (1.0 §11.6, §6.4)."""
    if status < 300:
        return True
    return type(value) is dict and (type(value.get("error")) is dict or "type" in value or "reason" in value)


def _is_older_rest_reply(status: int, value: Any) -> bool:
    """Whether an answer of REST of 0.3 may go back: it names no form of errors, and a2a-sdk 0.3 has a message alone."""
    if _is_rest_reply(status, value):
        return True
    told = status < 500 or status == 501
    return told and type(value) is dict and [*value] == ["message"] and type(value["message"]) is str
