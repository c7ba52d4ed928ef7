"""The catalogue of the agents of a host: `/.well-known/ai-catalog.json` (AI Catalog 1.0)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.outline import outline
from cardwright.rewrite import endpoints

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.serve.forms import Forms

CATALOGUE_PATH: Final = "/.well-known/ai-catalog.json"
CATALOGUE_TYPE: Final = "application/ai-catalog+json"
CARD_TYPE: Final = "application/a2a-agent-card+json"


@dataclass(frozen=True, slots=True)
class Entry:
    """A card that everyone may see: its id, the path below which it is served, its forms."""

    card_id: str
    prefix: str
    forms: Forms


def catalogue(entries: Sequence[Entry], base_url: str | None) -> dict[str, Any]:
    """Return the catalogue as a JSON value.

    With a base URL each entry tells where its card is; without one it holds the card itself, since a
    catalogue is read away from its host. The type is told as ADR 0014 of the specification names it.
    """
    return {"specVersion": "1.0", "entries": [_entry(entry, base_url) for entry in entries]}


def _entry(entry: Entry, base_url: str | None) -> dict[str, Any]:
    card = next(iter(entry.forms.by_version.values()), entry.forms.default).card
    told = outline(card)
    url = f"{base_url}{entry.prefix}/.well-known/agent-card.json" if base_url else None
    endpoint = next((url for _, url in endpoints(card)), f"urn:agent-card:{card.digest}")
    # Two agents may share an endpoint, and an identifier is one agent's.
    own = f"{endpoint}#{entry.card_id}" if entry.card_id else endpoint
    written: dict[str, Any] = {
        "identifier": url or own,
        "displayName": told.name,
        "type": CARD_TYPE,
        "description": told.description,
        "version": told.version,
    }
    shown = {name: value for name, value in written.items() if value}
    if url is None:
        return {**shown, "data": card.document}
    # Without a version, a card that was written in another dialect is served as it was written.
    newest = entry.forms.default.card.dialect.family != "a2a" and next(iter(entry.forms.by_version), None)
    return {**shown, "url": f"{url}?A2A-Version={newest}" if newest else url}
