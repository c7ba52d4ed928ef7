"""A2A 0.2 and 0.3: `url` and its companions, OpenAPI's security schemes; 0.3 asks for security on skills too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.conversion import authentication, extensions, interfaces, security
from cardwright.conversion.tables import lifted, tables

if TYPE_CHECKING:
    from cardwright.conversion.notes import Notes


def to_hub(document: dict[str, Any], notes: Notes, *, version: str, on_skills: bool) -> dict[str, Any]:
    """Return the hub's form of a card of one of these versions."""
    turn = tables(f"a2a-{version}", to_hub=True)
    hub = dict(turn.card(document, notes))
    interfaces.to_hub(document, hub, version, turn, notes)
    security.to_hub(document, hub, notes, on_skills=on_skills)
    authentication.to_hub(document, hub, notes)
    hub = extensions.lift_schemas(hub, notes)
    turn.settle(hub, notes)
    return hub


def from_hub(
    hub: dict[str, Any], notes: Notes, *, versions: tuple[str, ...], on_skills: bool
) -> dict[str, Any]:
    """Return the card of the first of some versions: of the hub's interfaces those that speak one of them."""
    name = f"a2a-{versions[0]}"
    hub = extensions.sunk(hub, notes)
    turn = tables(name, to_hub=False)
    out = dict(turn.card(hub, notes))
    interfaces.from_hub(hub, out, versions, turn, notes)
    security.from_hub(hub, out, notes, on_skills=on_skills)
    lifted(name, hub, out, notes)
    return out
