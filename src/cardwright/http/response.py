"""Answers: a status, a header and bytes, made once where they can be."""

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

# A card is for everyone who may see it, wherever their page comes from; none of it depends on cookies.
_ORIGIN: Final[Header] = (b"access-control-allow-origin", b"*")
_EXPOSED: Final[Header] = (b"access-control-expose-headers", b"ETag, Last-Modified, WWW-Authenticate")
_NO_SNIFFING: Final[Header] = (b"x-content-type-options", b"nosniff")
# What stays on a 304 (RFC 9110 §15.4.5).
_KEPT: Final = frozenset({
    b"etag", b"cache-control", b"vary", b"last-modified", b"access-control-allow-origin",
    b"access-control-expose-headers",
})  # fmt: skip
_ASKED_FIELDS: Final = ("A2A-Version", "A2A-Extensions", "Accept", "If-None-Match", "If-Modified-Since")
_PREFLIGHT_SECONDS: Final = 86_400


@dataclass(frozen=True, slots=True)
class Response:
    """What is sent back.

    Attributes:
        reusable: Whether every request of the same method, path, query and fields is answered so.
    """

    status: int
    headers: tuple[Header, ...]
    body: bytes = b""
    reusable: bool = False

    async def send(self, send: Send) -> None:
        """Send it; the messages are new ones, since middleware may write into them."""
        await send({"type": "http.response.start", "status": self.status, "headers": [*self.headers]})
        await send({"type": "http.response.body", "body": self.body})

    def headless(self) -> Response:
        """Return the answer to HEAD: the same header, no body (RFC 9110 §9.3.2)."""
        return replace(self, body=b"")


@dataclass(frozen=True, slots=True)
class Caching:
    """How long an answer may be kept, and what it depends on.

    Attributes:
        control: The value of Cache-Control.
        vary: The header fields that the answer depends on.
        modified: When the content last changed, if that is known.
    """

    control: str
    vary: tuple[str, ...]
    modified: datetime | None = None


def content_answer(
    content: Content, media_type: str, caching: Caching, more: tuple[Header, ...] = ()
) -> Response:
    """Return the answer that has the content."""
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
    answer: Response, content: Content, caching: Caching, request: Request, now: datetime
) -> Response:
    """Return 304 where the caller has the content already, else the answer (RFC 9110 §13.2.2).

    Raises:
        HttpError: If a list of tags is malformed, or what is demanded of the content does not hold.
    """
    _check_preconditions(content, caching, request, now)
    tags, since = request.fields.get("if-none-match"), request.fields.get("if-modified-since")
    if tags is not None:
        known = holds(tags, content.etag)
    else:
        known = bool(since and caching.modified and unchanged_since(since, caching.modified, now))
    if not known:
        return answer
    return Response(304, tuple(header for header in answer.headers if header[0] in _KEPT))


def _check_preconditions(content: Content, caching: Caching, request: Request, now: datetime) -> None:
    demanded, since = request.fields.get("if-match"), request.fields.get("if-unmodified-since")
    if demanded is not None:
        met = matches(demanded, content.etag)
    else:
        until = http_date(since, now) if since and caching.modified else None
        met = until is None or caching.modified is None or caching.modified.replace(microsecond=0) <= until
    if not met:
        raise refuse(PRECONDITION_FAILED, "the card is another than If-Match or If-Unmodified-Since demands")


def refusal(problem: Problem, media_type: str, body: bytes, more: tuple[Header, ...] = ()) -> Response:
    """Return the answer that says why there is none."""
    return fleeting(problem.condition.status, media_type, body, (*problem.headers, *more))


def fleeting(status: int, media_type: str, body: bytes, more: tuple[Header, ...] = ()) -> Response:
    """Return an answer that nobody keeps."""
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
    """Return the answer to OPTIONS: what may be sent, also from pages of other origins (Fetch §3.3)."""
    asked = ", ".join(dict.fromkeys((*_ASKED_FIELDS, "Content-Type", *fields)))
    return Response(
        204,
        (
            _header("allow", allow),
            _ORIGIN,
            _header("access-control-allow-methods", allow),
            _header("access-control-allow-headers", asked),
            _header("access-control-max-age", str(_PREFLIGHT_SECONDS)),
        ),
    )


def _header(name: str, value: str) -> Header:
    return name.encode("ascii"), value.encode("latin-1", "replace")
