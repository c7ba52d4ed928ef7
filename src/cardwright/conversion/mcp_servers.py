"""Descriptions of MCP servers: server cards (SEP-2127) and `server.json` of the MCP registry.

A server is no A2A agent: its card in the hub has no A2A endpoint, and no skills where no tools are known. What the hub has
no field for is in cardwright's MCP extension, so that a card says where the server is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cardwright.conversion import extensions
from cardwright.conversion.notes import below
from cardwright.conversion.tables import NULL, tables
from cardwright.server_cards import MAX_TEXT, SCHEMA_URL
from cardwright_runtime.checks import mapping, objects
from cardwright_runtime.identifiers import name_part, reversed_domain, shortened

if TYPE_CHECKING:
    from cardwright.conversion.notes import Notes

UNKNOWN_TOOLS: Final = f"{extensions.MCP_DESCRIPTION} The tools are not known, because no session with the server was held: the card has no skills."
PARAM: Final = "server"
# MCP Server Card v1: the form of a name.
NAME_FORM: Final = re.compile(r"[A-Za-z0-9.-]+/[A-Za-z0-9._-]+")
_NO_FIELD: Final = "a description of this dialect has no such field"
_NOT_LISTED: Final = "a description of an MCP server does not have it: a session with the server does"
_NO_PLACE: Final = {
    "packages": "an MCP server card names no packages: server.json of the MCP registry does",
    "transport": "it has no absolute URL of an MCP server",
    "authentication": "a description of an MCP server names the headers of a remote, and no scheme",
}


@dataclass(frozen=True, slots=True)
class ServerModule:
    """The conversion of one dialect of MCP servers.

    Attributes:
        name: The dialect.
        schema_url: The `$schema` of its documents.
        kept: The fields that the hub has no place for but the MCP extension.
    """

    name: str
    schema_url: str
    kept: tuple[str, ...]

    def to_hub(self, document: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the hub's form of a description of a server."""
        converter = tables(self.name, to_hub=True)
        hub = dict(converter.card(document, notes))
        lose_nulls(document, (*self.kept, "$schema", "title", "description"), notes)
        if document.get("$schema") not in (None, self.schema_url):
            notes.lose("/$schema", f"it is not the schema of the dialect {self.name}")
        if document.get("description") is not None:
            hub["description"] = document["description"]
        server = {name: document[name] for name in self.kept if document.get(name) is not None}
        title, own = document.get("title"), document.get("name")
        if title is not None:
            hub["name"] = title
            notes.move("/name", "/title")
            if type(own) is str and title == tail(own):
                notes.repeats["/title"] = ("/name",)
        elif type(own) is str:
            hub["name"] = tail(own)
        elif own is not None:
            hub["name"] = server.pop("name")
        icon = first_icon(server.get("icons"))
        if icon is not None:
            hub["iconUrl"] = icon
            notes.move("/iconUrl", "/icons/0/src")
        keep(hub, {PARAM: server} if server else {}, {}, notes)
        front(hub, notes)
        converter.settle(hub, notes)
        return hub

    def from_hub(self, hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the description of the server of a hub, without any endpoint that the hub does not name."""
        fields = tables(self.name, to_hub=False).card(hub, notes)
        place, params = own_params(hub, notes)
        server, at = server_of(params), below(place, PARAM)
        for name in params.keys() - {PARAM}:
            notes.lose(below(place, name), _NOT_LISTED)
        if PARAM in params and not server and params[PARAM] != {}:
            notes.lose(at, "it is not an object")
        for name in server.keys() - {*self.kept, "serverInfo"}:
            notes.lose(below(at, name), _NO_PLACE.get(name, _NO_FIELD))
        for name, value in info_of(server).items():
            if name != "name" and (name != "description" or value != hub.get("description")):
                notes.lose(below(at, "serverInfo", name), _NO_FIELD)
        out: dict[str, Any] = {"$schema": self.schema_url}
        notes.assume("/$schema", self.schema_url, "it names the dialect")
        self._names(hub, server, out, notes)
        if "description" in hub:
            out["description"] = short(hub["description"], "/description", notes)
        for name in self.kept:
            if name in server and name != "name":
                out[name] = server[name]
                notes.move(below("", name), below(at, name))
        icon = hub.get("iconUrl")
        if icon is not None and icon != first_icon(out.get("icons")):
            if "icons" in out:
                notes.lose("/iconUrl", "the server has icons of its own")
            else:
                out["icons"] = [{"src": icon}]
                notes.move("/icons/0/src", "/iconUrl")
        return out | {name: value for name, value in fields.items() if name not in out}

    def _names(self, hub: dict[str, Any], server: dict[str, Any], out: dict[str, Any], notes: Notes) -> None:
        """Add the name and the title of the server."""
        title = hub.get("name")
        plain = info_of(server).get("name", title)
        name = server.get("name", plain if type(plain) is str and NAME_FORM.fullmatch(plain) else None)
        host, part = _host_of(hub, server), name_part(plain).strip(".") if type(plain) is str else ""
        if name is None and host and part:
            name = f"{reversed_domain(host)}/{part}"
            notes.assume(
                "/name", name, "a server needs a name with a domain: that of its endpoint or provider"
            )
        elif name is None:
            name = plain
        if name is not None:
            out["name"] = name
        if title is not None and title != name and not (type(name) is str and title == tail(name)):
            out["title"] = short(title, "/name", notes)
            notes.move("/title", "/name")


_SERVER: Final = ("name", "repository", "icons", "remotes", "_meta")
SERVER_CARD: Final = ServerModule("mcp-server-card-1", SCHEMA_URL, _SERVER)
REGISTRY: Final = ServerModule(
    "mcp-registry-2025-12-11",
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    (*_SERVER, "packages"),
)
OLDEST_REGISTRY: Final = ServerModule(
    "mcp-registry-2025-07-09",
    "https://static.modelcontextprotocol.io/schemas/2025-07-09/server.schema.json",
    ("name", "status", "repository", "remotes", "_meta", "packages"),
)


def keep(hub: dict[str, Any], params: dict[str, Any], sources: dict[str, str], notes: Notes) -> None:
    """Declare the MCP extension with parameters, which say whether the tools are known.

    Args:
        hub: The hub, during its construction.
        params: The parameters; none without any.
        sources: The pointer in the source of each parameter but those of the server, which keep their names.
        notes: The notes of the step.
    """
    if not params:
        return
    at = below("/capabilities/extensions", len(extensions.declared(hub)), "params")
    text = extensions.MCP_DESCRIPTION if hub.get("skills") else UNKNOWN_TOOLS
    extensions.declare(hub, extensions.MCP_URI, text, params)
    for name, source in sources.items():
        notes.move(below(at, name), source)
    for name in params.get(PARAM, {}):
        notes.move(below(at, PARAM, name), below("", name))


def front(hub: dict[str, Any], notes: Notes) -> None:
    """Add the empty lists that say what is not known of the server as an A2A agent."""
    hub["supportedInterfaces"] = []
    notes.assume("/supportedInterfaces", [], "an MCP server has no A2A endpoint")
    if "skills" not in hub:
        hub["skills"] = []
        notes.assume("/skills", [], "its tools are not known without a session")


def own_params(hub: dict[str, Any], notes: Notes) -> tuple[str, dict[str, Any]]:
    """Return (pointer, parameters) of the MCP extension, and note that the other capabilities are lost."""
    declared = extensions.params_of(hub, extensions.MCP_URI)
    index, params = declared or (-1, {})
    for name in notes.object(hub.get("capabilities"), "/capabilities"):
        if name != "extensions":
            notes.lose(below("/capabilities", name), "a description of an MCP server has no A2A capabilities")
    for place, item in enumerate(extensions.declared(hub)):
        if place != index:
            notes.lose(
                below("/capabilities/extensions", place),
                "a description of an MCP server has no A2A extensions",
            )
        elif type(item) is dict:
            for name in item.keys() - {"uri", "params"}:
                notes.doubt(
                    below("/capabilities/extensions", place, name), "the extension is not declared there"
                )
    notes.doubt("/capabilities", "a description of an MCP server has no A2A capabilities")
    return below("/capabilities/extensions", index, "params"), params


def server_of(params: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the server among the parameters of the MCP extension."""
    return mapping(params.get(PARAM))


def info_of(server: dict[str, Any]) -> dict[str, Any]:
    """Return what an older server card says of its server beyond the fields of the card."""
    return mapping(server.get("serverInfo"))


def lose_nulls(document: dict[str, Any], names: tuple[str, ...], notes: Notes) -> None:
    """Note each field that is null, which means the same as an absent one."""
    for name in names:
        if name in document and document[name] is None:
            notes.lose(below("", name), NULL)


def first_icon(icons: Any) -> str | None:
    """Return the URL of the first icon, or None."""
    first = icons[0] if type(icons) is list and icons else None
    source = first.get("src") if type(first) is dict else None
    return source if type(source) is str else None


def tail(name: str) -> str:
    """Return the part of a server's name after the slash."""
    return name.rpartition("/")[2] or name


def short(value: Any, pointer: str, notes: Notes) -> Any:
    """Return a text of at most 100 characters, and note its end as lost if it is longer."""
    if type(value) is not str or len(value) <= MAX_TEXT:
        return value
    notes.lose(pointer, f"only {MAX_TEXT} characters are allowed: the text is shortened")
    return shortened(value, MAX_TEXT)


def _host_of(hub: dict[str, Any], server: dict[str, Any]) -> str:
    """Return the first public host that a card names as its own, or ""."""
    lists = (server.get("remotes"), [hub.get("provider")], hub.get("supportedInterfaces"))
    for url in (holder.get("url") for one in lists for _, holder in objects(one)):
        try:
            host = (urlsplit(url).hostname or "").removeprefix("www.") if type(url) is str else ""
        except ValueError:
            continue
        if "." in host:
            return host
    return ""
