"""What to do for a request, and what an answer comes to: the two decisions of a private cache (RFC 9111).

Whether an answer may be stored, which of its fields, and what a 304 changes is decided by hishel's states.
Freshness is ours (see there), and so is the choice among `use`, `revalidate` and `fetch`: hishel's IdleClient
would make it by the clock of the system.
"""

from __future__ import annotations

import re
from functools import lru_cache
from http import HTTPStatus
from typing import Final, TypeAlias
from uuid import UUID

import hishel

from cardwright.discovery.caching.fields import combined, directives, listed, same, varies_on
from cardwright.discovery.caching.freshness import may_use
from cardwright.discovery.caching.values import Headers, Kept, Plan, Settled, undigested
from cardwright.errors import BadArgument

# hishel's default is a shared cache, which stores no answer to an authorised request.
_OPTIONS: Final = hishel.CacheOptions(shared=False, supported_methods=["GET"])
# The key, and with it the URL and the caller, is the affair of whoever holds the answers.
_REQUEST: Final = hishel.Request("GET", "")
_ID: Final = UUID(int=0)
_FETCH: Final = Plan("fetch")
_USE: Final = Plan("use")
# Fields that stay with the body that is kept. hishel 2.0.0 would take them from a 304, and find no answer to
# update where a server's 304 has another tag or date than the one that we asked about and that it says holds.
_OF_THE_BODY: Final = frozenset({"etag", "last-modified", "content-md5"})
# Fields of the moment, which hishel 2.0.0 would let live on where a 304 has none of its own.
_OF_THE_MOMENT: Final = frozenset({"age", "date"})
# What must-understand asks for (RFC 9111 §5.2.2.3), which hishel 2.0.0 reads and passes over.
_KNOWN: Final = frozenset(HTTPStatus)
# What an origin says is only sent back to it where it makes no request that nobody takes (RFC 9110 §5.5; ours).
_SENDABLE: Final = re.compile(r"[\x20-\x7e]{1,1024}")
# A field that hishel 2.0.0 does not take over from a 304, though RFC 9111 §3.2 names no reason for a cache that
# keeps bodies as they came.
_UPDATED: Final = "content-type"
# hishel 2.0.0 goes by the names of the fields and by this one's value alone: what it decided for one answer holds
# for all that have the same, and it takes longer to decide than a card takes to be read.
_DECIDES: Final = "cache-control"
_Shape: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]


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
    told = _told(headers)
    stored = _freshened(kept, told) if renewed and kept else _storable(status, told)
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


def _told(headers: Headers) -> dict[str, list[str]]:
    """Return the fields of an answer that are for more than its connection (RFC 9111 §3.1).

    hishel 2.0.0 knows the names that are always for it; those that Connection lists are left to us.
    """
    names = listed(combined(headers, "connection"))
    told: dict[str, list[str]] = {}
    for name, value in headers:
        if (key := name.lower()) not in names:
            told.setdefault(key, []).append(value)
    return told


def _storable(status: int, told: dict[str, list[str]]) -> Headers | None:
    """Return the fields to store of an answer; None if it may not be stored (RFC 9111 §3)."""
    if "must-understand" in directives(_cache_control(told)) and status not in _KNOWN:
        return None
    names = _stored(status, _shape(told))
    return None if names is None else tuple((name, value) for name in names for value in told[name])


@lru_cache(maxsize=256)
def _stored(status: int, shape: _Shape) -> tuple[str, ...] | None:
    """Return the names of the fields to store; None if the answer may not be stored."""
    state = hishel.CacheMiss(request=_REQUEST, options=_OPTIONS).next(_response(status, shape, "new"))
    return tuple(state.response.headers) if isinstance(state, hishel.StoreAndUse) else None


def _freshened(kept: Kept, told: dict[str, list[str]]) -> Headers | None:
    """Return the kept fields brought up to date by those of a 304 (RFC 9111 §3.2, §4.3.4)."""
    news = {name: lines for name, lines in told.items() if name not in _OF_THE_BODY}
    old = _told(tuple(pair for pair in kept.headers if pair[0] not in _OF_THE_MOMENT))
    names = _merged(kept.status, _shape(old), _shape(news))
    if names is None:
        return None
    updated = tuple((name, value) for name, new in names for value in (news if new else old)[name])
    if _UPDATED not in told:
        return updated
    return tuple((name, value) for name, value in updated if name != _UPDATED) + tuple(
        (_UPDATED, value) for value in told[_UPDATED]
    )


@lru_cache(maxsize=256)
def _merged(status: int, kept: _Shape, news: _Shape) -> tuple[tuple[str, bool], ...] | None:
    """Return the names of the fields to keep, each with whether the 304's is the one."""
    state = hishel.NeedRevalidation(
        request=_REQUEST,
        original_request=_REQUEST,
        revalidating_entries=[hishel.Entry(_ID, _REQUEST, _response(status, kept, "kept"))],
        options=_OPTIONS,
    ).next(_response(304, news, "new"))
    if not isinstance(state, hishel.NeedToBeUpdated):
        return None
    fields = state.updating_entries[0].response.headers
    fresh = {name for name, _ in news}
    return tuple((name, name in fresh and (name == _DECIDES or fields[name] == "new")) for name in fields)


def _shape(fields: dict[str, list[str]]) -> _Shape:
    return tuple((name, tuple(lines) if name == _DECIDES else ()) for name, lines in fields.items())


def _response(status: int, shape: _Shape, value: str) -> hishel.Response:
    """Return an answer of a shape, with one value for every field that decides nothing."""
    return hishel.Response(status, hishel.Headers({name: list(lines) or [value] for name, lines in shape}))


def _cache_control(told: dict[str, list[str]]) -> str:
    return ", ".join(told.get(_DECIDES, ()))


def _not_to_store(headers: Headers) -> bool:
    """Whether no-store stands there, in whatever place.

    hishel 2.0.0 overlooks it in a request, and in an answer as `no-cache=a,no-store` or `no-store=1`.
    """
    return "no-store" in (combined(headers, "cache-control") or "").lower()


def _witnesses(request_headers: Headers, names: tuple[str, ...]) -> Headers:
    """Return the fields of the request that Vary names (RFC 9111 §4.1)."""
    return tuple((key, value) for name, value in request_headers if (key := name.lower()) in names)
