"""Move the endpoints of a card under a public base URL."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import SplitResult, urlsplit

from cardwright.conversion.notes import value_at
from cardwright.errors import CardError
from cardwright.hosts import is_loopback
from cardwright_runtime.checks import objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card

_LOOPBACK_RULE: Final = "url/loopback-host"
_SCHEMES: Final = {"http": 80, "https": 443}
# The endpoints of a card, the main one first: a list of objects and a field of them, or a field of the card.
_PLACES: Final = (
    ("supportedInterfaces", "url"),
    (None, "url"),
    ("additionalInterfaces", "url"),
    ("transports", "endpoint"),
)


class BadBaseURL(CardError):
    """A base URL is not valid for the endpoints of a card; the message describes a valid one."""


def check_base_url(base_url: str) -> str:
    """Return a base URL without a trailing slash.

    Raises:
        BadBaseURL: If it is not an http or https URL with a host, or has user information, query or fragment.
    """
    parts = _split(base_url)
    if parts is None or parts.query or parts.fragment or "@" in parts.netloc:
        raise BadBaseURL(
            "invalid base URL: use http or https, a host and perhaps a path, such as https://agents.example.com/travel"
        )
    return base_url.rstrip("/")


def with_base_url(card: Card, base_url: str) -> Card:
    """Return the card with the endpoints that have the origin of its first endpoint moved below a base URL.

    The base URL replaces the origin, and its path is put before the endpoint's path. Endpoints that are
    already below the base, or at another origin, do not change; token, OpenID and documentation URLs do
    not either. The card itself is not changed.

    Raises:
        BadBaseURL: If the base URL is not valid.
    """
    base = check_base_url(base_url)
    first = next((split for _, _, url in _endpoints(card.document) if (split := _split(url))), None)
    if first is None:
        return card
    moved = {
        url: to
        for _, _, url in _endpoints(card.document)
        if (split := _split(url))
        and _origin(split) == _origin(first)
        and (to := _below(base, url, split)) != url
    }
    if not moved:
        return card
    document = dict(card.document)
    for place, name in _PLACES:
        if place is None:
            if type(url := document.get(name)) is str:
                document[name] = moved.get(url, url)
        elif type(items := document.get(place)) is list:
            document[place] = [_moved(item, name, moved) for item in items]
    return card.of_parts(document, card.dialect)


def below_base_url(url: str, base_url: str) -> str | None:
    """Return a URL with the base URL in place of its origin; None if it is not an http or https URL with a host.

    >>> below_base_url("http://localhost:9000/a2a?v=1", "https://agents.example.com/travel")
    'https://agents.example.com/travel/a2a?v=1'
    """
    split = _split(url)
    return _below(base_url, url, split) if split else None


def endpoints(card: Card) -> list[tuple[str, str]]:
    """Return (pointer, URL) of each endpoint of a card that is text, the main one first."""
    return [
        (f"/{place}/{index}/{name}" if place else f"/{name}", url)
        for (place, name), index, url in _endpoints(card.document)
    ]


def seen_from(card: Card, place: str) -> Card:
    """Return a card without the warnings that its endpoints are on this machine, if the card itself is there.

    The same holds for its other URLs at the origin of the card, such as that of the provider.

    Args:
        card: The card.
        place: The URL that the card is read from; a reader there reaches these endpoints, too.
    """
    split = _split(place)
    if split is None or not is_loopback(split.hostname or ""):
        return card
    at = {pointer for pointer, _ in endpoints(card)}
    found = card.violations
    kept = tuple(
        one
        for one in found
        if one.rule != _LOOPBACK_RULE
        or not (one.pointer in at or _is_at(card.document, one.pointer, _origin(split)))
    )
    return card if len(kept) == len(found) else replace(card, violations=kept)


def _is_at(document: dict[str, Any], pointer: str, origin: object) -> bool:
    """Whether the URL at a pointer has an origin."""
    found = value_at(document, pointer)
    split = _split(found[0]) if found and type(found[0]) is str else None
    return split is not None and _origin(split) == origin


def _endpoints(document: dict[str, Any]) -> Iterator[tuple[tuple[str | None, str], int, str]]:
    for place, name in _PLACES:
        holders = [document] if place is None else document.get(place)
        for index, holder in objects(holders):
            if type(holder.get(name)) is str:
                yield (place, name), index, holder[name]


def _moved(item: Any, name: str, moved: dict[str, str]) -> Any:
    url = item.get(name) if type(item) is dict else None
    return {**item, name: moved[url]} if type(url) is str and url in moved else item


def _below(base: str, url: str, split: SplitResult) -> str:
    public = urlsplit(base)
    path = public.path.rstrip("/")
    if _origin(split) == _origin(public) and (split.path == path or split.path.startswith(f"{path}/")):
        return url
    rest = split._replace(scheme="", netloc="").geturl()
    return f"{base}{rest if rest.startswith('/') or not rest else f'/{rest}'}"


def _split(url: str) -> SplitResult | None:
    """Return the parts of an http or https URL with a host; None otherwise."""
    if not url.isascii() or any(c <= " " or c in "\\\x7f" for c in url):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    return parts if parts.scheme in _SCHEMES and parts.hostname and port != 0 else None


def _origin(parts: SplitResult) -> tuple[str, str | None, int]:
    return parts.scheme, parts.hostname, parts.port or _SCHEMES[parts.scheme]
