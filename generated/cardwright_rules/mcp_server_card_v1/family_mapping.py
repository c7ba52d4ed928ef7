"""MCP server card (SEP-2127), the hub of descriptions of MCP servers.

Generated from schemas/mappings/family/mcp-server-card-1.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import Assumed, FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="mcp-server-card-1",
    root="ServerCard",
    hub="mcp-server-card-1",
    objects={
        "ServerCard": ObjectMap(
            hub="ServerCard",
            fields={
                "$schema": FieldMap(("$schema",), "hand", "form"),
                "name": FieldMap(("name",), "hand", "name"),
                "description": FieldMap(("description",), "hand", "text"),
                "title": FieldMap(("title",), "hand", "text"),
                "version": FieldMap(("version",)),
                "websiteUrl": FieldMap(("websiteUrl",)),
                "repository": FieldMap(("repository",)),
                "icons": FieldMap(("icons",)),
                "remotes": FieldMap(("remotes",), "hand", "remotes"),
                "_meta": FieldMap(("_meta",)),
            },
            beyond={
                "packages": "an MCP server card names no packages: server.json of the MCP registry does",
                "protocolVersion": "it names no endpoint whose version of MCP this could be",
                "capabilities": "a description of an MCP server does not have it: a session with the server does",
                "instructions": "a description of an MCP server does not have it: a session with the server does",
                "resources": "a description of an MCP server does not have it: a session with the server does",
                "prompts": "a description of an MCP server does not have it: a session with the server does",
                "tools": "a description of an MCP server lists no tools: a session with the server does",
                "authentication": "a description of an MCP server names the headers of a remote, and no scheme",
                "transport": "it has no absolute URL of an MCP server with the transport streamable-http or sse",
                "url": "it is no absolute URL of an MCP server",
                "extensions": "a description of an MCP server has no A2A extensions",
            },
            assume=(
                Assumed(
                    "description", "a server card requires a description: the name is used", source="name"
                ),
                Assumed(
                    "version",
                    "a server card requires the version of the server, and the source has none",
                    value="0.0.0",
                ),
            ),
        ),
    },
)
