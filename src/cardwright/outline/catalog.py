"""Outline of catalogues: the entries and the operator as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.outline.fields import prose, text, words
from cardwright.outline.parts import stated
from cardwright.view.fields import items
from cardwright_runtime.identifiers import publisher_of

if TYPE_CHECKING:
    from cardwright.card import Catalog
    from cardwright.outline.parts import Facts


@dataclass(frozen=True, slots=True)
class EntryOutline:
    """One entry of a catalogue; every text is one printable line, only `prose` has several.

    Attributes:
        type: The media type of the resource's own description.
        address: The URL of that description, or `inline`.
        publisher: The domain of the publisher in the identifier, or "".
        queries: The representative queries.
        data: The inline description, or None.
    """

    name: str
    identifier: str
    type: str
    address: str
    publisher: str
    version: str
    prose: str
    tags: tuple[str, ...]
    queries: tuple[str, ...]
    data: Any


@dataclass(frozen=True, slots=True)
class CatalogOutline:
    """The information of a catalogue as text: the name of its operator, other facts, its entries, the evidence."""

    name: str
    facts: Facts
    entries: tuple[EntryOutline, ...]
    recognised: str


def catalog_outline(catalog: Catalog) -> CatalogOutline:
    """Return the outline of a catalogue; values of an unexpected shape are skipped."""
    document, detection = catalog.document, catalog.detection
    return CatalogOutline(
        name=text(document, "host", "displayName"),
        facts=stated(
            ("operator", text(document, "host", "identifier")),
            ("documentation", text(document, "host", "documentationUrl")),
            ("specification version", text(document, "specVersion")),
        ),
        entries=tuple(_entry(entry) for entry in items(document, "entries") if isinstance(entry, dict)),
        recognised="; ".join(detection.evidence) if detection else "dialect given by the caller",
    )


def _entry(entry: dict[str, Any]) -> EntryOutline:
    return EntryOutline(
        name=text(entry, "displayName"),
        identifier=text(entry, "identifier"),
        type=text(entry, "type") or text(entry, "mediaType"),
        address=text(entry, "url") or ("inline" if "data" in entry else ""),
        publisher=publisher_of(entry.get("identifier")) or "",
        version=text(entry, "version"),
        prose=prose(entry.get("description")),
        tags=tuple(words(tag) for tag in items(entry, "tags")),
        queries=tuple(words(query) for query in items(entry, "representativeQueries")),
        data=entry.get("data"),
    )
