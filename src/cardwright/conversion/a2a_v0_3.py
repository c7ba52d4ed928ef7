"""A2A 0.3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion import older, security
from cardwright.conversion.tables import tables

if TYPE_CHECKING:
    from cardwright.conversion.notes import Notes

NAME: Final = "a2a-0.3"
VERSION: Final = "0.3"


def to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of an A2A 0.3 card."""
    return older.to_hub(document, notes, version=VERSION, on_skills=True)


def from_hub(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the A2A 0.3 card of a hub, with the interfaces of this version."""
    hub = security.complete(hub, notes, tables(NAME, to_hub=False).lost("OAuthFlows"))
    return older.from_hub(hub, notes, versions=(VERSION,), on_skills=True)
