"""What to do for a request, and what an answer comes to: the two decisions of a private cache (RFC 9111)."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

from cardwright.discovery.caching.fields import combined, directives, listed, same, varies_on
from cardwright.discovery.caching.freshness import HEURISTIC, may_use
from cardwright.discovery.caching.values import Headers, Kept, Plan, Settled, undigested
from cardwright.errors import BadArgument

_FETCH: Final = Plan("fetch")
_USE: Final = Plan("use")
# RFC 9110 §7.6.1 and RFC 9111 §3.1: fields of a connection or a proxy, which no cache stores.
_UNSTORED: Final = frozenset({
    "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    "proxy-connection", "te", "transfer-encoding", "upgrade",
})  # fmt: skip
# RFC 9111 §3.2: a 304 has no body, so its fields about one do not describe the body that is kept. A 304 whose tag
# or date is not the one that was asked about still says that the kept body holds.
_OF_THE_BODY: Final = frozenset({
    "content-encoding", "content-length", "content-md5", "content-range", "etag", "last-modified",
})  # fmt: skip
# Fields of the moment, which do not outlive a 304 that has none of its own.
_OF_THE_MOMENT: Final = frozenset({"age", "date"})
# RFC 9111 §5.2.2.3: what must-understand asks for.
_KNOWN: Final = frozenset(HTTPStatus)
# RFC 9111 §3: what a status that is not heuristically cacheable needs, to be stored by a private cache.
_STORABLE: Final = frozenset({"public", "private", "max-age"})
# What an origin says is only sent back to it where it makes no request that nobody takes (RFC 9110 §5.5; project
# decision).
_SENDABLE: Final = re.compile(r"[\x20-\x7e]{1,1024}")


def plan(
    kept: Kept | None, *, request_headers: Headers = (), now: float, heuristic_seconds: float = 0.0
) -> Plan:
    """Return what to do for a GET.

    Args:
        kept: What is kept of the last answer to the same URL and caller, if anything is.
        request_headers: The fields of the request, credentials as their digests.
        now: Seconds since 1970.
        heuristic_seconds: The most that freshness may be guessed by Last-Modified; 0: nothing is guessed.
    """
    if kept is None or _not_to_store(request_headers):
        return _FETCH
    names = varies_on(kept.headers)
    # RFC 9111 §4.1: a star never matches, but the origin may still say that nothing changed.
    star = "*" in names
    if not star and not same(kept.request_headers, request_headers, names):
        return _FETCH
    if not star and may_use(kept, request_headers, now, heuristic_seconds=heuristic_seconds):
        return _USE
    return Plan("revalidate", _conditions(kept))


def _conditions(kept: Kept) -> Headers:
    """Return what asks whether something kept still holds (RFC 9111 §4.3.1)."""
    etag, modified = combined(kept.headers, "etag"), combined(kept.headers, "last-modified")
    return tuple(
        (name, value)
        for name, value in (("If-None-Match", etag), ("If-Modified-Since", modified))
        if value and _SENDABLE.fullmatch(value)
    )


def settle(
    kept: Kept | None,
    *,
    request_headers: Headers = (),
    status: int,
    headers: Headers,
    requested_at: float,
    received_at: float,
) -> Settled:
    """Return what an answer to a GET comes to.

    What a 5xx does to what is kept is the caller's choice (RFC 9111 §4.3.3): who wants it to stay does not ask.

    Args:
        kept: What was revalidated; None if the request had no conditions of ours.
        request_headers: The fields of the request, credentials as their digests.
        status: The status of the answer.
        headers: Its fields.
        requested_at: When it was asked for, in seconds since 1970.
        received_at: When its header came, in seconds since 1970.

    Raises:
        BadArgument: If a credential stands in the request's fields as itself.
    """
    if name := undigested(request_headers):
        raise BadArgument("request_headers", f"{name} is there as itself: pass digested(headers, salt=...)")
    renewed = status == 304 and kept is not None
    received = _received(headers)
    stored = _freshened(kept, received) if renewed and kept else _storable(status, received)
    shown = stored if renewed and stored else headers
    if stored is None or _not_to_store(stored) or _not_to_store(request_headers):
        return Settled(None, modified=not renewed, headers=shown)
    keeps = Kept(
        status=kept.status if renewed and kept else status,
        headers=stored,
        request_headers=_witnesses(request_headers, varies_on(stored)),
        requested_at=requested_at,
        received_at=received_at,
    )
    return Settled(keeps, modified=not renewed, headers=shown)


def _received(headers: Headers) -> Headers:
    """Return the fields of an answer that are for more than its connection, names in lower case."""
    lowered = tuple((name.lower(), value) for name, value in headers)
    left_out = _UNSTORED.union(listed(combined(lowered, "connection")))
    return tuple((name, value) for name, value in lowered if name not in left_out)


def _storable(status: int, received: Headers) -> Headers | None:
    """Return the fields to store of an answer; None if it may not be stored (RFC 9111 §3)."""
    said = directives(combined(received, "cache-control"))
    # Parts of a document, and what answers somebody else's conditions, are not read here.
    if status < 200 or status in (206, 304) or ("must-understand" in said and status not in _KNOWN):
        return None
    named = not _STORABLE.isdisjoint(said) or combined(received, "expires") is not None
    return _without_unshared(received) if named or status in HEURISTIC else None


def _freshened(kept: Kept, received: Headers) -> Headers:
    """Return the kept fields brought up to date by those of a 304 (RFC 9111 §3.2, §4.3.4)."""
    news = tuple((name, value) for name, value in received if name not in _OF_THE_BODY)
    gone = _OF_THE_MOMENT.union(name for name, _ in news)
    return _without_unshared((*(pair for pair in kept.headers if pair[0] not in gone), *news))


def _without_unshared(fields: Headers) -> Headers:
    """Return fields without those that `no-cache` names: they would need the origin's word (RFC 9111 §5.2.2.4)."""
    named = listed(directives(combined(fields, "cache-control")).get("no-cache"))
    return tuple(pair for pair in fields if pair[0] not in named) if named else fields


def _not_to_store(headers: Headers) -> bool:
    """Whether no-store stands there, in whatever place: also as `no-cache=a,no-store` or `no-store=1`."""
    return "no-store" in (combined(headers, "cache-control") or "").lower()


def _witnesses(request_headers: Headers, names: tuple[str, ...]) -> Headers:
    """Return the fields of the request that Vary names (RFC 9111 §4.1)."""
    return tuple((key, value) for name, value in request_headers if (key := name.lower()) in names)
