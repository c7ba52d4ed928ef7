"""Where an agent's card may be found, in the order in which it is looked for (A2A 1.0 §8.2, §14.3)."""

from __future__ import annotations

from typing import Final

from cardwright.guard import Target, target_of

# A2A 0.3 and 1.0, Beach, BeeOS; then A2A 0.1 to 0.2.
WELL_KNOWN: Final = ("/.well-known/agent-card.json", "/.well-known/agent.json")


def given(url_or_origin: str) -> Target:
    """Read what a person names: a URL, or a host with or without a port, which means https.

    Raises:
        ConnectionDenied: If it is no URL that is dialled.
    """
    url = url_or_origin.strip()
    return target_of(url if "://" in url else f"https://{url}")


def is_exact(target: Target) -> bool:
    """Whether a URL is that of a card itself: its path ends in `.json` or is well-known, or it has a query."""
    path, _, query = target.path.partition("?")
    return bool(query) or path.endswith(".json") or "/.well-known/" in path


def candidates(target: Target, *, exact: bool | None = None) -> tuple[str, ...]:
    """Return the URLs at which a card is looked for, in their order.

    A card's own URL stands alone. Else both well-known names are looked for below the path, then at the
    origin: agents behind a path are lost by the one, agents that answer at the root alone by the other.

    Args:
        target: What was named.
        exact: Whether it is the card's own URL; told by its form where not given.

    >>> from cardwright.guard import target_of
    >>> candidates(target_of("https://example.com/weather"))[::2]
    ('https://example.com/weather/.well-known/agent-card.json', 'https://example.com/.well-known/agent-card.json')
    """
    if is_exact(target) if exact is None else exact:
        return (target.url,)
    base = target.path.partition("?")[0].rstrip("/")
    prefixes = (base, "") if base else ("",)
    return tuple(f"{target.origin}{prefix}{name}" for prefix in prefixes for name in WELL_KNOWN)


def base_of(candidate: str) -> str:
    """Return what stands before the well-known name of a candidate."""
    for name in WELL_KNOWN:
        if candidate.endswith(name):
            return candidate.removesuffix(name)
    return candidate


def key_of(url_or_origin: str) -> str:
    """Return the one spelling of a URL by which a peer is known: without a scheme https, an origin without a slash.

    >>> key_of("Travel.example.com"), key_of("https://travel.example.com:443/")
    ('https://travel.example.com', 'https://travel.example.com')

    Raises:
        ConnectionDenied: If it is no URL that is dialled.
    """
    target = given(url_or_origin)
    return target.origin if target.path == "/" else target.url
