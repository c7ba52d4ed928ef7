"""The card generated from an MCP session: tools become skills; the rest is in an extension of cardwright."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion import extensions
from cardwright.conversion.notes import below
from cardwright.conversion.tables import NULL, tables
from cardwright_models.a2a_facts import DEFAULT_TRANSPORT
from cardwright_runtime.checks import objects

if TYPE_CHECKING:
    from cardwright.conversion.notes import Notes

NAME: Final = "mcp-2024-11-05"
PROTOCOL_VERSION: Final = "2024-11-05"
A2A_VERSION: Final = "1.0"
# Parameters of the extension; protocolVersion is among them, because A2A's own cannot have an MCP date.
_KEPT: Final[tuple[str, ...]] = ("protocolVersion", "capabilities", "resources", "prompts")


def to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of a card generated from an MCP session."""
    converter = tables(NAME, to_hub=True)
    hub = dict(converter.card(document, notes))
    if "protocol" in document and document["protocol"] != "mcp":
        notes.lose("/protocol", "the protocol of an MCP card is mcp")
    declared = document.get("extensions")
    if type(declared) is list:
        hub["capabilities"] = {"extensions": declared}
        notes.move("/capabilities/extensions", "/extensions")
    elif "extensions" in document:
        notes.lose("/extensions", "it is not an array")
    if any(item.get("uri") == extensions.MCP_URI for _, item in objects(extensions.declared(hub))):
        notes.doubt("", "the card already declares the MCP extension")
    params = {name: document[name] for name in _KEPT if document.get(name) is not None}
    if params:
        at = below("/capabilities/extensions", len(extensions.declared(hub)), "params")
        extensions.declare(hub, extensions.MCP_URI, extensions.MCP_DESCRIPTION, params)
        for name in params:
            notes.move(below(at, name), below("", name))
    if document.get("url") is not None:
        hub["supportedInterfaces"] = [
            {"url": document["url"], "protocolBinding": DEFAULT_TRANSPORT, "protocolVersion": A2A_VERSION}
        ]
        notes.move("/supportedInterfaces/0", "")
        why = "an MCP card has the URL of its server: an A2A interface at this URL is assumed"
        notes.assume("/supportedInterfaces/0/protocolBinding", DEFAULT_TRANSPORT, why)
        notes.assume("/supportedInterfaces/0/protocolVersion", A2A_VERSION, why)
    elif "url" in document:
        notes.lose("/url", NULL)
    converter.settle(hub, notes)
    return hub


def from_hub(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the MCP card of a hub."""
    out = dict(tables(NAME, to_hub=False).card(hub, notes))
    out["protocol"] = "mcp"
    if out.pop("serverInfo", None) is not None:
        notes.lose("/serverInfo", "with this field, an MCP document is an initialize result and not a card")
    declared = extensions.params_of(hub, extensions.MCP_URI)
    index, params = declared or (-1, {})
    at = below("/capabilities/extensions", index, "params")
    for name in _KEPT:
        if name in params:
            out[name] = params[name]
            notes.move(below("", name), below(at, name))
    for name in params.keys() - set(_KEPT):
        notes.lose(below(at, name), "the MCP extension has no such parameter")
    if "protocolVersion" not in out:
        out["protocolVersion"] = PROTOCOL_VERSION
        notes.assume(
            "/protocolVersion",
            PROTOCOL_VERSION,
            "an MCP card requires a version of MCP: the version of this dialect",
        )
    if declared:
        for name in ("description", "required"):
            notes.doubt(
                below("/capabilities/extensions", index, name),
                "an MCP card does not declare the MCP extension",
            )
    _extensions(hub, out, index, notes)
    _address(hub, out, notes)
    if type(out.get("skills")) is list:
        out["skills"] = [_tool(skill, below("/skills", i), notes) for i, skill in enumerate(out["skills"])]
    return out


def _tool(skill: Any, at: str, notes: Notes) -> Any:
    """Return a skill with the input schema that every MCP tool requires."""
    if type(skill) is not dict or "inputSchema" in skill:
        return skill
    open_schema = {"type": "object"}
    why = "a tool requires an input schema (MCP 2024-11-05, Tools), and the skill has none"
    notes.assume(below(at, "inputSchema"), open_schema, why)
    return {**skill, "inputSchema": open_schema}


def _extensions(hub: dict[str, Any], out: dict[str, Any], own: int, notes: Notes) -> None:
    items = extensions.only(hub, notes, "an MCP card has no A2A capabilities")
    remaining = [item for index, item in enumerate(items or ()) if index != own]
    if remaining or items == []:
        out["extensions"] = remaining
        for place in range(len(remaining)):
            index_in_hub = place if own < 0 or place < own else place + 1
            notes.move(below("/extensions", place), below("/capabilities/extensions", index_in_hub))


def _address(hub: dict[str, Any], out: dict[str, Any], notes: Notes) -> None:
    for index, item in enumerate(notes.array(hub.get("supportedInterfaces"), "/supportedInterfaces")):
        at = below("/supportedInterfaces", index)
        if "url" in out or type(item) is not dict or "url" not in item:
            notes.lose(at, "an MCP card has only one URL")
            continue
        out["url"] = item["url"]
        notes.move("/url", below(at, "url"))
        for name in item.keys() - {"url"}:
            notes.lose(below(at, name), "an MCP card has only the URL of its interface")
