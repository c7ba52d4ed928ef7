"""Which catalogue the components of a surface are from (A2UI 0.9, server_to_client.json)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

# A2UI 0.9, catalogs/basic/catalog.json: what the catalogue calls itself.
BASIC_CATALOGUE: Final = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
# What it called itself at the tag v0.9, where it lay elsewhere.
_BASIC: Final = frozenset({BASIC_CATALOGUE, "https://a2ui.org/specification/v0_9/basic_catalog.json"})


def same_catalogue(one: str, other: str) -> bool:
    """Whether two ids name one catalogue.

    An id need not be an address, so it is compared as text (A2UI 0.9, createSurface). Two differences mean
    nothing: an empty fragment (JSON Schema 2020-12 Core §9.2.1), and under which of its two ids the basic
    catalogue goes. A `/` at the end makes another id (RFC 3986 §6.2.3).

    >>> same_catalogue(BASIC_CATALOGUE, "https://a2ui.org/specification/v0_9/basic_catalog.json#")
    True
    """
    return _named(one) == _named(other)


def is_basic(catalogue: str) -> bool:
    """Whether an id names the basic catalogue."""
    return same_catalogue(catalogue, BASIC_CATALOGUE)


def catalogues_of(messages: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the catalogue of every surface that messages create, by the surface's id; the first one counts.

    >>> catalogues_of([{"version": "v0.9", "createSurface": {"surfaceId": "quay", "catalogId": "harbour:1"}}])
    {'quay': 'harbour:1'}
    """
    found: dict[str, str] = {}
    for message in messages:
        created = message.get("createSurface")
        if isinstance(created, Mapping):
            found.setdefault(created["surfaceId"], created["catalogId"])
    return found


def _named(catalogue: str) -> str:
    name = catalogue.removesuffix("#")
    return BASIC_CATALOGUE if name in _BASIC else name
