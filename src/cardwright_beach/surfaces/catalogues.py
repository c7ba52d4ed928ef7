"""Component catalogues of surfaces (A2UI 0.9, server_to_client.json)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

# A2UI 0.9, catalogs/basic/catalog.json: the id of the basic catalogue.
BASIC_CATALOGUE: Final = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
# The second id is the one at the tag v0.9.
_BASIC: Final = frozenset({BASIC_CATALOGUE, "https://a2ui.org/specification/v0_9/basic_catalog.json"})


def same_catalogue(one: str, other: str) -> bool:
    """Return whether two ids name the same catalogue.

    Ids are compared as text, because an id need not be an address (A2UI 0.9, createSurface). Two differences are
    ignored: an empty fragment (JSON Schema 2020-12 Core §9.2.1), and the two ids of the basic catalogue. A trailing
    `/` makes a different id (RFC 3986 §6.2.3).

    >>> same_catalogue(BASIC_CATALOGUE, "https://a2ui.org/specification/v0_9/basic_catalog.json#")
    True
    """
    return _canonical(one) == _canonical(other)


def is_basic(catalogue: str) -> bool:
    """Return whether an id names the basic catalogue."""
    return same_catalogue(catalogue, BASIC_CATALOGUE)


def catalogues_of(messages: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the catalogue of every created surface, by surface id; the first creation counts.

    >>> catalogues_of([{"version": "v0.9", "createSurface": {"surfaceId": "quay", "catalogId": "harbour:1"}}])
    {'quay': 'harbour:1'}
    """
    catalogues: dict[str, str] = {}
    for message in messages:
        created = message.get("createSurface")
        if isinstance(created, Mapping):
            catalogues.setdefault(created["surfaceId"], created["catalogId"])
    return catalogues


def _canonical(catalogue: str) -> str:
    name = catalogue.removesuffix("#")
    return BASIC_CATALOGUE if name in _BASIC else name
