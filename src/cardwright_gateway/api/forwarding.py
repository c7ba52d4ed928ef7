"""Calls that pass through to the agent behind: JSON-RPC and REST, as they came, streams too."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import CardError, PeerTimeout, PeerUnreachable
from cardwright.http.negotiation import version as asked_version
from cardwright.http.problem import (
    INVALID_REQUEST,
    METHOD_NOT_ALLOWED,
    METHOD_NOT_FOUND,
    UNAUTHENTICATED,
    ErrorCode,
    HttpError,
    Problem,
    refuse,
)
from cardwright.http.representation import json_bytes
from cardwright.serve.extended import METHODS as EXTENDED_METHODS
from cardwright_gateway.a2a.bodies import Gone
from cardwright_gateway.a2a.calls import older_query
from cardwright_gateway.a2a.errors import INVALID_PARAMS
from cardwright_gateway.a2a.operations import KNOWN, LONGEST_ID, STREAMING, taken
from cardwright_gateway.a2a.problems import (
    NOT_OFFERED,
    RATE_LIMITED,
    UPSTREAM_UNREACHABLE,
    version_not_supported,
)
from cardwright_gateway.a2a.responses import Reply, body_reply
from cardwright_gateway.upstream.client import (
    AT_ONCE_BYTES,
    MAX_ANSWER_BYTES,
    as_json,
    media_type,
    not_a_reply,
    sent_back,
    sent_on,
    whole,
)
from cardwright_gateway.upstream.errors import Hidden, rest_error, rpc_error
from cardwright_gateway.upstream.streaming import SSE, pass_on, rest_failing, rpc_failing

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from cardwright.guard import Streamed
    from cardwright.http.request import Receive, Request, Scope, Send
    from cardwright_gateway.a2a.bodies import Call
    from cardwright_gateway.catalog.served_card import ServedCard
    from cardwright_gateway.upstream.client import Caller

# A2A 0.3.0 §8.1.
_BAD_PARAMS: Final = "Invalid method parameters"
_CODED: Final = ErrorCode(415, "UNSUPPORTED_MEDIA_TYPE")
_JSON_KIND: Final = re.compile(r"application/json|[a-z0-9.!#$&^_-]+/[a-z0-9.!#$&^_+-]+\+json")
# An extended card is no larger than a card may be (ours).
_MAX_CARD_BYTES: Final = 256 * 1024
# What an agent may answer with; of any other status only its kind is told (A2A 1.0 §5.4, §11.6).
_STATUSES: Final = frozenset({
    200, 201, 202, 204, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 501, 503,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Way:
    """How one call goes.

    Attributes:
        http_method: By which method.
        url: Where.
        version: Of which version it is.
        streams: Whether a stream is asked for.
        card: Turns the extended card in its answer; None where that has none.
        read: Returns an answer as it goes back; None where it is none of A2A.
        failing: Makes the last event of a stream that breaks off.
    """

    http_method: str
    url: str
    version: str
    streams: bool
    card: Callable[[Any], Any] | None
    read: Callable[[int, Any], Any]
    failing: Callable[[Problem], bytes]


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
    placed: ServedCard
    scope: Scope
    request: Request
    body: bytes
    extended: Callable[[Any], Any]

    async def call(self, call: Call, receive: Receive, send: Send) -> None:
        """Send a JSON-RPC request on, and its answer back.

        Raises:
            HttpError: If A2A has no such method, or the agent does not speak the version.
            CardError: If it cannot be reached, or its answer is none.
            Gone: If whoever asked left.
        """
        self._check_coding()
        if call.method not in KNOWN:
            raise refuse(METHOD_NOT_FOUND, "A2A has no such method: its names count by every letter")
        version = self._version(call.method)
        way = _Way(
            "POST", self.placed.routes["JSONRPC", version].url, version, call.method in STREAMING,
            self._card_in_result if call.method in EXTENDED_METHODS else None,
            self._read_older_rpc if version == "0.3" else self._read_rpc, rpc_failing(call),
        )  # fmt: skip
        await self._go(way, receive, send)

    async def rest(self, path: str, version: str, *, extended: bool, receive: Receive, send: Send) -> None:
        """Send a request of REST on, and its answer back.

        Args:
            path: What stands behind the agent, each step quoted.
            version: The version that the path belongs to.
            extended: Whether it asks for the extended card.
            receive: Tells when whoever asked leaves.
            send: Takes the answer.

        Raises:
            HttpError: If the agent does not speak the version over REST, or the route does not take the method.
            CardError: As `call`.
            Gone: As `call`.
        """
        self._check_coding()
        route = self.placed.routes.get(("HTTP+JSON", version))
        if route is None:
            raise self._not_offered(version)
        method, methods = str(self.scope["method"]), taken(path)
        if method not in methods:
            told = ", ".join(methods)
            headers = ((b"allow", told.encode()),)
            raise HttpError(Problem(METHOD_NOT_ALLOWED, f"use one of {told}", headers=headers))
        # The path says which version it is; what else is asked for is another (A2A 1.0 §3.6.2).
        asked_version(self.request.fields.get("a2a-version"), self.request.version_parameter, [version])
        asked = bytes(self.scope.get("query_string", b""))
        query = older_query(f"/{path}", asked).decode("latin-1")
        url = f"{route.url.partition('?')[0].rstrip('/')}/{path}{f'?{query}' if query else ''}"
        streams = path.endswith((":stream", ":subscribe"))
        card = self.extended if extended else None
        read = self._read_older_rest if version == "0.3" else self._read_rest
        await self._go(_Way(method, url, version, streams, card, read, rest_failing), receive, send)

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
            raise HttpError(version_not_supported(tuple(sorted(spoken, reverse=True))))
        return fits[0]

    def _not_offered(self, version: str) -> HttpError:
        offered = ", ".join(f"{binding} of A2A {one}" for binding, one in self.placed.routes) or "nothing"
        return HttpError(
            Problem(NOT_OFFERED, f"this agent does not answer A2A {version} so: it speaks {offered}")
        )

    def _headers(self, version: str) -> dict[str, str]:
        # A server takes a missing version for 0.3, and some do not read the query's.
        return sent_on(self.scope["headers"]) | {"a2a-version": version}

    def _check_coding(self) -> None:
        codings = [value for name, value in self.scope["headers"] if name == b"content-encoding"]
        if any(value.strip().lower() not in (b"", b"identity") for value in codings):
            raise refuse(_CODED, "bodies come without a content coding: send it as it is")

    def _hidden(self) -> Hidden:
        routes = [route.url for route in self.placed.routes.values()]
        return Hidden.of(self.placed.public, self.caller.http.url, routes)

    async def _go(self, way: _Way, receive: Receive, send: Send) -> None:
        reply = await _unless_left(receive, self._reply(way, send))
        # The agent has nothing more to do with it: its connection is free while a slow caller reads.
        if reply is not None:
            await reply.send(send)

    async def _reply(self, way: _Way, send: Send) -> Reply | None:
        """Return the answer to a call; None where it was a stream, which was passed on."""
        body = self.body or None
        try:
            async with asyncio.timeout(self.caller.timeout_seconds) as clock:
                opened = self.caller.asked(
                    way.http_method, way.url, self._headers(way.version), body, streams=way.streams
                )
                async with opened as answer:
                    # A card comes whole, whatever it is called: as a stream it would go out as it is.
                    if media_type(answer.headers) == SSE and answer.status == 200 and way.card is None:
                        clock.reschedule(None)
                        await pass_on(answer, sent_back(answer.headers, self._hidden()), send, way.failing)
                        return None
                    return await self._whole(answer, way)
        except TimeoutError:
            raise PeerTimeout("", "it did not answer in time") from None

    async def _whole(self, answer: Streamed, way: _Way) -> Reply:
        kind, status = media_type(answer.headers), answer.status
        fields = sent_back(answer.headers, self._hidden())
        if status not in _STATUSES or (way.card is not None and status < 300 and status != 200):
            raise _by_status(status, fields)
        if status == 204:
            return Reply(204, tuple(fields))
        if not _JSON_KIND.fullmatch(kind):
            raise _by_status(status, fields)
        body = await whole(answer, MAX_ANSWER_BYTES if way.card is None else _MAX_CARD_BYTES)
        value = await as_json(body) if body or status < 400 else None
        large = len(body) > AT_ONCE_BYTES
        told = await asyncio.to_thread(way.read, status, value) if large else way.read(status, value)
        if told is None:
            raise _by_status(status, fields)
        if way.card is not None and status == 200:
            told = await asyncio.to_thread(way.card, told)
        if told is not value:
            body = json_bytes(told)
        return body_reply(status, body, (*fields, (b"content-type", kind.encode())))

    def _card_in_result(self, value: Any) -> Any:
        return value if "error" in value else {**value, "result": self.extended(value.get("result"))}

    def _read_rpc(self, status: int, value: Any) -> Any:
        """Return an answer of JSON-RPC as it goes back; None where it is none (JSON-RPC 2.0 §5)."""
        if type(value) is not dict or value.get("jsonrpc") != "2.0":
            return None
        if "error" not in value:
            # a2a-sdk 1.3 leaves a result out that is null, where one of the two is there (JSON-RPC 2.0 §5).
            told = value if "result" in value else {**value, "result": None}
            return told if status < 300 else None
        if "result" in value:
            return None
        error = rpc_error(value["error"], self._hidden())
        call_id = value.get("id")
        named = type(call_id) is int or (type(call_id) is str and len(call_id) <= LONGEST_ID)
        return error and {"jsonrpc": "2.0", "id": call_id if named else None, "error": error}

    def _read_older_rpc(self, status: int, value: Any) -> Any:
        """As `_read_rpc`; what is wrong with a request that came this far is in its params.

        a2a-sdk 1.3 says of them that the request is none; A2A 0.3.0 §8.1 has a code of their own for it.
        """
        told = self._read_rpc(status, value)
        if type(told) is dict and "error" in told and told["error"]["code"] == INVALID_REQUEST.code:
            return {**told, "error": {**told["error"], "code": INVALID_PARAMS.code, "message": _BAD_PARAMS}}
        return told

    def _read_rest(self, status: int, value: Any) -> Any:
        """Return an answer of REST as it goes back: an error is told as A2A tells it (1.0 §11.6, §6.4)."""
        if status < 300:
            return value
        known = type(value) is dict and ("error" in value or "type" in value or "reason" in value)
        return rest_error(value, self._hidden()) if known else None

    def _read_older_rest(self, status: int, value: Any) -> Any:
        """As `_read_rest`; 0.3 names no form of errors, and a2a-sdk 0.3 has a message, alone or with a code."""
        told = status < 500 or status == 501
        plain = type(value) is dict and {*value} <= {"message", "code"} and type(value.get("message")) is str
        return rest_error(value, self._hidden()) if told and plain else self._read_rest(status, value)


async def _unless_left(receive: Receive, work: Coroutine[Any, Any, Reply | None]) -> Reply | None:
    """Return what the work returns; it ends as soon as whoever asked leaves.

    Raises:
        Gone: If they left.
    """
    left = asyncio.ensure_future(_left(receive))
    working = asyncio.ensure_future(work)
    try:
        await asyncio.wait([left, working], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Gone
        return working.result()
    finally:
        for task in (left, working):
            task.cancel()
        await asyncio.gather(left, working, return_exceptions=True)


async def _left(receive: Receive) -> None:
    """Return when whoever asked has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _by_status(status: int, fields: Iterable[tuple[bytes, bytes]]) -> CardError | HttpError:
    """Return what an answer means that is none of A2A: nothing of it is told."""
    headers = tuple(pair for pair in fields if pair[0] in (b"www-authenticate", b"retry-after"))
    if status in (401, 403):
        condition = (
            UNAUTHENTICATED if status == 401 else replace(UNAUTHENTICATED, status=403, reason="FORBIDDEN")
        )
        return HttpError(
            Problem(condition, "the agent asks for other credentials: its card says which", headers=headers)
        )
    if status == 429:
        return HttpError(Problem(RATE_LIMITED, "the agent is asked too often", headers=headers))
    if status == 504:
        return PeerTimeout("", "it did not answer in time")
    if status == 503:
        return HttpError(Problem(UPSTREAM_UNREACHABLE, "the agent is not available now", headers=headers))
    if status >= 500:
        return PeerUnreachable("", "it answers with an error of its server")
    if 300 <= status < 400:
        return not_a_reply("it redirects, and calls are not sent elsewhere")
    return not_a_reply("it is none of A2A")
