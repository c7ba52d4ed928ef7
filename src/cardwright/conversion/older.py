"""A2A 0.2 and 0.3: `url` and its companions, and OpenAPI's security schemes; 0.3 also has security on skills."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion import authentication, extensions, interfaces, security
from cardwright.conversion.tables import lifted, tables

if TYPE_CHECKING:
    from cardwright.conversion.notes import Notes


@dataclass(frozen=True, slots=True)
class Older:
    """The conversion of cards of one of these versions; `on_skills`: whether skills have security requirements."""

    version: str
    on_skills: bool

    def to_hub(self, document: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the hub's form of a card."""
        converter = tables(f"a2a-{self.version}", to_hub=True)
        hub = dict(converter.card(document, notes))
        interfaces.to_hub(document, hub, self.version, converter, notes)
        security.to_hub(document, hub, notes, on_skills=self.on_skills)
        authentication.to_hub(document, hub, notes)
        hub = extensions.lift_schemas(hub, notes)
        converter.settle(hub, notes)
        return hub

    def from_hub(self, hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the card of a hub, with the interfaces of this version."""
        lost = tables(f"a2a-{self.version}", to_hub=False).lost("OAuthFlows")
        return from_hub(
            security.complete(hub, notes, lost), notes, versions=(self.version,), on_skills=self.on_skills
        )


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


V0_2: Final = Older("0.2", on_skills=False)
V0_3: Final = Older("0.3", on_skills=True)
