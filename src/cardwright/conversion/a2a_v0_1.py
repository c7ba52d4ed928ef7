"""A2A 0.1: one URL, JSON-RPC, and security as names of schemes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion import authentication, extensions, interfaces, security
from cardwright.conversion.notes import below
from cardwright.conversion.tables import tables
from cardwright_models.a2a_facts import DEFAULT_TRANSPORT

if TYPE_CHECKING:
    from cardwright.conversion.notes import Notes

NAME: Final = "a2a-0.1"
VERSION: Final = "0.1"
# Fields of A2A 0.2 that occur in cards with the `authentication` of A2A 0.1.
_LATER: Final = frozenset(
    {
        "additionalInterfaces",
        "preferredTransport",
        "security",
        "securitySchemes",
        "supportsAuthenticatedExtendedCard",
    }
)
# With one of these, a card is of a later version: a 0.1 card cannot have it, not even as an unknown field.
_FOREIGN: Final = _LATER - {"securitySchemes"} | {"protocolVersion", "supportedInterfaces"}


def to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of an A2A 0.1 card."""
    later = document.keys() & _LATER
    converter = tables("a2a-0.2" if later else NAME, to_hub=True)
    for name in later:
        notes.doubt(below("", name), "A2A 0.2 introduced this field, and it is read as in A2A 0.2")
    hub = dict(converter.card(document, notes))
    interfaces.to_hub(document, hub, VERSION, converter, notes)
    if hub.pop("protocolVersion", None) is not None or "protocolVersion" in document:
        notes.doubt("/protocolVersion", "an A2A 0.1 card has only the URL of its endpoint")
    security.to_hub(document, hub, notes, on_skills=False)
    authentication.to_hub(document, hub, notes)
    provider = hub.get("provider")
    if type(provider) is dict and "organization" in provider and "url" not in provider:
        _provider_url(hub, provider, notes)
    hub = extensions.lift_schemas(hub, notes)
    tables(NAME, to_hub=True).settle(hub, notes)
    return hub


def from_hub(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the A2A 0.1 card of a hub, with one interface: JSON-RPC if possible."""
    hub = extensions.sunk(hub, notes)
    converter = tables(NAME, to_hub=False)
    out = dict(converter.card(hub, notes))
    authentication.from_hub(hub, out, notes)
    chosen, matches_version = interfaces.chosen_of(hub, (VERSION,), notes)
    json_rpc = [pair for pair in chosen if pair[1].get("protocolBinding") == DEFAULT_TRANSPORT]
    for name in out.keys() & _FOREIGN:
        del out[name]
        notes.lose(below("", name), "A2A 0.1 has no such field, and with it the card is of a later version")
    for index, item in (json_rpc or chosen)[:1]:
        at = below("/supportedInterfaces", index)
        if item.get("url") is not None:
            out["url"] = item["url"]
            notes.move("/url", below(at, "url"))
        if item.get("url") is not None and not (matches_version and json_rpc):
            why = "no interface declares JSON-RPC of A2A 0.1: the first one is used"
            notes.assume("/url", item.get("url"), why)
        for name in item.keys() - {"url"}:
            notes.doubt(below(at, name), "an A2A 0.1 card has only the URL of its endpoint")
        for other, _ in chosen:
            if other != index:
                notes.lose(below("/supportedInterfaces", other), "an A2A 0.1 card has only one endpoint")
    return out


def _provider_url(hub: dict[str, Any], provider: dict[str, Any], notes: Notes) -> None:
    """Add the URL of the provider, which A2A requires since 0.2: the origin of the agent."""
    url = hub["supportedInterfaces"][0].get("url") if hub.get("supportedInterfaces") else None
    scheme, separator, rest = url.partition("://") if type(url) is str else ("", "", "")
    host = rest.partition("/")[0].rpartition("@")[2]
    if separator and host:
        hub["provider"] = {**provider, "url": f"{scheme}://{host}"}
        why = (
            "A2A requires a provider's URL since 0.2, and the card has none: the origin of the agent is used"
        )
        notes.assume("/provider/url", hub["provider"]["url"], why)
