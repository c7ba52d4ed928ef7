"""Forward JSON-RPC and REST calls, including streams, to the upstream agent."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadResponse, PeerTimeout
from cardwright.guard.message_limits import EVENT_STREAM, FORWARDED_MESSAGES
from cardwright.http.negotiation import version as requested_version
from cardwright.http.problem import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_ALLOWED,
    METHOD_NOT_FOUND,
    UNAUTHENTICATED,
    UNSUPPORTED_MEDIA_TYPE,
    HttpError,
    method_not_allowed,
    refuse,
)
from cardwright.http.representation import json_bytes
from cardwright.http.request import off_loop
from cardwright.http.response import Response
from cardwright.serve.extended import METHODS as EXTENDED_METHODS
from cardwright_gateway.a2a.calls import UNSTATED, older_query, other_version
from cardwright_gateway.a2a.operations import KNOWN, READS, STREAMING, allowed_methods
from cardwright_gateway.a2a.problems import NOT_OFFERED, of_status, version_not_supported
from cardwright_gateway.a2a.responses import Fields, body_response
from cardwright_gateway.upstream.client import (
    as_json,
    forwarded_request_headers,
    forwarded_response_headers,
    media_type,
    whole,
)
from cardwright_gateway.upstream.errors import rest_error, rpc_error
from cardwright_gateway.upstream.event_errors import event_errors, message_in
from cardwright_gateway.upstream.streaming import forward_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.guard import Streamed
    from cardwright.guard.answer_memory import HeldAnswer
    from cardwright.http.problem import HttpError
    from cardwright.http.request import Request, Scope
    from cardwright_gateway.a2a.calls import Call
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.catalog.served_card import ServedCard
    from cardwright_gateway.upstream.client import Caller
    from cardwright_gateway.upstream.event_errors import EventErrors

# A2A 0.3.0 §8.1.
_BAD_PARAMS: Final = "Invalid method parameters"
_MEDIA_TYPE: Final = re.compile(r"[a-z0-9.!#$&^_+-]{1,64}/[a-z0-9.!#$&^_+-]{1,64}")
_JSON_KIND: Final = re.compile(r"application/json|[a-z0-9.!#$&^_-]+/[a-z0-9.!#$&^_+-]+\+json")
# JSON-RPC 2.0 §5.1: the codes of the protocol and of servers.
_RPC_CODES: Final = range(-32_768, -31_999)
_CHALLENGE: Final = b'Bearer realm="agents"'
# An extended card has the same limit as a card (project decision).
MAX_CARD_BYTES: Final = 256 * 1024
# The methods of A2A, and those that every server may name, in the order of Allow.
_METHODS: Final = ("GET", "HEAD", "POST", "DELETE", "OPTIONS")
# The statuses that are passed on; any other one becomes a problem of the gateway (A2A 1.0 §5.4, §11.6).
_STATUSES: Final = frozenset({
    200, 201, 202, 204, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 501, 503,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Route:
    """How one call is forwarded.

    Attributes:
        http_method: The HTTP method.
        url: The URL of the agent.
        version: The version of A2A.
        streams: Whether a stream is requested.
        card: Rewrites the extended card in the response; None for other responses.
        read: Returns the response to send to the caller; None if it is not an A2A response.
        errors: Rebuilds the errors in a stream.
        reads: Whether the call changes nothing.
    """

    http_method: str
    url: str
    version: str
    streams: bool
    card: Callable[[Any], Any] | None
    read: Callable[[int, Any], Any]
    errors: EventErrors
    reads: bool = False


@dataclass(frozen=True, slots=True)
class Forward:
    """One request that is forwarded to the upstream agent.

    Attributes:
        caller: Sends requests to the agent.
        served: The served card of the agent, with its routes.
        scope: The ASGI scope of the request.
        request: Its header fields, parsed strictly.
        body: Its body.
        extended: Rewrites the extended card in the response.
    """

    caller: Caller
    served: ServedCard
    scope: Scope
    request: Request
    body: bytes
    extended: Callable[[Any], Any]

    async def call(self, call: Call, exchange: Exchange) -> Response | None:
        """Forward a JSON-RPC request; return the response, or None after a stream.

        Raises:
            HttpError: If A2A has no such method, or the agent does not support the version.
            CardError: If the agent cannot be reached, or its response is not an A2A response.
            Disconnected: If the caller disconnects.
        """
        self._check_coding()
        if call.method not in KNOWN:
            raise refuse(METHOD_NOT_FOUND, "unknown A2A method; method names are case-sensitive")
        version = self._version(call.method)
        route = _Route(
            "POST", self.served.routes["JSONRPC", version].url, version, call.method in STREAMING,
            self._card_in_result if call.method in EXTENDED_METHODS else None,
            partial(self._read_older_rpc if version == "0.3" else self._read_rpc, call.id),
            event_errors(version, rpc=True, call_id=call.id), call.method in READS,
        )  # fmt: skip
        return await exchange.while_connected(self._response(route, exchange))

    async def rest(self, exchange: Exchange, version: str, *, extended: bool) -> Response | None:
        """Forward a REST request; return the response, or None after a stream.

        Args:
            exchange: The request.
            version: The version that its path belongs to.
            extended: Whether it requests the extended card.

        Raises:
            HttpError: If the agent does not support the version over REST, or the route does not allow the method.
            CardError: As `call`.
            Disconnected: As `call`.
        """
        self._check_coding()
        upstream = self.served.routes["HTTP+JSON", version]
        path, methods = exchange.path, allowed_methods(exchange.path[1:])
        if exchange.method not in methods:
            raise method_not_allowed(methods)
        # The path determines the version; a request for another version is refused (A2A 1.0 §3.6.2).
        stated = requested_version(
            self.request.fields.get("a2a-version"), self.request.version_parameter, [version]
        )
        if stated is None and version != UNSTATED:
            raise other_version(version, stated)
        query = older_query(path, bytes(self.scope.get("query_string", b""))).decode("latin-1")
        url = f"{upstream.url.partition('?')[0].rstrip('/')}{path}{f'?{query}' if query else ''}"
        streams = path.endswith((":stream", ":subscribe"))
        card = self.extended if extended else None
        read = self._read_older_rest if version == "0.3" else self._read_rest
        task_id = str(exchange.params.get("id", "")).removesuffix(":subscribe")
        errors = event_errors(version, rpc=False, task_id=task_id)
        route = _Route(exchange.method, url, version, streams, card, read, errors)
        return await exchange.while_connected(self._response(route, exchange))

    def _version(self, method: str) -> str:
        """Return the version of a call, among those that the agent supports (A2A 1.0 §3.6.2)."""
        supported = [version for binding, version in self.served.routes if binding == "JSONRPC"]
        if not supported:
            offered = ", ".join(f"{binding} of A2A {one}" for binding, one in self.served.routes) or "nothing"
            raise refuse(NOT_OFFERED, f"this agent does not support JSON-RPC; it supports {offered}")
        header = self.request.fields.get("a2a-version")
        requested = requested_version(header, self.request.version_parameter, supported)
        if requested is not None:
            return requested
        if method[:1].isupper():
            raise other_version("1.0", None)
        # Versions before 0.3 have the method names of 0.3.
        older = max((version for version in supported if version < "1.0"), default=None)
        if older is None:
            raise version_not_supported(supported)
        return older

    def _headers(self, version: str) -> dict[str, str]:
        # A server reads a missing version as 0.3, and some servers ignore the query parameter.
        return forwarded_request_headers(self.scope["headers"]) | {"a2a-version": version}

    def _check_coding(self) -> None:
        codings = [value for name, value in self.scope["headers"] if name == b"content-encoding"]
        if any(value.strip().lower() not in (b"", b"identity") for value in codings):
            raise refuse(UNSUPPORTED_MEDIA_TYPE, "send the body without a content coding")

    async def _response(self, route: _Route, exchange: Exchange) -> Response | None:
        # The connection to the agent is released before the response is sent, even to a slow caller.
        try:
            async with asyncio.timeout(self.caller.timeout_seconds) as clock:
                opened = self.caller.forward(
                    route.http_method,
                    route.url,
                    self._headers(route.version),
                    self.body or None,
                    streams=route.streams,
                    reads=route.reads,
                )
                async with opened as upstream_response:
                    # A card is never streamed: a stream would be passed on without rewriting.
                    if (
                        media_type(upstream_response.headers) == EVENT_STREAM
                        and upstream_response.status == 200
                        and route.streams
                    ):
                        clock.reschedule(None)
                        fields = forwarded_response_headers(upstream_response.headers)
                        await forward_stream(
                            upstream_response,
                            fields,
                            exchange.send,
                            route.errors,
                            self.caller.client.pace.stream(),
                            exchange.hold(),
                            exchange.note_error,
                        )
                        return None
                    return await self._complete_response(upstream_response, route, exchange.hold())
        except TimeoutError:
            raise PeerTimeout("", "it did not respond in time") from None

    async def _complete_response(
        self, upstream_response: Streamed, route: _Route, held: HeldAnswer
    ) -> Response:
        kind, status = media_type(upstream_response.headers), upstream_response.status
        # Some servers label any response so; the caller can read only JSON.
        labelled = kind == EVENT_STREAM and status < 300
        if labelled:
            kind = "application/json"
        fields = [*forwarded_response_headers(upstream_response.headers), *_allow(upstream_response)]
        if status not in _STATUSES or (route.card is not None and status < 300 and status != 200):
            raise error_by_status(status, fields, kind)
        if status == 204 and route.http_method != "POST":
            return Response(204, tuple(fields))
        if not _JSON_KIND.fullmatch(kind):
            raise error_by_status(status, fields, kind)
        body = await whole(
            upstream_response, FORWARDED_MESSAGES.max_bytes if route.card is None else MAX_CARD_BYTES, held
        )
        if labelled:
            body = await off_loop(len(body), message_in, body)
        try:
            value = await as_json(body) if body or status < 400 else None
        except BadResponse:
            if status in (404, 405):
                raise error_by_status(status, fields, kind)  # noqa: B904 - it has a cause
            raise
        result = await off_loop(len(body), route.read, status, value)
        if result is None:
            raise error_by_status(status, fields, kind)
        if route.card is not None and status == 200:
            result = await asyncio.to_thread(route.card, result)
        if result is not value:
            body = await off_loop(len(body), json_bytes, result)
        fields += _challenge(status)
        return body_response(status, body, (*fields, (b"content-type", kind.encode())))

    def _card_in_result(self, value: Any) -> Any:
        return value if "error" in value else {**value, "result": self.extended(value.get("result"))}

    def _read_rpc(self, call_id: Any, status: int, value: Any) -> Any:
        """Return the JSON-RPC response to send to the caller; None if it is not one (JSON-RPC 2.0 §5).

        It has the version of JSON-RPC and the id of the call, whatever the agent responded with.
        """
        if type(value) is not dict:
            return None
        if value.get("jsonrpc") != "2.0":
            error = value.get("error")
            is_error = type(error) is dict and error.get("code") in _RPC_CODES
            if "result" not in value and not is_error:
                return None
            value = {
                "jsonrpc": "2.0",
                **{name: value[name] for name in ("id", "result", "error") if name in value},
            }
        if "error" in value and value["error"] is None:
            # Peers that write every field: null is absent.
            value = {name: item for name, item in value.items() if name != "error"}
        if "error" not in value:
            # a2a-sdk 1.3 omits a null result, although a result or an error is required (JSON-RPC 2.0 §5).
            response = value if "result" in value else {**value, "result": None}
            if type(value.get("id")) is not type(call_id) or value.get("id") != call_id:
                response = {**response, "id": call_id}
            return response if status < 300 else None
        if "result" in value:
            return None
        error = rpc_error(value["error"])
        return error and {"jsonrpc": "2.0", "id": call_id, "error": error}

    def _read_older_rpc(self, call_id: Any, status: int, value: Any) -> Any:
        """Return the same as `_read_rpc`, with the error code for invalid params.

        The envelope is already valid here. a2a-sdk 1.3 reports invalid params as an invalid request, but A2A 0.3.0
        §8.1 has a code for them.
        """
        response = self._read_rpc(call_id, status, value)
        if (
            type(response) is dict
            and "error" in response
            and response["error"]["code"] == INVALID_REQUEST.code
        ):
            error = {"code": INVALID_PARAMS.code, "message": _BAD_PARAMS}
            return {**response, "error": error}
        return response

    def _read_rest(self, status: int, value: Any) -> Any:
        """Return the REST response to send to the caller; an error has the form of A2A (1.0 §11.6, §6.4)."""
        if status < 300:
            return value
        known = type(value) is dict and ("error" in value or "type" in value or "reason" in value)
        return rest_error(value) if known else None

    def _read_older_rest(self, status: int, value: Any) -> Any:
        """Return the same as `_read_rest` for 0.3, which defines no form of errors; a2a-sdk 0.3 sends a message."""
        flat = status < 500 or status == 501
        plain = type(value) is dict and {*value} <= {"message", "code"} and type(value.get("message")) is str
        return rest_error(value) if flat and plain else self._read_rest(status, value)


def _challenge(status: int) -> Fields:
    """Return the challenge of a 401 response (RFC 9110 §15.5.2): the gateway's, as an agent's may name its realm."""
    return ((b"www-authenticate", _CHALLENGE),) if status == 401 else ()


def _allow(response: Streamed) -> Fields:
    """Return the methods that a 405 response allows (RFC 9110 §15.5.6)."""
    if response.status != 405:
        return ()
    allowed = {method.strip() for method in (response.headers.get("allow") or "").split(",")}
    return ((b"allow", ", ".join(method for method in _METHODS if method in allowed).encode()),)


def error_by_status(status: int, fields: Iterable[tuple[bytes, bytes]], kind: str) -> HttpError:
    """Return the error for a response that is not an A2A response, with its cause; its content is not passed on.

    `kind` is its media type.
    """
    error = _error_by_status(status, fields)
    kind = kind if _MEDIA_TYPE.fullmatch(kind) else "unknown" if kind else "missing"
    error.__cause__ = BadResponse("", "status", f"HTTP {status}, media type {kind}", status=status)
    return error


def _error_by_status(status: int, fields: Iterable[tuple[bytes, bytes]]) -> HttpError:
    headers = tuple(pair for pair in fields if pair[0] == b"retry-after")
    if status in (401, 403):
        headers += _challenge(status)
        code = UNAUTHENTICATED if status == 401 else replace(UNAUTHENTICATED, status=403, reason="FORBIDDEN")
        return refuse(code, "the agent requires other credentials; see its card", headers=headers)
    if status == 405:
        allow = tuple(pair for pair in fields if pair[0] == b"allow")
        return refuse(METHOD_NOT_ALLOWED, "the agent responded with 405; see Allow", headers=allow)
    # To a 404, clients try the other path or method of an operation.
    code, message = of_status(status)
    return refuse(code, message, headers=headers)
