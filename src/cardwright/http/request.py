"""HTTP requests: strict parsing of the header, the query and the body of an ASGI request, within limits."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import parse_qsl

from cardwright.canonical import decode
from cardwright.errors import MalformedDocument
from cardwright.http.problem import (
    BAD_HEADER,
    BAD_QUERY,
    BODY_NOT_ALLOWED,
    BODY_TOO_LARGE,
    HEADER_TOO_LARGE,
    INVALID_REQUEST,
    PARSE_ERROR,
    QUERY_TOO_LONG,
    UNSUPPORTED_MEDIA_TYPE,
    HttpError,
    refuse,
)

if TYPE_CHECKING:
    from cardwright.canonical import Limits

T = TypeVar("T")
_now = time.monotonic
Scope = Mapping[str, Any]
# The annotations of ASGI frameworks, so that type checkers accept the application as ASGI.
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

# The limits of most servers and proxies (project decision).
MAX_FIELD_BYTES: Final = 8 * 1024
MAX_QUERY_BYTES: Final = 2 * 1024
# Limits of the response cache: number of requests, and size and number of the fields of one (project decision).
_MAX_CACHED: Final = 512
_MAX_CACHED_BYTES: Final = 2048
_MAX_CACHED_FIELDS: Final = 12
_WELL_KNOWN: Final = "/.well-known"
VERSION_FIELD: Final = "a2a-version"
ID_PARAMETER: Final = "id"
FORMAT_PARAMETER: Final = "format"
_VERSION_PARAMETER: Final = "a2a-version"
# The header fields that are read; fields with lists may be repeated (RFC 9110 §5.3).
_LISTS: Final = frozenset({b"accept", b"accept-encoding", b"if-match", b"if-none-match"})
_SINGLE: Final = frozenset({
    VERSION_FIELD.encode(), b"if-modified-since", b"if-unmodified-since", b"content-length", b"content-type",
})  # fmt: skip
READ: Final = _LISTS | _SINGLE | {b"transfer-encoding", b"host"}
# RFC 9110 §7.2; an underscore is not allowed in host names, but occurs.
_HOST: Final = re.compile(rb"(?:\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._~-]{1,255})(?::[0-9]{1,5})?")
# RFC 9110 §5.5: no control characters except the tab.
_FORBIDDEN: Final = re.compile(rb"[^\t\x20-\x7e\x80-\xff]")
# A body is complete within this time, plus a second for each 64 KiB of it (project decision against slow clients): with a
# time limit between two pieces alone, one byte every few seconds would hold a body in memory for days.
_BODY_SECONDS: Final = 10.0
_LEAST_BYTES_PER_SECOND: Final = 64 * 1024
# Larger bodies are read in a thread, to keep the event loop responsive (project decision).
_INLINE_BYTES: Final = 64 * 1024
# Rules for bodies that are not JSON (JSON-RPC 2.0 §5.1); the others are about limits.
_LARGE: Final = "an integer beyond ±(2^53 - 1) would not be kept exactly; send it as a string"
_NOT_JSON: Final = frozenset({
    "decode/not-json", "decode/empty", "decode/encoding", "decode/byte-order-mark", "decode/number",
})  # fmt: skip
_HIDDEN_SLASH: Final = re.compile(rb"%(?:2[fF]|5[cC])")


class Disconnected(Exception):
    """The caller has disconnected, so no response is sent."""


@dataclass(frozen=True, slots=True)
class Request:
    """The parsed header and query of a request.

    Attributes:
        method: The method.
        fields: The header fields that are read, by name in lower case.
        parameters: The query parameters by name; `a2a-version` in lower case.
    """

    method: str
    fields: dict[str, str] = field(default_factory=dict[str, str])
    parameters: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def version_parameter(self) -> str | None:
        """The requested A2A version in the query."""
        return self.parameters.get(_VERSION_PARAMETER)


def path_of(scope: Scope) -> str:
    """Return the path below the mount point of the application, with a leading slash.

    If the mount point is `/.well-known`, it is part of the path. The raw path is used to detect frameworks that remove
    the mount point without setting root_path and append a slash, as Litestar 2 does.
    """
    path, root = str(scope["path"]), str(scope.get("root_path", "")).rstrip("/")
    if root and (path == root or path.startswith(f"{root}/")):
        path = path[len(root) :]
    raw = scope.get("raw_path")
    sent = raw.partition(b"?")[0].decode("latin-1") if isinstance(raw, bytes) else ""
    if sent and path.endswith("/") and not sent.endswith("/"):
        path = path[:-1]
    path = path if path.startswith("/") else f"/{path}"
    within = root.endswith(_WELL_KNOWN) or sent.endswith(_WELL_KNOWN + path)
    return _WELL_KNOWN + path if within and not path.startswith(f"{_WELL_KNOWN}/") else path


def hides_a_slash(scope: Scope) -> bool:
    """Return whether the path contains an encoded slash or backslash, which servers interpret differently."""
    raw = scope.get("raw_path")
    return isinstance(raw, bytes) and _HIDDEN_SLASH.search(raw.partition(b"?")[0]) is not None


def read_request(scope: Scope) -> Request:
    """Read the header and the query of a request.

    Raises:
        HttpError: If a header field or the query is malformed, too long or repeated.
    """
    gathered: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name not in READ or name == b"host":
            continue
        if name in gathered and name not in _LISTS:
            raise refuse(BAD_HEADER, f"{name.decode()} is repeated: send it once")
        gathered[name] = gathered[name] + b", " + value if name in gathered else value
        if len(gathered[name]) > MAX_FIELD_BYTES:
            raise refuse(
                HEADER_TOO_LARGE, f"{name.decode()} is longer than {MAX_FIELD_BYTES:,} bytes: shorten it"
            )
        if _FORBIDDEN.search(value):
            raise refuse(BAD_HEADER, f"{name.decode()} contains a control character")
    fields = {name.decode(): value.decode("latin-1") for name, value in gathered.items()}
    return Request(str(scope["method"]), fields, _parameters(scope.get("query_string", b"")))


def check_host(scope: Scope) -> None:
    """Check the Host field (RFC 9112 §3.2), since servers accept invalid ones.

    Raises:
        HttpError: If Host is missing, repeated or malformed.
    """
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if len(hosts) > 1 or (not hosts and scope.get("http_version") == "1.1"):
        raise refuse(BAD_HEADER, "Host must be sent exactly once")
    # Granian reports a missing Host as an empty one, which HTTP/1.0 allows.
    if hosts and not _HOST.fullmatch(hosts[0]) and (hosts[0] or scope.get("http_version") != "1.0"):
        raise refuse(BAD_HEADER, "Host is malformed: expected a host name or address, with an optional port")


def check_no_body(request: Request) -> None:
    """Check that a GET request has no body (RFC 9110 §9.3.1), which may be an attempt at request smuggling.

    Raises:
        HttpError: If it has a body.
    """
    length = request.fields.get("content-length", "0").strip()
    if "transfer-encoding" in request.fields or length.strip("0"):
        raise refuse(BODY_NOT_ALLOWED, "a request for a card must not have a body")


def request_key(scope: Scope) -> tuple[Any, ...]:
    """Return everything that a response depends on if it does not depend on the caller or a proxy."""
    return (
        scope["method"],
        scope["path"],
        scope.get("query_string"),
        scope.get("raw_path"),
        scope.get("root_path"),
        scope.get("http_version"),
        *[pair for pair in scope["headers"] if pair[0] in READ],
    )


def remember(cache: dict[tuple[Any, ...], T], key: tuple[Any, ...], response: T) -> None:
    """Store the response to a request in a cache, within limits."""
    if len(cache) >= _MAX_CACHED:
        cache.clear()
    fields = key[6:]
    if len(fields) <= _MAX_CACHED_FIELDS and sum(len(value) for _, value in fields) <= _MAX_CACHED_BYTES:
        cache[key] = response


async def read_body(scope: Scope, receive: Receive, check_piece: Callable[[int], None]) -> bytes:
    """Return the body of a request.

    Args:
        scope: The ASGI scope.
        receive: The ASGI `receive`.
        check_piece: Called with the size of each piece before it is kept; it refuses a body that is too large.

    Raises:
        HttpError: If it is too slow, or refused, or its chunks are malformed.
        Disconnected: If the caller disconnects before its end.
    """
    body = bytearray()
    try:
        async for piece, last in _pieces(receive):
            check_piece(len(piece))
            if last and not body:
                return piece
            body += piece
    except Disconnected:
        if not any(name == b"transfer-encoding" for name, _ in scope["headers"]):
            raise
        # The server reports malformed chunks like a caller that is gone; if it is, it sees no response.
        raise refuse(BAD_QUERY, "the body ends before its last chunk, or a chunk is malformed") from None
    return bytes(body)


async def discard_body(receive: Receive, max_bytes: int) -> None:
    """Receive a body without keeping it: a caller that is cut off while it sends may not see the response.

    Raises:
        HttpError: If it is too slow.
        Disconnected: If the caller disconnects before its end.
    """
    async for piece, _ in _pieces(receive):
        max_bytes -= len(piece)
        if max_bytes < 0:
            return


async def _pieces(receive: Receive) -> AsyncGenerator[tuple[bytes, bool]]:
    """Yield the pieces of a body, each with whether it is the last.

    Raises:
        HttpError: If it is too slow.
        Disconnected: If the caller disconnects before its end.
    """
    size, last = 0, False
    began = _now()
    while not last:
        left = began + _BODY_SECONDS + size / _LEAST_BYTES_PER_SECOND - _now()
        message: Message | None = None
        with suppress(TimeoutError):
            async with asyncio.timeout(left):
                message = await receive()
        # A piece that is there at once is received even when the time is up.
        if message is None or left <= 0:
            raise refuse(
                INVALID_REQUEST,
                f"the body was too slow; send it within {_BODY_SECONDS:.0f} seconds, and one more for each 64 KiB",
            )
        if message["type"] != "http.request":
            raise Disconnected
        piece: bytes = message.get("body", b"")
        size += len(piece)
        last = not message.get("more_body", False)
        yield piece, last


def body_too_large(max_bytes: int) -> HttpError:
    """Return the error for a body that exceeds its limit, to be raised."""
    return refuse(BODY_TOO_LARGE, f"the body is larger than {max_bytes:,} bytes")


async def off_loop(size: int, work: Callable[..., T], *args: Any) -> T:
    """Return the result of work on a body or a response of a size; a large one is worked on in a thread."""
    if size > _INLINE_BYTES:
        return await asyncio.to_thread(work, *args)
    return work(*args)


def check_json(scope: Scope) -> None:
    """Check that the media type is JSON, which a page of another site cannot send without permission.

    Raises:
        HttpError: If it is not JSON. A missing media type is not: browsers send such bodies to any site.
    """
    values = [value for name, value in scope["headers"] if name == b"content-type"]
    kind = values[0].partition(b";")[0].strip().lower() if values else b""
    if len(values) != 1 or not (kind == b"application/json" or kind.endswith(b"+json")):
        raise refuse(UNSUPPORTED_MEDIA_TYPE, "the body must be JSON: send Content-Type: application/json")


def decode_body(body: bytes, limits: Limits) -> Any:
    """Return the JSON value of a body, decoded strictly.

    Raises:
        HttpError: If it is not JSON, or exceeds a limit.
    """
    try:
        return decode(body, limits)
    except MalformedDocument as error:
        code = PARSE_ERROR if error.rule in _NOT_JSON else INVALID_REQUEST
        what = _LARGE if error.rule == "decode/integer-range" else "the body is not JSON, or exceeds a limit"
        raise refuse(code, f"{what} ({error.rule})") from None


def _parameters(query: bytes) -> dict[str, str]:
    if not query:
        return {}
    if len(query) > MAX_QUERY_BYTES:
        raise refuse(QUERY_TOO_LONG, f"the query is longer than {MAX_QUERY_BYTES:,} bytes")
    try:
        pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=32)
    except ValueError:
        raise refuse(
            BAD_QUERY, "the query is not percent-encoded UTF-8, or has too many parameters"
        ) from None
    parameters: dict[str, str] = {}
    for name, value in pairs:
        key = name.lower() if name.lower() == _VERSION_PARAMETER else name
        if key in (_VERSION_PARAMETER, ID_PARAMETER, FORMAT_PARAMETER):
            if key in parameters:
                parameter = "A2A-Version" if key == _VERSION_PARAMETER else key
                raise refuse(BAD_QUERY, f"{parameter} is repeated in the query: send it once")
            parameters[key] = value
    return parameters
