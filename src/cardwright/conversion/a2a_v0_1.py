"""A2A 0.1: one URL, JSON-RPC, and security by the names of schemes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion import a2a_v0_2, authentication, extensions, interfaces, security
from cardwright.conversion.notes import below
from cardwright.conversion.tables import tables

if TYPE_CHECKING:
    from cardwright.conversion.notes import Notes

NAME: Final = "a2a-0.1"
VERSION: Final = "0.1"
# What came with A2A 0.2, and cards have all the same that name their schemes as 0.1 does.
_LATER: Final = frozenset(
    {
        "additionalInterfaces",
        "preferredTransport",
        "security",
        "securitySchemes",
        "supportsAuthenticatedExtendedCard",
    }
)


def to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of an A2A 0.1 card."""
    later = document.keys() & _LATER
    turn = tables(a2a_v0_2.NAME if later else NAME, to_hub=True)
    for name in later:
        notes.doubt(below("", name), "it came with A2A 0.2, and is read as that means it")
    hub = dict(turn.card(document, notes))
    interfaces.to_hub(document, hub, VERSION, turn, notes)
    if hub.pop("protocolVersion", None) is not None or "protocolVersion" in document:
        notes.doubt("/protocolVersion", "an A2A 0.1 card says nothing of its endpoint but the URL")
    security.to_hub(document, hub, notes, on_skills=False)
    authentication.to_hub(document, hub, notes)
    provider = hub.get("provider")
    if type(provider) is dict and "organization" in provider and "url" not in provider:
        _provider_url(hub, provider, notes)
    hub = extensions.lift_schemas(hub, notes)
    tables(NAME, to_hub=True).settle(hub, notes)
    return hub


def from_hub(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the A2A 0.1 card of a hub: of its interfaces one that speaks JSON-RPC."""
    hub = extensions.sunk(hub, notes)
    turn = tables(NAME, to_hub=False)
    out = dict(turn.card(hub, notes))
    authentication.from_hub(hub, out, notes)
    chosen, speaking = interfaces.chosen_of(hub, (VERSION,), notes)
    spoken = [pair for pair in chosen if pair[1].get("protocolBinding") == interfaces.DEFAULT_TRANSPORT]
    for index, item in (spoken or chosen)[:1]:
        at = below("/supportedInterfaces", index)
        if item.get("url") is not None:
            out["url"] = item["url"]
            notes.move("/url", below(at, "url"))
        if item.get("url") is not None and not (speaking and spoken):
            why = "no interface says it speaks JSON-RPC of A2A 0.1: this one is offered all the same"
            notes.assume("/url", item.get("url"), why)
        for name in item.keys() - {"url"}:
            notes.doubt(below(at, name), "an A2A 0.1 card says nothing of its endpoint but the URL")
        for other, _ in chosen:
            if other != index:
                notes.lose(below("/supportedInterfaces", other), "an A2A 0.1 card has one endpoint")
    return out


def _provider_url(hub: dict[str, Any], provider: dict[str, Any], notes: Notes) -> None:
    """Since A2A 0.2 a provider has a URL: where the agent lives is the least that can be said."""
    url = hub["supportedInterfaces"][0].get("url") if hub.get("supportedInterfaces") else None
    scheme, there, rest = url.partition("://") if type(url) is str else ("", "", "")
    host = rest.partition("/")[0].rpartition("@")[2]
    if there and host:
        hub["provider"] = {**provider, "url": f"{scheme}://{host}"}
        why = "A2A requires a provider's URL since 0.2, and 0.1 gives none: the origin of the agent"
        notes.assume("/provider/url", hub["provider"]["url"], why)
