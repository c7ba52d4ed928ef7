"""A2A 0.2: `url` and its companions, OpenAPI's security schemes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion import authentication, extensions, interfaces, security
from cardwright.conversion.tables import lifted, tables

if TYPE_CHECKING:
    from cardwright.conversion.notes import Notes

NAME: Final = "a2a-0.2"
VERSION: Final = "0.2"


def to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of an A2A 0.2 card."""
    turn = tables(NAME, to_hub=True)
    hub = dict(turn.card(document, notes))
    interfaces.to_hub(document, hub, VERSION, turn, notes)
    security.to_hub(document, hub, notes, on_skills=False)
    authentication.to_hub(document, hub, notes)
    hub = extensions.lift_schemas(hub, notes)
    turn.settle(hub, notes)
    return hub


def from_hub(hub: dict[str, Any], notes: Notes, *, versions: tuple[str, ...] = (VERSION,)) -> dict[str, Any]:
    """Return the A2A 0.2 card of a hub: of its interfaces those that speak one of these versions."""
    hub = extensions.sunk(hub, notes)
    turn = tables(NAME, to_hub=False)
    out = dict(turn.card(hub, notes))
    interfaces.from_hub(hub, out, versions, turn, notes)
    security.from_hub(hub, out, notes, on_skills=False)
    lifted(NAME, hub, out, notes)
    return out
