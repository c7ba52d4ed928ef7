"""The catalogues of a host: `/.well-known/ard.json` (ARD 0.91) and `/.well-known/ai-catalog.json` (AI Catalog 1.0)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.catalog_entries import entry_of
from cardwright.rewrite import endpoints

if TYPE_CHECKING:
    from cardwright.serve.forms import Forms


@dataclass(frozen=True, slots=True)
class Entry:
    """A public card: its id, the path below which it is served, and its forms."""

    card_id: str
    prefix: str
    forms: Forms


def catalogue_entry(entry: Entry, base_url: str | None) -> dict[str, Any]:
    """Return the entry of a card in the catalogues.

    With a base URL it has the URL of the card. Without one it contains the card itself, since a catalogue may be read
    without knowing its host; the publisher is then the host of the agent's first endpoint.
    """
    card = next(iter(entry.forms.by_version.values()), entry.forms.default).card
    if base_url is None:
        endpoint = next((url for _, url in endpoints(card)), "")
        return entry_of(card, publisher=endpoint, name=entry.card_id)
    url = f"{base_url}{entry.prefix}/.well-known/agent-card.json"
    # A request without a version would get a Beach or MCP card in its own dialect.
    newest = entry.forms.default.card.dialect.family != "a2a" and next(iter(entry.forms.by_version), None)
    url = f"{url}?A2A-Version={newest}" if newest else url
    return entry_of(card, publisher=base_url, name=entry.card_id, url=url)
