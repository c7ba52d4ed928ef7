"""Decisions of a private cache: what to do for a request, what to store of a response (RFC 9111)."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

from cardwright.discovery.caching.fields import combined, directives, listed, same, varies_on
from cardwright.discovery.caching.freshness import HEURISTIC, may_use
from cardwright.discovery.caching.values import Headers, Plan, Settled, StoredResponse, undigested
from cardwright.errors import BadArgument

_FETCH: Final = Plan("fetch")
_USE: Final = Plan("use")
# RFC 9110 §7.6.1 and RFC 9111 §3.1: fields of a connection or a proxy, which no cache stores.
_UNSTORED: Final = frozenset({
    "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    "proxy-connection", "te", "transfer-encoding", "upgrade",
})  # fmt: skip
# RFC 9111 §3.2: a 304 has no body, so its fields about a body do not describe the stored one. A 304 with another
# ETag or date than the requested one still confirms the stored body.
_BODY_FIELDS: Final = frozenset({
    "content-encoding", "content-length", "content-md5", "content-range", "etag", "last-modified",
})  # fmt: skip
# Fields about one moment: a 304 without them removes the stored ones.
_TIME_FIELDS: Final = frozenset({"age", "date"})
# RFC 9111 §5.2.2.3: the status codes that a cache with must-understand knows.
_KNOWN_STATUSES: Final = frozenset(HTTPStatus)
# RFC 9111 §3: the directives that make a status storable by a private cache if it is not heuristically cacheable.
_STORABLE: Final = frozenset({"public", "private", "max-age"})
# A value from the origin is sent back only if it makes a valid header field (RFC 9110 §5.5; project decision).
_SENDABLE: Final = re.compile(r"[\x20-\x7e]{1,1024}")


def plan(
    stored: StoredResponse | None,
    *,
    request_headers: Headers = (),
    now: float,
    heuristic_seconds: float = 0.0,
) -> Plan:
    """Return whether to use the stored response for a GET, to revalidate it or to fetch.

    Args:
        stored: The stored response to the same URL and caller, if there is one.
        request_headers: The header fields of the request, credentials as digests.
        now: Seconds since 1970.
        heuristic_seconds: The maximum of heuristic freshness, from Last-Modified; 0 turns it off.
    """
    if stored is None or _has_no_store(request_headers):
        return _FETCH
    names = varies_on(stored.headers)
    # RFC 9111 §4.1: `*` never matches, but the origin may still confirm the stored response.
    varies_on_all = "*" in names
    if not varies_on_all and not same(stored.request_headers, request_headers, names):
        return _FETCH
    if not varies_on_all and may_use(stored, request_headers, now, heuristic_seconds=heuristic_seconds):
        return _USE
    return Plan("revalidate", _conditions(stored))


def _conditions(stored: StoredResponse) -> Headers:
    """Return the conditional header fields for a revalidation (RFC 9111 §4.3.1)."""
    etag, modified = combined(stored.headers, "etag"), combined(stored.headers, "last-modified")
    return tuple(
        (name, value)
        for name, value in (("If-None-Match", etag), ("If-Modified-Since", modified))
        if value and _SENDABLE.fullmatch(value)
    )


def settle(
    stored: StoredResponse | None,
    *,
    request_headers: Headers = (),
    status: int,
    headers: Headers,
    requested_at: float,
    received_at: float,
) -> Settled:
    """Return what to store after a response to a GET.

    After a 5xx the caller may keep the stored response (RFC 9111 §4.3.3) by not calling this function.

    Args:
        stored: The response that was revalidated; None if the request had no conditions.
        request_headers: The header fields of the request, credentials as digests.
        status: The status of the response.
        headers: The header fields of the response.
        requested_at: When the request was sent, in seconds since 1970.
        received_at: When the header of the response arrived, in seconds since 1970.

    Raises:
        BadArgument: If `request_headers` holds a credential in clear text.
    """
    if name := undigested(request_headers):
        raise BadArgument("request_headers", f"{name} is not a digest: pass digested(headers, salt=...)")
    revalidated = status == 304 and stored is not None
    received = _received(headers)
    new_headers = (
        _updated_fields(stored, received) if revalidated and stored else _fields_to_store(status, received)
    )
    usable_headers = new_headers if revalidated and new_headers else headers
    if new_headers is None or _has_no_store(new_headers) or _has_no_store(request_headers):
        return Settled(None, modified=not revalidated, headers=usable_headers)
    updated = StoredResponse(
        status=stored.status if revalidated and stored else status,
        headers=new_headers,
        request_headers=_vary_fields(request_headers, varies_on(new_headers)),
        requested_at=requested_at,
        received_at=received_at,
    )
    return Settled(updated, modified=not revalidated, headers=usable_headers)


def _received(headers: Headers) -> Headers:
    """Return the header fields of a response without those of its connection, names in lower case."""
    lowered = tuple((name.lower(), value) for name, value in headers)
    left_out = _UNSTORED.union(listed(combined(lowered, "connection")))
    return tuple((name, value) for name, value in lowered if name not in left_out)


def _fields_to_store(status: int, received: Headers) -> Headers | None:
    """Return the header fields to store of a response; None if it must not be stored (RFC 9111 §3)."""
    cache_control = directives(combined(received, "cache-control"))
    # Partial content, and a 304 to conditions that this cache did not send, are not used here.
    if (
        status < 200
        or status in (206, 304)
        or ("must-understand" in cache_control and status not in _KNOWN_STATUSES)
    ):
        return None
    storable = not _STORABLE.isdisjoint(cache_control) or combined(received, "expires") is not None
    return _without_unshared(received) if storable or status in HEURISTIC else None


def _updated_fields(stored: StoredResponse, received: Headers) -> Headers:
    """Return the stored fields updated with those of a 304 (RFC 9111 §3.2, §4.3.4)."""
    updates = tuple((name, value) for name, value in received if name not in _BODY_FIELDS)
    replaced = _TIME_FIELDS.union(name for name, _ in updates)
    return _without_unshared((*(pair for pair in stored.headers if pair[0] not in replaced), *updates))


def _without_unshared(fields: Headers) -> Headers:
    """Return fields without those that `no-cache` names: using them needs revalidation (RFC 9111 §5.2.2.4)."""
    unshared = listed(directives(combined(fields, "cache-control")).get("no-cache"))
    return tuple(pair for pair in fields if pair[0] not in unshared) if unshared else fields


def _has_no_store(headers: Headers) -> bool:
    """Whether the fields contain no-store in any position: also `no-cache=a,no-store` and `no-store=1`."""
    return "no-store" in (combined(headers, "cache-control") or "").lower()


def _vary_fields(request_headers: Headers, names: tuple[str, ...]) -> Headers:
    """Return the request fields that Vary names (RFC 9111 §4.1)."""
    return tuple((key, value) for name, value in request_headers if (key := name.lower()) in names)
