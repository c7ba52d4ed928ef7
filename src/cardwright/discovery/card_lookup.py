"""Lookup of a card over HTTP: try the candidates, and select the header fields to store."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field, replace
from datetime import UTC
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import TYPE_CHECKING, Final

import orjson

from cardwright.canonical import Limits
from cardwright.catalog_entries import inline_card
from cardwright.discovery.candidates import base_of, candidates, given
from cardwright.discovery.fuller_form import is_fuller
from cardwright.errors import AccessDenied, BadResponse, PeerError, PeerTimeout
from cardwright.guard import MAX_BYTES, Response, Timeouts, target_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cardwright.guard import GuardedClient, Headers

# A2A 1.0 §3.6.1: a client sends its version; the others, of which the last means no header, are for agents that reject
# it with a card.
VERSIONS: Final = ("1.0", "0.3", "")
ACCEPT: Final = "application/json, application/a2a-agent-card+json;q=0.9"
# Fields for RFC 9111 and provenance; the other header fields are not stored.
STORED_FIELDS: Final = frozenset({
    "age", "cache-control", "content-location", "content-type", "date", "etag", "expires", "last-modified",
    "pragma", "vary",
})  # fmt: skip
# There is no card here: try the next candidate (project decision). Every other status is final.
_NEXT_CANDIDATE: Final = frozenset({404, 410})
_SCHEME: Final = re.compile(r"(?:^|,)\s*([A-Za-z][A-Za-z0-9-]{0,30})(?=\s|,|$)")
# IANA's HTTP Authentication Schemes and two in common use, lower case: other text in a challenge is untrusted.
_SCHEMES: Final = frozenset({
    "apikey", "basic", "bearer", "concealed", "digest", "dpop", "gnap", "hoba", "mutual", "negotiate", "ntlm", "oauth",
    "privatetoken", "scram-sha-1", "scram-sha-256", "vapid", "aws4-hmac-sha256",
})  # fmt: skip
# RFC 9110 §5.5: the content of a field, without non-ASCII bytes; the length is a project decision.
_PLAIN: Final = re.compile(r"[\t\x20-\x7e]{0,1024}")
# At most four candidates and two versions: the time limit for all of them (project decision).
_MAX_SEARCH_SECONDS: Final = 30.0
_MAX_RETRY_SECONDS: Final = 24 * 3600.0


# The start of the reason for a 200 response that is not a card.
_EXPECTED: Final = "expected a JSON object, found"


@dataclass(frozen=True, slots=True)
class CardQuery:
    """A request for the card of a peer.

    Attributes:
        url: A card's URL, a base URL, an origin or a host.
        exact: Whether `url` is the card's URL; None: derive it from the form of the URL.
        headers: Header fields for its origin only: credentials.
        configured: The origin from the operator's file; connections to it are allowed at any address.
        remembered: The candidate of the last success; it is tried first.
        version: The `A2A-Version` of the last success, "" for none; None if it is not known.
        conditions: Conditional header fields (RFC 9110 §13.1); sent only to the remembered candidate.
        max_bytes: The maximum size of the response.
        timeouts: The limits for each response.
        seconds: The time limit for all responses together.
    """

    url: str
    exact: bool | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    configured: str | None = None
    remembered: str = ""
    version: str | None = None
    conditions: tuple[tuple[str, str], ...] = ()
    max_bytes: int = MAX_BYTES
    timeouts: Timeouts | None = None
    seconds: float = _MAX_SEARCH_SECONDS


@dataclass(frozen=True, slots=True)
class CardLookup:
    """Result of a lookup: a 200 response whose body looks like a JSON object, or a 304.

    Attributes:
        answer: The response.
        candidate: The requested URL, before redirects.
        version: The `A2A-Version` that was sent; "" for none.
        tried: The earlier requests and their results, as text.
        requested_at: The time of the request, in seconds since the epoch.
        at: The time of the response.
    """

    answer: Response
    candidate: str
    version: str
    tried: tuple[str, ...]
    requested_at: float
    at: float

    @property
    def stored_headers(self) -> tuple[tuple[str, str], ...]:
        """The header fields for caching and provenance, names in lower case; only values in plain text."""
        return tuple(pair for pair in self.cache_headers if pair[0] in STORED_FIELDS)

    @property
    def cache_headers(self) -> tuple[tuple[str, str], ...]:
        """These fields, and `Connection`, which names fields of the connection only (RFC 9110 §7.6.1)."""
        return tuple(
            (key, value)
            for name, value in self.answer.headers
            if ((key := name.lower()) in STORED_FIELDS or key == "connection") and _PLAIN.fullmatch(value)
        )


def version_fields(version: str) -> dict[str, str]:
    """Return the header field for a version; none for ""."""
    return {"A2A-Version": version} if version else {}


async def find(client: GuardedClient, question: CardQuery, *, clock: Callable[[], float]) -> CardLookup:
    """Request the candidates of a peer one after another until one has a card.

    The next candidate is tried after 404, 410 and a 200 that is not JSON; every other status is
    final, also 401 and 403. An agent whose card depends on the version, as `Vary` says, is also asked without a
    version, unless it is known which one to ask for; the form with the most of the card wins.

    Raises:
        AccessDenied: If a response is 401 or 403.
        BadResponse: `not-found` if there is nothing, or no entry with the identifier in the fragment, `not-a-card` if no response is a card; `status` for any other status; and as the client.
        ConnectionDenied: If the guard denies the URL or a redirect.
        PeerUnreachable: If the connection fails.
        PeerTimeout: If a limit is reached.
    """
    urls = list(candidates(given(question.url), exact=question.exact))
    if question.remembered in urls:
        # Only below the same base: another base may have the card of another agent.
        base = base_of(question.remembered)
        urls = [
            question.remembered,
            *(one for one in urls if base_of(one) == base and one != question.remembered),
        ]
    tried: list[str] = []
    safe_url = target_of(urls[0]).safe_url
    until = monotonic() + question.seconds
    try:
        for url in urls:
            lookup = await _try_candidate(client, question, url, tried, clock, until)
            if lookup is not None:
                return entry_of(question.url, await _fullest(client, question, lookup, clock, until))
    except PeerTimeout:
        if monotonic() < until:
            raise
        raise PeerTimeout(safe_url, f"no card found within {question.seconds:g} seconds") from None
    # A response that is not a card differs from no response.
    kind = "not-a-card" if any(f": {_EXPECTED}" in one for one in tried) else "not-found"
    if len(urls) == 1:
        raise BadResponse(safe_url, kind, tried[0].rpartition(": ")[2])
    attempts = "; ".join(tried)
    raise BadResponse("", kind, f"no card found: {attempts}")


async def _try_candidate(
    client: GuardedClient,
    question: CardQuery,
    url: str,
    tried: list[str],
    clock: Callable[[], float],
    until: float,
) -> CardLookup | None:
    """Request one candidate; return None to try the next."""
    conditions = question.conditions if url == question.remembered else ()
    preferred = VERSIONS[0] if question.version is None else question.version
    versions = list(dict.fromkeys((preferred, *VERSIONS)))
    for version in versions:
        requested_at = clock()
        answer = await _request(client, question, url, version, until, conditions)
        if answer.status == 304 and conditions:
            return CardLookup(answer, url, version, tuple(tried), requested_at, clock())
        reason = _not_object(answer) if answer.status == 200 else ""
        if answer.status == 200 and not reason:
            return CardLookup(answer, url, version, tuple(tried), requested_at, clock())
        safe_url = target_of(url).safe_url
        if reason:
            tried.append(f"{safe_url}: {reason}")
            return None
        if answer.status in _NEXT_CANDIDATE:
            tried.append(f"{safe_url}: HTTP {answer.status}")
            return None
        # Agents respond with 400 to an unsupported version: try the other one (observed with servers of a2a-sdk).
        if answer.status != 400 or version == versions[-1]:
            raise _status_error(answer, safe_url, clock())
        tried.append(f"{safe_url}: HTTP 400 to A2A-Version {version or '(none)'}")
    return None


async def _fullest(
    client: GuardedClient, question: CardQuery, lookup: CardLookup, clock: Callable[[], float], until: float
) -> CardLookup:
    """Return the response without a version if it has as much of the card as the one with a version, or more."""
    depends = {name.strip().lower() for name in (lookup.answer.headers.get("vary") or "").split(",")}
    if question.version is not None or not lookup.version or "a2a-version" not in depends:
        return lookup
    requested_at = clock()
    try:
        answer = await _request(client, question, lookup.candidate, "", until)
    except PeerError:
        return lookup
    if answer.status != 200 or answer.body == lookup.answer.body or _not_object(answer):
        return lookup
    limits = Limits(max_bytes=question.max_bytes)
    if await asyncio.to_thread(is_fuller, lookup.answer.body, answer.body, limits):
        return lookup
    return CardLookup(answer, lookup.candidate, "", lookup.tried, requested_at, clock())


async def _request(
    client: GuardedClient,
    question: CardQuery,
    url: str,
    version: str,
    until: float,
    conditions: Iterable[tuple[str, str]] = (),
) -> Response:
    timeouts = question.timeouts or client.timeouts
    left = max(0.0, until - monotonic())
    if timeouts.total is None or left < timeouts.total:
        timeouts = replace(timeouts, total=left)
    return await client.get(
        url,
        headers={"Accept": ACCEPT, **version_fields(version), **dict(conditions)},
        credentials=question.headers,
        configured=question.configured,
        max_bytes=question.max_bytes,
        timeouts=timeouts,
    )


def entry_of(key: str, lookup: CardLookup) -> CardLookup:
    """Return the card in a catalogue whose entry has the key's fragment as identifier; else the lookup unchanged.

    Raises:
        BadResponse: `not-found` if the catalogue has no such entry.
    """
    _, _, identifier = key.partition("#")
    if not identifier.startswith("urn:") or lookup.answer.status != 200:
        return lookup
    card = inline_card(lookup.answer.body, identifier)
    if card is None:
        raise BadResponse(key, "not-found", "the catalogue has no such entry with a card in it")
    return replace(lookup, answer=replace(lookup.answer, body=orjson.dumps(card)))


def _not_object(answer: Response) -> str:
    """Return the reason why a 200 response is not meant as a card; "" if it is JSON, or begins like an object."""
    kind = (answer.headers.get("content-type") or "").partition(";")[0].strip().lower()
    # The decoder reports a byte-order mark. A broken card is an answer, too: the next place may be another agent's.
    start = answer.body[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    if kind in ("text/html", "application/xhtml+xml") or start.startswith(b"<"):
        return f"{_EXPECTED} a web page"
    is_json = kind == "application/json" or kind.endswith("+json") or start.startswith(b"{")
    return "" if is_json else f"{_EXPECTED} something else"


def _status_error(answer: Response, safe_url: str, now: float) -> AccessDenied | BadResponse:
    if answer.status in (401, 403):
        return AccessDenied(safe_url, answer.status, challenges(answer.headers))
    after = retry_after(answer.headers, now)
    return BadResponse(safe_url, "status", f"HTTP {answer.status}", status=answer.status, retry_after=after)


def challenges(headers: Headers) -> tuple[str, ...]:
    """Return the known authentication schemes of a 401 response, lower case (RFC 9110 §11.6.1)."""
    challenge = headers.get("www-authenticate") or ""
    schemes = dict.fromkeys(one.lower() for one in _SCHEME.findall(challenge))
    return tuple(one for one in schemes if one in _SCHEMES)[:5]


def retry_after(headers: Headers, now: float) -> float | None:
    """Return the seconds to wait before a retry (RFC 9110 §10.2.3), at most a day, or None."""
    text = headers.get("retry-after")
    if text is None:
        return None
    if text.isascii() and text.isdigit():
        return min(float(text[:9]), _MAX_RETRY_SECONDS)
    try:
        moment = parsedate_to_datetime(text)
        at = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return min(max(0.0, at.timestamp() - now), _MAX_RETRY_SECONDS)
    except (ValueError, OverflowError):
        return None
