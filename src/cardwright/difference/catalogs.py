"""Comparator of whole catalogues: the table of the fields of a catalogue and of its entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.comparators import by, fields, fixed, keyed, names, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change
    from cardwright.difference.pair import Pair

_terms: Final = names("search-terms-changed", "search-terms-changed")
_trust: Final = fixed("trust-changed")
_ENTRY: Final = fields(
    {
        "identifier": fixed("entry-removed", "entry-added", "entry-removed"),
        "displayName": text,
        "description": text,
        "type": fixed("media-type-changed", fold=True),
        "url": fixed("address-changed"),
        "data": fixed("inline-document-changed"),
        "representativeQueries": _terms,
        "capabilities": _terms,
        "tags": _terms,
        "version": fixed("resource-version-changed"),
        "updatedAt": text,
        "metadata": text,
        "publisher": _trust,
        "trustManifest": _trust,
    }
)
_CATALOG: Final = fields(
    {
        "specVersion": text,
        "host": text,
        "metadata": text,
        "entries": keyed(
            _ENTRY,
            by("identifier", "version"),
            by("identifier"),
            by("url"),
            added="entry-added",
            removed="entry-removed",
        ),
    },
    text,
)


def catalog(pair: Pair) -> Iterator[Change]:
    """Compare two catalogues; entries match by identifier and version, then by identifier, then by URL."""
    yield from _CATALOG(type(pair)(_renamed(pair.old), _renamed(pair.new), pair.old_at, pair.new_at))


def _renamed(document: Any) -> Any:
    """Return a catalogue whose entries have `type` for the older field `mediaType`."""
    entries = document.get("entries") if type(document) is dict else None
    if type(entries) is not list:
        return document
    return {**document, "entries": [_with_type(entry) for entry in entries]}


def _with_type(entry: Any) -> Any:
    if type(entry) is not dict or "mediaType" not in entry:
        return entry
    return {
        "type": entry["mediaType"],
        **{name: value for name, value in entry.items() if name != "mediaType"},
    }
