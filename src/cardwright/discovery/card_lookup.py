"""Finding a card over HTTP: which candidate answers, and what of its answer is worth keeping."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from cardwright.discovery.candidates import base_of, candidates, given
from cardwright.errors import AccessDenied, BadAnswer, PeerTimeout
from cardwright.guard import MAX_BYTES, Answer, Timeouts, target_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.guard import GuardedClient, Headers

# A2A 1.0 §3.6.1: a client sends the version it speaks; the second is for agents that refuse the first.
VERSIONS: Final = ("1.0", "0.3")
ACCEPT: Final = "application/json, application/a2a-agent-card+json;q=0.9"
# RFC 9111 and provenance; the rest of a stranger's header is not kept.
KEPT: Final = frozenset({
    "age", "cache-control", "content-location", "content-type", "date", "etag", "expires", "last-modified",
    "pragma", "vary",
})  # fmt: skip
# interop.md §3: the agent may be somewhere else; any other answer is an answer.
_GO_ON: Final = frozenset({404, 410})
_SCHEME: Final = re.compile(r"(?:^|,)\s*([A-Za-z][A-Za-z0-9-]{0,30})(?=\s|,|$)")
# IANA's HTTP Authentication Schemes and two that are in use, lower case: whatever else stands in a challenge is a stranger's text.
_SCHEMES: Final = frozenset({
    "apikey", "basic", "bearer", "concealed", "digest", "dpop", "gnap", "hoba", "mutual", "negotiate", "ntlm", "oauth",
    "privatetoken", "scram-sha-1", "scram-sha-256", "vapid", "aws4-hmac-sha256",
})  # fmt: skip
# RFC 9110 §5.5: what a field may hold, without the bytes past ASCII that nobody agrees on; not too long (ours).
_PLAIN: Final = re.compile(r"[\t\x20-\x7e]{0,1024}")
# There are four candidates at most, and two versions: whoever is slow at each is not waited for (ours).
_LONGEST_SEARCH: Final = 30.0
_LONGEST_RETRY: Final = 24 * 3600.0


# How it is told of a 200 that is no JSON object.
_ANSWERS_WITH: Final = "it answers with"


@dataclass(frozen=True, slots=True)
class Question:
    """How a peer is asked for its card.

    Attributes:
        url: A card's URL, a base URL, an origin or a host.
        exact: Whether `url` is the card's own; told by its form where None.
        headers: Fields for its origin alone: what proves who is asking.
        configured: The origin that the operator wrote into a file, which may be dialled wherever it is.
        remembered: The candidate that answered last time; it is asked first.
        version: The `A2A-Version` that was answered last time.
        conditions: What makes the request conditional (RFC 9110 §13.1); sent to the remembered one alone.
        max_bytes: How much is read.
        timeouts: How long to wait for each answer.
        seconds: How long to wait for all of them together.
    """

    url: str
    exact: bool | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    configured: str | None = None
    remembered: str = ""
    version: str = ""
    conditions: tuple[tuple[str, str], ...] = ()
    max_bytes: int = MAX_BYTES
    timeouts: Timeouts | None = None
    seconds: float = _LONGEST_SEARCH


@dataclass(frozen=True, slots=True)
class CardLookup:
    """The answer that was found: a 200 whose body is a JSON object as far as one sees, or a 304.

    Attributes:
        answer: It, whole.
        candidate: The URL that was asked, before any redirect.
        version: The `A2A-Version` that was sent.
        tried: What was asked before, and what came of it, in words.
        asked_at: When it was asked, in seconds since the epoch.
        at: When it had come.
    """

    answer: Answer
    candidate: str
    version: str
    tried: tuple[str, ...]
    asked_at: float
    at: float

    @property
    def kept_headers(self) -> tuple[tuple[str, str], ...]:
        """The fields that caching and provenance need, names in lower case; no value that is not plain text."""
        return tuple(pair for pair in self.cache_headers if pair[0] in KEPT)

    @property
    def cache_headers(self) -> tuple[tuple[str, str], ...]:
        """Those, and the one that says which of them are for the connection alone (RFC 9110 §7.6.1)."""
        return tuple(
            (key, value)
            for name, value in self.answer.headers
            if ((key := name.lower()) in KEPT or key == "connection") and _PLAIN.fullmatch(value)
        )


async def find(client: GuardedClient, question: Question, *, clock: Callable[[], float]) -> CardLookup:
    """Ask the candidates of a peer one after another for its card.

    After 404, 410 and a 200 that is no JSON object the next one is asked; 401 and 403 are answers, and so
    is every other status.

    Raises:
        AccessDenied: If one answers 401 or 403.
        BadAnswer: `not-found` if nothing is there, `not-a-card` if what is there is none; `status` for any other status; and as the client.
        ConnectionDenied: If the guard refuses the URL or a redirect.
        PeerUnreachable: If no connection comes about.
        PeerTimeout: If it takes too long.
    """
    places = list(candidates(given(question.url), exact=question.exact))
    if question.remembered in places:
        # Where a peer was found before: another place's card would be another agent's.
        base = base_of(question.remembered)
        places = [
            question.remembered,
            *(one for one in places if base_of(one) == base and one != question.remembered),
        ]
    tried: list[str] = []
    shown = target_of(places[0]).shown
    try:
        async with asyncio.timeout(question.seconds):
            for place in places:
                found = await _asked(client, question, place, tried, clock)
                if found is not None:
                    return found
    except TimeoutError:
        raise PeerTimeout(shown, f"no card was found within {question.seconds:g} seconds") from None
    # Something is there, and it is no card: another thing than nothing.
    kind = "not-a-card" if any(f": {_ANSWERS_WITH}" in one for one in tried) else "not-found"
    if len(places) == 1:
        raise BadAnswer(shown, kind, tried[0].rpartition(": ")[2])
    told = "; ".join(tried)
    raise BadAnswer("", kind, f"no card was found: {told}")


async def _asked(
    client: GuardedClient, question: Question, place: str, tried: list[str], clock: Callable[[], float]
) -> CardLookup | None:
    """Ask one candidate; None if the next is to be asked."""
    conditions = question.conditions if place == question.remembered else ()
    versions = list(dict.fromkeys((question.version or VERSIONS[0], *VERSIONS)))
    for version in versions:
        asked_at = clock()
        answer = await client.get(
            place,
            headers={"Accept": ACCEPT, "A2A-Version": version, **dict(conditions)},
            credentials=question.headers,
            configured=question.configured,
            max_bytes=question.max_bytes,
            timeouts=question.timeouts,
        )
        if answer.status == 304 and conditions:
            return CardLookup(answer, place, version, tuple(tried), asked_at, clock())
        missing = _no_object(answer) if answer.status == 200 else ""
        if answer.status == 200 and not missing:
            return CardLookup(answer, place, version, tuple(tried), asked_at, clock())
        shown = target_of(place).shown
        if missing:
            tried.append(f"{shown}: {missing}")
            return None
        if answer.status in _GO_ON:
            tried.append(f"{shown}: it answers {answer.status}")
            return None
        # Another version may help where one is not supported: such agents answer 400 (interop.md §4).
        if answer.status != 400 or version == versions[-1]:
            raise _refusal(answer, shown, clock())
        tried.append(f"{shown}: it answers 400 to A2A-Version {version}")
    return None


def _no_object(answer: Answer) -> str:
    """Return what a 200 is instead of a JSON object, in words; "" if it may be one."""
    kind = (answer.headers.get("content-type") or "").partition(";")[0].strip().lower()
    if kind in ("text/html", "application/xhtml+xml"):
        return f"{_ANSWERS_WITH} a web page"
    # A byte-order mark is the decoder's to refuse.
    start = answer.body[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    whole = start.startswith(b"{") and answer.body[-64:].rstrip().endswith(b"}")
    return "" if whole else f"{_ANSWERS_WITH} no JSON object"


def _refusal(answer: Answer, shown: str, now: float) -> AccessDenied | BadAnswer:
    if answer.status in (401, 403):
        return AccessDenied(shown, answer.status, challenges(answer.headers))
    after = retry_after(answer.headers, now)
    return BadAnswer(shown, "status", f"it answers {answer.status}", status=answer.status, retry_after=after)


def challenges(headers: Headers) -> tuple[str, ...]:
    """Return what a 401 asks for, lower case, as far as it is known by name (RFC 9110 §11.6.1)."""
    challenge = headers.get("www-authenticate") or ""
    named = dict.fromkeys(one.lower() for one in _SCHEME.findall(challenge))
    return tuple(one for one in named if one in _SCHEMES)[:5]


def retry_after(headers: Headers, now: float) -> float | None:
    """Return how many seconds an answer asks to be left alone (RFC 9110 §10.2.3), at most a day."""
    text = headers.get("retry-after")
    if text is None:
        return None
    if text.isascii() and text.isdigit():
        return min(float(text[:9]), _LONGEST_RETRY)
    try:
        moment = parsedate_to_datetime(text)
        at = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return min(max(0.0, at.timestamp() - now), _LONGEST_RETRY)
    except (ValueError, OverflowError):
        return None
