"""HTTP responses: status, header fields and body, reusable if possible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from cardwright.dates import http_date, imf_fixdate
from cardwright.http.conditional import holds, matches, unchanged_since
from cardwright.http.problem import PRECONDITION_FAILED, refuse

if TYPE_CHECKING:
    from datetime import datetime

    from cardwright.http.problem import Problem
    from cardwright.http.representation import Content
    from cardwright.http.request import Request, Send

Header = tuple[bytes, bytes]

# Pages of any origin may read a card; no response depends on cookies.
_ORIGIN: Final[Header] = (b"access-control-allow-origin", b"*")
_EXPOSED: Final[Header] = (b"access-control-expose-headers", b"ETag, Last-Modified, WWW-Authenticate")
_NO_SNIFFING: Final[Header] = (b"x-content-type-options", b"nosniff")
# The header fields of a 304 response (RFC 9110 §15.4.5).
_NOT_MODIFIED_FIELDS: Final = frozenset({
    b"etag", b"cache-control", b"vary", b"last-modified", b"access-control-allow-origin",
    b"access-control-expose-headers",
})  # fmt: skip
_REQUEST_FIELDS: Final = ("A2A-Version", "A2A-Extensions", "Accept", "If-None-Match", "If-Modified-Since")
_PREFLIGHT_SECONDS: Final = 86_400


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response.

    Attributes:
        reusable: Whether it fits every request with the same method, path, query and header fields.
    """

    status: int
    headers: tuple[Header, ...]
    body: bytes = b""
    reusable: bool = False

    async def send(self, send: Send) -> None:
        """Send the response; creates new messages, since middleware may change them."""
        await send({"type": "http.response.start", "status": self.status, "headers": [*self.headers]})
        await send({"type": "http.response.body", "body": self.body})

    def for_origin(self, origin: bytes | None) -> Response:
        """Return this response for web pages of one origin only, or of none (Fetch §3.3.3)."""
        headers = [
            (name, b"%s, Origin" % value if name == b"vary" else value)
            for name, value in self.headers
            if (name, value) not in (_ORIGIN, _EXPOSED)
        ]
        if origin is not None:
            headers += [(_ORIGIN[0], origin), _EXPOSED]
        return replace(self, headers=tuple(headers), reusable=False)

    def headless(self) -> Response:
        """Return the response to HEAD: the same header without a body (RFC 9110 §9.3.2)."""
        return replace(self, body=b"")


@dataclass(frozen=True, slots=True)
class Caching:
    """The caching of a response.

    Attributes:
        control: The value of Cache-Control.
        vary: The request header fields that the response depends on.
        modified: When the content last changed, if known.
    """

    control: str
    vary: tuple[str, ...]
    modified: datetime | None = None


def content_answer(
    content: Content, media_type: str, caching: Caching, more: tuple[Header, ...] = ()
) -> Response:
    """Return a response with content."""
    headers = [
        _header("content-type", media_type),
        _header("content-length", str(len(content.body))),
        _header("etag", content.etag),
        _header("cache-control", caching.control),
        _header("vary", ", ".join(caching.vary)),
        _ORIGIN,
        _EXPOSED,
        _NO_SNIFFING,
        *more,
    ]
    if content.coding != "identity":
        headers.append(_header("content-encoding", content.coding))
    if caching.modified:
        headers.append(_header("last-modified", imf_fixdate(caching.modified)))
    return Response(200, tuple(headers), content.body)


def conditional(
    response: Response, content: Content, caching: Caching, request: Request, now: datetime
) -> Response:
    """Return 304 if the caller's copy is current, else the response (RFC 9110 §13.2.2).

    Raises:
        HttpError: If a list of entity tags is malformed, or a precondition fails.
    """
    _check_preconditions(content, caching, request, now)
    tags, since = request.fields.get("if-none-match"), request.fields.get("if-modified-since")
    if tags is not None:
        current = holds(tags, content.etag)
    else:
        current = bool(since and caching.modified and unchanged_since(since, caching.modified, now))
    if not current:
        return response
    return Response(304, tuple(header for header in response.headers if header[0] in _NOT_MODIFIED_FIELDS))


def _check_preconditions(content: Content, caching: Caching, request: Request, now: datetime) -> None:
    tags, since = request.fields.get("if-match"), request.fields.get("if-unmodified-since")
    if tags is not None:
        met = matches(tags, content.etag)
    else:
        until = http_date(since, now) if since and caching.modified else None
        met = until is None or caching.modified is None or caching.modified.replace(microsecond=0) <= until
    if not met:
        raise refuse(PRECONDITION_FAILED, "the card does not match If-Match or If-Unmodified-Since")


def refusal(problem: Problem, media_type: str, body: bytes, more: tuple[Header, ...] = ()) -> Response:
    """Return the response to a refused request."""
    return fleeting(problem.error_code.status, media_type, body, (*problem.headers, *more))


def fleeting(status: int, media_type: str, body: bytes, more: tuple[Header, ...] = ()) -> Response:
    """Return a response that must not be cached."""
    return Response(
        status,
        (
            _header("content-type", media_type),
            _header("content-length", str(len(body))),
            (b"cache-control", b"private, no-store"),
            _ORIGIN,
            _EXPOSED,
            _NO_SNIFFING,
            *more,
        ),
        body,
    )


def options_answer(allow: str, fields: tuple[str, ...]) -> Response:
    """Return the response to OPTIONS, also for CORS preflight requests (Fetch §3.3)."""
    request_fields = ", ".join(dict.fromkeys((*_REQUEST_FIELDS, "Content-Type", *fields)))
    return Response(
        204,
        (
            _header("allow", allow),
            _ORIGIN,
            _header("access-control-allow-methods", allow),
            _header("access-control-allow-headers", request_fields),
            _header("access-control-max-age", str(_PREFLIGHT_SECONDS)),
        ),
    )


def _header(name: str, value: str) -> Header:
    return name.encode("ascii"), value.encode("latin-1", "replace")
