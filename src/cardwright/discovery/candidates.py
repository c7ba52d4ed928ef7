"""URLs at which a card may be found, in the order of the lookup (A2A 1.0 §8.2, §14.3)."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from cardwright.guard import Target, target_of
from cardwright_models.a2a_facts import CARD_PATHS
from cardwright_runtime.engine import load

if TYPE_CHECKING:
    from collections.abc import Iterator


def given(url_or_origin: str) -> Target:
    """Parse a URL, or a host with or without a port, which means https.

    Raises:
        ConnectionDenied: If requests to the URL are not allowed.
    """
    url = url_or_origin.strip()
    return target_of(url if "://" in url else f"https://{url}")


def origin_of(url: str) -> str | None:
    """Return the origin of a URL; None for one that is not of HTTP."""
    return target_of(url).origin if url.startswith(("http:", "https:")) else None


def is_exact(target: Target) -> bool:
    """Whether a URL is that of a document: its path ends in `.json` or `/server-card`, or is well-known, or it has a query."""
    path, _, query = target.path.partition("?")
    return bool(query) or path.endswith((".json", "/server-card")) or "/.well-known/" in path


def candidates(target: Target, *, exact: bool | None = None) -> tuple[str, ...]:
    """Return the candidate URLs of a card, in their order.

    The URL of a card is the only candidate. Else these are both well-known paths below the given path, then
    both at the origin: some agents serve the card only below their path, others only at the root. A platform that keeps
    cards elsewhere is known by the path of its agents (schemas/places.json).

    Args:
        target: The given URL.
        exact: Whether it is the card's URL; None: derive it from the form of the URL.

    >>> from cardwright.guard import target_of
    >>> candidates(target_of("https://example.com/weather"))[::2]
    ('https://example.com/weather/.well-known/agent-card.json', 'https://example.com/.well-known/agent-card.json')
    >>> candidates(target_of("https://kibana.example.com/api/agent_builder/a2a/elastic-ai-agent"))[0]
    'https://kibana.example.com/api/agent_builder/a2a/elastic-ai-agent.json'
    """
    if is_exact(target) if exact is None else exact:
        return (target.url,)
    base = target.path.partition("?")[0].rstrip("/")
    prefixes = (base, "") if base else ("",)
    known = (f"{target.origin}{prefix}{name}" for prefix in prefixes for name in CARD_PATHS)
    return (
        *_of_platforms(target.origin, base, after=False),
        *known,
        *_of_platforms(target.origin, base, after=True),
    )


def _of_platforms(origin: str, path: str, *, after: bool) -> Iterator[str]:
    """Yield the URLs at which a platform keeps the card of an agent at a path."""
    for pattern, cards, is_after in _places():
        match = pattern.search(path) if is_after is after else None
        if match is not None:
            url = f"{origin}{path}"
            known = {"origin": origin, "url": url, "agent": url.removesuffix("/a2a")}
            yield from (card.format_map({**known, **match.groupdict()}) for card in cards)


@cache
def _places() -> tuple[tuple[re.Pattern[str], tuple[str, ...], bool], ...]:
    return tuple(
        (re.compile(place["path"]), tuple(place["cards"]), place["after"])
        for place in load("cardwright_rules", "platforms.json")["places"]
    )


def base_of(candidate: str) -> str:
    """Return the part of a candidate before the well-known path."""
    for name in CARD_PATHS:
        if candidate.endswith(name):
            return candidate.removesuffix(name)
    return candidate


def key_of(url_or_origin: str) -> str:
    """Return the normal form of a peer's URL: https by default, an origin without a slash.

    A fragment stays. It is never sent (RFC 9110 §7.1), so it can tell peers with one URL from each other.

    >>> key_of("Travel.example.com"), key_of("https://travel.example.com:443/#b")
    ('https://travel.example.com', 'https://travel.example.com#b')

    Raises:
        ConnectionDenied: If requests to the URL are not allowed.
    """
    target = given(url_or_origin)
    fragment = url_or_origin.strip().partition("#")[2]
    return (target.origin if target.path == "/" else target.url) + (f"#{fragment}" if fragment else "")
