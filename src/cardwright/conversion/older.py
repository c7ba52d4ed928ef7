"""A2A 0.2 and 0.3: `url` and its companions, and OpenAPI's security schemes; 0.3 also has security on skills."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.conversion import authentication, extensions, interfaces, security
from cardwright.conversion.tables import lifted, tables

if TYPE_CHECKING:
    from cardwright.conversion.notes import Notes


def to_hub(document: dict[str, Any], notes: Notes, *, version: str, on_skills: bool) -> dict[str, Any]:
    """Return the hub's form of a card of one of these versions."""
    converter = tables(f"a2a-{version}", to_hub=True)
    hub = dict(converter.card(document, notes))
    interfaces.to_hub(document, hub, version, converter, notes)
    security.to_hub(document, hub, notes, on_skills=on_skills)
    authentication.to_hub(document, hub, notes)
    hub = extensions.lift_schemas(hub, notes)
    converter.settle(hub, notes)
    return hub


def from_hub(
    hub: dict[str, Any], notes: Notes, *, versions: tuple[str, ...], on_skills: bool
) -> dict[str, Any]:
    """Return the card of the first of some versions, with the hub's interfaces of these versions."""
    name = f"a2a-{versions[0]}"
    hub = extensions.sunk(hub, notes)
    converter = tables(name, to_hub=False)
    out = dict(converter.card(hub, notes))
    interfaces.from_hub(hub, out, versions, converter, notes)
    security.from_hub(hub, out, notes, on_skills=on_skills)
    lifted(name, hub, out, notes)
    return out
