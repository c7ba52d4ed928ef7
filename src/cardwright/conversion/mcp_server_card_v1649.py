"""The older MCP server card (SEP-1649), which lists tools, resources and prompts of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.mcp_servers import PARAM, front, info_of, keep, lose_nulls, own_params, server_of
from cardwright.conversion.notes import below
from cardwright.conversion.tables import tables

if TYPE_CHECKING:
    from cardwright.conversion.notes import Notes

NAME: Final = "mcp-server-card-1649"
# Fields that stay in the description of the server, and those that a session has as well, with their type.
_KEPT: Final = ("transport", "authentication", "instructions", "_meta")
_OF_SESSION: Final[dict[str, type]] = {
    "protocolVersion": str,
    "capabilities": dict,
    "resources": list,
    "prompts": list,
}
_TYPES: Final = {"streamable-http": "streamable-http", "http": "streamable-http", "sse": "sse"}
_INFO: Final = ("name", "version", "title", "description")


def to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of an older server card."""
    converter = tables(NAME, to_hub=True)
    hub = dict(converter.card(document, notes))
    lose_nulls(document, (*_KEPT, *_OF_SESSION, "serverInfo", "description", "tools"), notes)
    server = {name: document[name] for name in _KEPT if document.get(name) is not None}
    params: dict[str, Any] = {}
    for name, kind in _OF_SESSION.items():
        value = document.get(name)
        if type(value) is kind and (type(value) is not list or all(map(_is_named, value))):
            params[name] = value
        elif value is not None:
            server[name] = value
    _info(document, hub, server, notes)
    _remotes(server)
    tools = document.get("tools")
    if type(tools) is list and all(type(tool) is dict for tool in tools):
        hub["skills"] = [
            converter.object(tool, "Tool", below("/tools", i), below("/skills", i), notes)
            for i, tool in enumerate(tools)
        ]
        notes.move("/skills", "/tools")
    elif tools is not None:
        server["tools"] = tools
    if server:
        params[PARAM] = server
    keep(hub, params, {name: below("", name) for name in params if name != PARAM}, notes)
    front(hub, notes)
    converter.settle(hub, notes)
    return hub


def from_hub(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the older server card of a hub."""
    converter = tables(NAME, to_hub=False)
    fields = converter.card({name: value for name, value in hub.items() if name != "version"}, notes)
    place, params = own_params(hub, notes)
    server, at = server_of(params), below(place, PARAM)
    if PARAM in params and not server and params[PARAM] != {}:
        notes.lose(at, "it is not an object")
    info = info_of(server)
    own = {
        "name": info.get("name", hub.get("name")),
        "title": hub.get("name") if "name" in info else None,
        "version": hub.get("version"),
    }
    out: dict[str, Any] = {
        "serverInfo": {name: value for name, value in own.items() if value is not None} | info
    }
    notes.move("/serverInfo/version", "/version")
    notes.move("/serverInfo/name", "/name")
    if hub.get("description") not in (None, info.get("description")):
        out["description"] = hub["description"]
    for name in (*_KEPT, *_OF_SESSION, "tools"):
        if name in server:
            out[name] = server[name]
            notes.move(below("", name), below(at, name))
        elif name in params:
            out[name] = params[name]
            notes.move(below("", name), below(place, name))
    remotes = server.get("remotes")
    if "transport" not in out and type(remotes) is list and remotes and type(remotes[0]) is dict:
        first = remotes[0]
        out["transport"] = {
            own: first[name] for own, name in (("type", "type"), ("endpoint", "url")) if name in first
        }
        notes.move("/transport", below(at, "remotes", 0))
        if len(remotes) > 1 or first.keys() - {"type", "url"}:
            notes.lose(below(at, "remotes"), "an older server card has the type and the URL of one endpoint")
    elif "remotes" in server:
        notes.doubt(below(at, "remotes"), "the transport says the same")
    for name in server.keys() - {*_KEPT, *_OF_SESSION, "tools", "remotes", "serverInfo"}:
        notes.lose(below(at, name), "an older server card has no such field")
    for name in params.keys() - {*_OF_SESSION, PARAM}:
        notes.lose(below(place, name), "an older server card has no such field")
    skills = hub.get("skills")
    if type(skills) is list and skills:
        out["tools"] = [
            _tool(converter.object(skill, "Tool", below("/skills", i), below("/tools", i), notes))
            for i, skill in enumerate(skills)
        ]
        notes.move("/tools", "/skills")
    return out | {name: value for name, value in fields.items() if name not in out}


def _info(document: dict[str, Any], hub: dict[str, Any], server: dict[str, Any], notes: Notes) -> None:
    """Add what `serverInfo` and `description` say: the name, the version and the description of the server."""
    info = notes.object(document.get("serverInfo"), "/serverInfo")
    description = document.get("description")
    rest = {name: value for name, value in info.items() if name not in _INFO}
    if info.get("title") is not None:
        hub["name"] = info["title"]
        notes.move("/name", "/serverInfo/title")
        if "name" in info:
            rest = {"name": info["name"], **rest}
    elif info.get("name") is not None:
        hub["name"] = info["name"]
        notes.move("/name", "/serverInfo/name")
    if info.get("version") is not None:
        hub["version"] = info["version"]
        notes.move("/version", "/serverInfo/version")
    if description is None and info.get("description") is not None:
        hub["description"] = info["description"]
        notes.move("/description", "/serverInfo/description")
    elif description is not None:
        hub["description"] = description
    if "description" in info:
        rest["description"] = info["description"]
    if rest:
        server["serverInfo"] = rest


def _remotes(server: dict[str, Any]) -> None:
    """Add the endpoint of the transport as newer cards name it, if it is an absolute URL of a known kind."""
    transport = server.get("transport")
    if type(transport) is not dict:
        return
    url, kind = transport.get("endpoint"), transport.get("type", "http")
    if (
        type(url) is not str
        or type(kind) is not str
        or not url.lower().startswith(("https://", "http://"))
        or kind not in _TYPES
    ):
        return
    server["remotes"] = [{"type": _TYPES[kind], "url": url}]
    if transport == {"type": _TYPES[kind], "endpoint": url}:
        del server["transport"]


def _is_named(item: Any) -> bool:
    return type(item) is dict and type(item.get("name")) is str


def _tool(tool: Any) -> Any:
    if type(tool) is dict and "title" in tool and tool.get("title") == tool.get("name"):
        return {name: value for name, value in tool.items() if name != "title"}
    return tool
