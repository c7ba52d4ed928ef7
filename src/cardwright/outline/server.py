"""Outline of descriptions of MCP servers: endpoints, packages and tools as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.outline.fields import listed, noted, prose, text, words
from cardwright.outline.parts import stated
from cardwright.view.fields import items

if TYPE_CHECKING:
    from cardwright.card import ServerCard
    from cardwright.outline.parts import Facts


@dataclass(frozen=True, slots=True)
class ServerPart:
    """An endpoint, a package or a tool of a server: what it is called, its kind, and a note in one line."""

    name: str
    kind: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ServerOutline:
    """The information of a description of an MCP server as text.

    Attributes:
        prose: The description with its line breaks.
        facts: The name in registries and other details, as (label, value).
        endpoints: The URLs with the transport, and the header fields that a client needs.
        packages: The packages with their kind, and the environment variables that a user sets.
        tools: The tools, which only older cards list.
        recognised: The evidence for the dialect.
    """

    name: str
    version: str
    prose: str
    facts: Facts
    endpoints: tuple[ServerPart, ...]
    packages: tuple[ServerPart, ...]
    tools: tuple[ServerPart, ...]
    recognised: str


def server_outline(server: ServerCard) -> ServerOutline:
    """Return the outline of a description of an MCP server; values of an unexpected shape are skipped."""
    document, detection = server.document, server.detection
    return ServerOutline(
        name=_first(document, ("title",), ("serverInfo", "title"), ("serverInfo", "name"), ("name",)),
        version=_first(document, ("serverInfo", "version"), ("version",)),
        prose=prose(_first(document, ("description",), ("serverInfo", "description"))),
        facts=stated(
            ("name", text(document, "name") or text(document, "serverInfo", "name")),
            ("website", text(document, "websiteUrl") or text(document, "documentationUrl")),
            ("repository", text(document, "repository", "url")),
            ("protocol version", text(document, "protocolVersion")),
            ("credentials", listed(document, "authentication", "schemes")),
        ),
        endpoints=tuple(_endpoint(remote) for remote in _objects(document, "remotes")) + _older(document),
        packages=tuple(_package(package) for package in _objects(document, "packages")),
        tools=tuple(
            ServerPart(text(tool, "name"), note=text(tool, "description"))
            for tool in _objects(document, "tools")
        ),
        recognised="; ".join(detection.evidence) if detection else "dialect given by the caller",
    )


def _first(document: Any, *paths: tuple[str, ...]) -> str:
    return next((value for path in paths if (value := text(document, *path))), "")


def _objects(document: Any, name: str) -> list[dict[str, Any]]:
    return [item for item in items(document, name) if isinstance(item, dict)]


def _endpoint(remote: dict[str, Any]) -> ServerPart:
    headers = ", ".join(text(header, "name") for header in _objects(remote, "headers"))
    versions = listed(remote, "supportedProtocolVersions")
    note = noted(f"MCP {versions}" if versions else "", f"header {headers}" if headers else "")
    return ServerPart(text(remote, "url"), text(remote, "type"), note)


def _older(document: Any) -> tuple[ServerPart, ...]:
    url = text(document, "transport", "endpoint")
    return (ServerPart(url, text(document, "transport", "type")),) if url else ()


def _package(package: dict[str, Any]) -> ServerPart:
    variables = ", ".join(text(variable, "name") for variable in _objects(package, "environmentVariables"))
    parts = (
        text(package, "registryType") or words(package.get("registry_type")),
        text(package, "transport", "type"),
    )
    return ServerPart(
        " ".join(filter(None, (text(package, "identifier"), text(package, "version")))),
        ", ".join(filter(None, parts)),
        f"environment {variables}" if variables else "",
    )
