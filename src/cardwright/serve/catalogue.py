"""The catalog of the agents of a host: `/.well-known/ai-catalog.json` (AI Catalog 1.0)."""

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
    """A public card: its id, the path below which it is served, and its forms."""

    card_id: str
    prefix: str
    forms: Forms


def catalogue(entries: Sequence[Entry], base_url: str | None) -> dict[str, Any]:
    """Return the catalog as a JSON value.

    With a base URL, each entry has the URL of its card. Without one it contains the card itself, since a catalog may be
    read without knowing its host. The field `type` is named as in ADR 0014 of the specification.
    """
    return {"specVersion": "1.0", "entries": [_entry(entry, base_url) for entry in entries]}


def _entry(entry: Entry, base_url: str | None) -> dict[str, Any]:
    card = next(iter(entry.forms.by_version.values()), entry.forms.default).card
    summary = outline(card)
    url = f"{base_url}{entry.prefix}/.well-known/agent-card.json" if base_url else None
    endpoint = next((url for _, url in endpoints(card)), f"urn:agent-card:{card.digest}")
    # An identifier must be unique, and two agents may share an endpoint.
    own = f"{endpoint}#{entry.card_id}" if entry.card_id else endpoint
    fields: dict[str, Any] = {
        "identifier": url or own,
        "displayName": summary.name,
        "type": CARD_TYPE,
        "description": summary.description,
        "version": summary.version,
    }
    present = {name: value for name, value in fields.items() if value}
    if url is None:
        return {**present, "data": card.document}
    # A request without a version would get a Beach or MCP card in its own dialect.
    newest = entry.forms.default.card.dialect.family != "a2a" and next(iter(entry.forms.by_version), None)
    return {**present, "url": f"{url}?A2A-Version={newest}" if newest else url}
