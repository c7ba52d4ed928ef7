"""Comparator of whole catalogues: the table of the fields of a catalogue and of its entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.comparators import ChangeKind, by, fields, fixed, keyed, names, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change
    from cardwright.difference.pair import Pair

_ADDED: Final = ChangeKind("entry-added", "minor", "a new resource; the earlier ones still exist")
_REMOVED: Final = ChangeKind(
    "entry-removed", "major", "readers of the catalogue no longer find this resource"
)
_MOVED: Final = ChangeKind(
    "address-changed", "major", "readers that kept the earlier address do not find the resource"
)
_TYPE: Final = ChangeKind(
    "media-type-changed", "major", "readers that choose by media type no longer choose the resource"
)
_DATA: Final = ChangeKind(
    "inline-document-changed", "minor", "compare the documents themselves for what changed"
)
_FOUND: Final = ChangeKind(
    "search-terms-changed", "minor", "a search finds the resource by other words than before"
)
_TRUST: Final = ChangeKind("trust-changed", "major", "readers that verify the entry come to another result")
_VERSION: Final = ChangeKind(
    "resource-version-changed",
    "patch",
    "the resource has another version; its own document says what changed",
)

_terms: Final = names(_FOUND, _FOUND)
_trust: Final = fixed(_TRUST, added=_TRUST, removed=_TRUST)
_ENTRY: Final = fields(
    {
        "identifier": fixed(_REMOVED, added=_ADDED, removed=_REMOVED),
        "displayName": text,
        "description": text,
        "type": fixed(_TYPE, added=_TYPE, removed=_TYPE, fold=True),
        "url": fixed(_MOVED, added=_MOVED, removed=_MOVED),
        "data": fixed(_DATA, added=_DATA, removed=_DATA),
        "representativeQueries": _terms,
        "capabilities": _terms,
        "tags": _terms,
        "version": fixed(_VERSION, added=_VERSION, removed=_VERSION),
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
            _ENTRY, by("identifier", "version"), by("identifier"), by("url"), added=_ADDED, removed=_REMOVED
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
