"""Conversion among descriptions of MCP servers without A2A: their hub is the server card with what a session tells.

The hub has the fields of a server card (SEP-2127), the `packages` of server.json, and, with the names of SEP-1649, what
a session with the server tells: `protocolVersion`, `capabilities`, `instructions`, `tools`, `resources`, `prompts`.
One module: the three forms share how a name, a namespace and an endpoint are derived.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cardwright.conversion.mcp_servers import (
    NAME_FORM,
    OLDEST_REGISTRY,
    REGISTRY,
    SERVER_CARD,
    first_icon,
    short,
    tail,
)
from cardwright.conversion.mcp_v2024_11_05 import PROTOCOL_VERSION
from cardwright.conversion.notes import below
from cardwright.conversion.tables import tables
from cardwright_runtime.checks import dig, listed, mapping, objects
from cardwright_runtime.identifiers import name_part, reversed_domain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.conversion.notes import Notes

_HTTP: Final = "streamable-http"
_TYPES: Final = {"streamablehttp": _HTTP, "http": _HTTP, "sse": "sse", "httpsse": "sse"}
_NO_LETTER: Final = re.compile(r"[^a-z]")
_INFO: Final = ("name", "title", "version", "description", "websiteUrl", "repository", "icons")
# Where documents in use have the URL of the server's endpoint, and one of its publisher; best first.
_ENDPOINTS: Final = (("transport", "endpoint"), ("transport", "url"), ("url",), ("serverUrl",), ("endpoint",))
_OF_PUBLISHER: Final = (
    ("websiteUrl",),
    ("provider", "url"),
    ("iconUrl",),
    ("repository", "url"),
    ("documentationUrl",),
)
_NO_NAMESPACE: Final = (
    "a server needs a name with a domain, and the description has no URL of the server to take it from"
)
_ONE_ENDPOINT: Final = "the result has the type and the URL of one endpoint"


@dataclass(frozen=True, slots=True)
class Described:
    """The conversion of server cards (SEP-2127) and of server.json.

    Attributes:
        name: The dialect.
        schema_url: The `$schema` of its documents.
        versioned: Whether a remote names the versions of MCP that it supports.
    """

    name: str
    schema_url: str
    versioned: bool

    def to_hub(self, document: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the hub's form, which is the document itself."""
        if document.get("$schema") not in (None, self.schema_url):
            notes.lose("/$schema", f"it is not the schema of the dialect {self.name}")
        fields = tables(self.name, to_hub=True, family=True).card(document, notes)
        own = ("name", "title", "description", "remotes")
        return {name: document[name] for name in own if document.get(name) is not None} | fields

    def from_hub(self, hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the description of a server."""
        hub = dict(hub)
        tables(SERVER_CARD.name, to_hub=True, family=True).settle(hub, notes)
        out: dict[str, Any] = {"$schema": self.schema_url}
        notes.assume("/$schema", self.schema_url, "it names the dialect")
        _name(hub, out, notes)
        for name in ("title", "description"):
            if name in hub or name in out:
                out[name] = short(hub.get(name, out.get(name)), below("", name), notes)
        remotes = hub.get("remotes")
        rest = hub
        if type(remotes) is list:
            rest = {name: value for name, value in hub.items() if name != "protocolVersion" or not remotes}
            out["remotes"] = [self._remote(hub, remote, index, notes) for index, remote in enumerate(remotes)]
            rest["remotes"] = out["remotes"]
        elif remotes is not None:
            out["remotes"] = remotes
        return {**out, **tables(self.name, to_hub=False, family=True).card(rest, notes)}

    def _remote(self, hub: dict[str, Any], remote: Any, index: int, notes: Notes) -> Any:
        """Return an endpoint with the versions of MCP that it supports, if the dialect has a field for them."""
        name, version = "supportedProtocolVersions", hub.get("protocolVersion")
        if type(remote) is not dict:
            return remote
        if not self.versioned:
            notes.lose("/protocolVersion", "server.json has no field for the version of MCP")
            if name in remote:
                notes.lose(below("/remotes", index, name), "server.json has no field for the version of MCP")
            return {field: value for field, value in remote.items() if field != name}
        if type(version) is str and name not in remote:
            notes.move(below("/remotes", index, name, 0), "/protocolVersion")
            return {**remote, name: [version]}
        return remote


class Older:
    """The conversion of older server cards (SEP-1649)."""

    name: Final = "mcp-server-card-1649"

    def to_hub(self, document: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the hub's form; fields of the newer form count, too, since documents in use mix them."""
        newer = {name: value for name, value in document.items() if name in (*_INFO, "remotes")}
        plain = {
            name: value for name, value in document.items() if name not in newer or name == "description"
        }
        hub = dict(tables(self.name, to_hub=True, family=True).card(plain, notes))
        self._info(document, newer, hub, notes)
        if document.get("capabilities") is not None:
            hub["capabilities"] = _capabilities(document["capabilities"], notes)
        if document.get("protocolVersion") is not None:
            hub["protocolVersion"] = document["protocolVersion"]
        if "icons" not in hub and type(document.get("iconUrl")) is str:
            hub["icons"] = [{"src": document["iconUrl"]}]
            notes.move("/icons/0/src", "/iconUrl")
        transport = document.get("transport")
        if transport is not None:
            hub["transport"] = transport
        _remotes(document, hub, notes)
        return hub

    def _info(
        self, document: dict[str, Any], newer: dict[str, Any], hub: dict[str, Any], notes: Notes
    ) -> None:
        """Add what `serverInfo` says, or a field of the newer form at the root."""
        info = notes.object(document.get("serverInfo"), "/serverInfo")
        homepage = info.get("homepage")
        aliases = {"websiteUrl": "homepage"} if "websiteUrl" not in info and type(homepage) is str else {}
        for name in _INFO:
            own, at = info.get(aliases.get(name, name)), below("/serverInfo", aliases.get(name, name))
            outer = newer.get(name)
            is_first = name in ("name", "title", "version") and own is not None and not _is_full(name, outer)
            value, source, other = (own, at, below("", name)) if is_first or outer is None else (
                outer, below("", name), at,
            )  # fmt: skip
            if value is None:
                continue
            if own is not None and outer is not None:
                notes.lose(other, f"{source} says another {name}")
            hub[name] = _repository(value) if name == "repository" else value
            notes.move(below("", name), source)
        for name in info.keys() - {*_INFO, *aliases.values()}:
            notes.lose(below("/serverInfo", name), "a description of this dialect has no such field")

    def from_hub(self, hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the older server card."""
        info: dict[str, Any] = {}
        for name in ("name", "title", "version", "repository"):
            if hub.get(name) is not None:
                info[name] = hub[name]
                notes.move(below("/serverInfo", name), below("", name))
        out: dict[str, Any] = {"serverInfo": info}
        icon = first_icon(hub.get("icons"))
        if icon is not None:
            out["iconUrl"] = icon
            notes.move("/iconUrl", "/icons/0/src")
        if hub.get("icons") not in (None, [{"src": icon}]):
            info["icons"] = hub["icons"]
            notes.move("/serverInfo/icons", "/icons")
        first = _only_remote(hub, notes)
        if first and "transport" not in hub:
            out["transport"] = _renamed(
                {n: first[n] for n in ("type", "url") if n in first}, {"url": "endpoint"}
            )
            notes.move("/transport/type", "/remotes/0/type")
            notes.move("/transport/endpoint", "/remotes/0/url")
        _mcp_version(hub, out, notes)
        rest = {name: value for name, value in hub.items() if name not in (*info, "title", "remotes")}
        out |= {name: hub[name] for name in ("capabilities", "transport") if name in hub}
        return out | tables(self.name, to_hub=False, family=True).card(rest, notes)


class OfSession:
    """The conversion of cards that were generated from an MCP session."""

    name: Final = "mcp-2024-11-05"

    def to_hub(self, document: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the hub's form of the card."""
        tools = "tools" if "skills" not in document else ""
        plain = {name: value for name, value in document.items() if name != tools}
        hub = dict(tables(self.name, to_hub=True, family=True).card(plain, notes))
        for name in (tools, "name", "protocolVersion", "capabilities", "resources", "prompts"):
            if document.get(name) is not None:
                hub[name] = document[name]
        skills = document.get("skills")
        if type(skills) is list:
            hub["tools"] = [_renamed(skill, {"id": "name", "name": "title"}) for skill in skills]
            notes.move("/tools", "/skills")
        _remotes(document, hub, notes)
        return hub

    def from_hub(self, hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the card as a session would have given it."""
        name, title = hub.get("name"), hub.get("title")
        out: dict[str, Any] = {}
        if title is not None or name is not None:
            out["name"] = (
                tail(name) if title is None and type(name) is str else name if title is None else title
            )
            notes.move("/name", "/name" if title is None else "/title")
        if title is not None:
            notes.lose("/name", "a card generated from an MCP session has one name: that for people")
        if hub.get("description") is None:
            out["description"] = out.get("name", "")
            notes.assume(
                "/description", out["description"], "a card requires a description: the name is used"
            )
        first = _only_remote(hub, notes)
        if "url" in first:
            out["url"] = first["url"]
            notes.move("/url", "/remotes/0/url")
        out["protocol"] = "mcp"
        _mcp_version(hub, out, notes)
        if "protocolVersion" not in out:
            out["protocolVersion"] = PROTOCOL_VERSION
            notes.assume(
                "/protocolVersion", PROTOCOL_VERSION, "a card requires a version of MCP: that of the dialect"
            )
        self._offers(hub, out, notes)
        rest = {
            name: value
            for name, value in hub.items()
            if name not in ("title", "tools", "remotes", "url", "serverUrl")
        }
        return {**out, **tables(self.name, to_hub=False, family=True).card(rest, notes)}

    def _offers(self, hub: dict[str, Any], out: dict[str, Any], notes: Notes) -> None:
        """Add capabilities, tools, resources and prompts in the form that a session gives them."""
        if hub.get("capabilities") is not None:
            out["capabilities"] = hub["capabilities"]
        for name, details in hub["capabilities"].items() if type(hub.get("capabilities")) is dict else ():
            if type(details) is list:
                out["capabilities"] = {**out["capabilities"], name: {}}
                notes.lose(below("/capabilities", name), "a capability is an object: the list is not one")
        for name in ("tools", "resources", "prompts"):
            items = hub.get(name)
            if items is not None and not (type(items) is list and all(type(item) is dict for item in items)):
                notes.lose(below("", name), f"it is not a list of {name}")
            elif items is not None and name == "tools":
                out["skills"] = [
                    _skill(tool, below("/skills", index), notes) for index, tool in enumerate(items)
                ]
                notes.move("/skills", "/tools")
            elif items is not None:
                out[name] = items


FAMILY: Final[dict[str, Described | Older | OfSession]] = {
    SERVER_CARD.name: Described(SERVER_CARD.name, SERVER_CARD.schema_url, versioned=True),
    **{one.name: Described(one.name, one.schema_url, versioned=False) for one in (REGISTRY, OLDEST_REGISTRY)},
    Older.name: Older(),
    OfSession.name: OfSession(),
}


def _capabilities(value: Any, notes: Notes) -> Any:
    """Return capabilities as a session gives them: an object for each one that the server has."""
    if type(value) is list and all(type(name) is str for name in value):
        notes.repeats["/capabilities"] = ()
        return {name: {} for name in value}
    if type(value) is not dict:
        return value
    for name, details in value.items():
        # Documents in use say `true` or list the names: both mean the capability, without details.
        if type(details) is bool or details == []:
            notes.repeats[below("/capabilities", name)] = ()
    return {
        name: {} if details is True or details == [] else details
        for name, details in value.items()
        if details is not False
    }


def _is_full(name: str, value: Any) -> bool:
    return name == "name" and type(value) is str and NAME_FORM.fullmatch(value) is not None


def _repository(value: Any) -> Any:
    """Return a repository as an object, if it is its URL."""
    host = _host(value)
    return {"url": value, "source": host.removeprefix("www.").split(".")[0]} if host else value


def _remotes(document: dict[str, Any], hub: dict[str, Any], notes: Notes) -> None:
    """Add the endpoint that a document names in its own way, and remove it there."""
    remotes = document.get("remotes")
    if type(remotes) is list:
        hub["remotes"] = remotes
    transport = hub.get("transport")
    kind = transport.get("type", "http") if type(transport) is dict else "http"
    known = _TYPES.get(_NO_LETTER.sub("", kind.lower())) if type(kind) is str else None
    for place in _ENDPOINTS:
        url = dig(document, place)
        if known is None or not _host(url):
            continue
        if "remotes" not in hub:
            hub["remotes"] = [{"type": known, "url": url}]
            notes.move("/remotes/0/url", below("", *place))
            notes.move("/remotes/0/type", "/transport/type")
            if type(transport) is not dict or "type" not in transport:
                notes.assume("/remotes/0/type", known, "MCP over HTTP is streamable, if nothing else is said")
        if any(one.get("url") == url for _, one in objects(hub["remotes"])):
            hub.pop(place[0], None)
    if type(transport) is dict and "transport" not in hub:
        for name in transport.keys() - {"type", "endpoint", "url"}:
            notes.lose(
                below("/transport", name),
                "a description of an MCP server has the type and URL of a transport",
            )


def _only_remote(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the first endpoint, and note what a dialect with one endpoint has no place for."""
    remotes = notes.array(hub.get("remotes"), "/remotes")
    for index, remote in objects(remotes):
        known = ("type", "url", "supportedProtocolVersions") if index == 0 else ()
        for name in remote.keys() - known:
            notes.lose(below("/remotes", index, name), _ONE_ENDPOINT)
    return mapping(remotes[0]) if remotes else {}


def _mcp_version(hub: dict[str, Any], out: dict[str, Any], notes: Notes) -> None:
    """Add the version of MCP: the newest one that the first endpoint supports, if the document itself names none."""
    remotes = hub.get("remotes")
    versions = dig(remotes[0], ("supportedProtocolVersions",)) if type(remotes) is list and remotes else None
    names = [name for name in listed(versions) if type(name) is str]
    if hub.get("protocolVersion") is not None:
        out["protocolVersion"] = hub["protocolVersion"]
    elif names:
        out["protocolVersion"] = max(names)
        notes.move("/protocolVersion", below("/remotes/0/supportedProtocolVersions", names.index(max(names))))
    for index, name in enumerate(names):
        if name != out["protocolVersion"]:
            notes.lose(
                below("/remotes/0/supportedProtocolVersions", index), "the result names one version of MCP"
            )


def _name(hub: dict[str, Any], out: dict[str, Any], notes: Notes) -> None:
    """Add the name with its namespace, and the name for people if there is no other title."""
    name = hub.get("name", hub.get("title"))
    if name is None:
        return
    out["name"] = name
    if type(name) is not str or NAME_FORM.fullmatch(name):
        return
    namespace = next(_namespaces(hub, notes.found_at), "")
    part = name_part(name).strip(".")
    if not namespace or not part:
        notes.assume("/name", name, _NO_NAMESPACE)
        return
    out["name"] = f"{namespace}/{part}"
    notes.assume(
        "/name", out["name"], "a server needs a name with a domain: that of a URL in the description"
    )
    if part != name:
        notes.lose("/name", "a name allows letters, digits, dots, hyphens and underscores: it is changed")
    if part != name and hub.get("title") is None:
        out["title"] = name
        notes.move("/title", "/name")


def _namespaces(hub: dict[str, Any], found_at: str) -> Iterator[str]:
    """Yield the namespaces of the URLs of a server and of its publisher, the best first."""
    urls = [dig(remote, ("url",)) for remote in listed(hub.get("remotes"))]
    urls += [dig(hub, place) for place in (*_ENDPOINTS, *_OF_PUBLISHER)]
    urls += [dig(icon, ("src",)) for icon in listed(hub.get("icons"))]
    for url in (*urls, found_at):
        host = _host(url).removeprefix("www.")
        owner = urlsplit(url).path.split("/")[1:2] if host == "github.com" else []
        if host == "github.com":
            # MCP registry, official requirements: the namespace of a GitHub account.
            yield from (f"io.github.{name_part(name)}" for name in owner if name_part(name))
        elif "." in host:
            yield reversed_domain(host)


def _host(url: Any) -> str:
    """Return the host of an absolute http(s) URL, or ""."""
    if type(url) is not str or not url.lower().startswith(("https://", "http://")):
        return ""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return "" if "{" in host else host


def _renamed(item: Any, names: dict[str, str]) -> Any:
    return {names.get(name, name): value for name, value in item.items()} if type(item) is dict else item


def _skill(tool: dict[str, Any], at: str, notes: Notes) -> dict[str, Any]:
    """Return a tool as a skill, with the input schema that a tool requires."""
    skill: dict[str, Any] = _renamed(tool, {"name": "id", "title": "name"})
    if "name" not in skill and "id" in skill:
        skill["name"] = skill["id"]
    if "inputSchema" not in skill:
        skill["inputSchema"] = {"type": "object"}
        notes.assume(
            below(at, "inputSchema"),
            {"type": "object"},
            "a tool requires an input schema, and this one has none",
        )
    return skill
