"""server.json of the MCP registry to the hub of MCP servers and back.

Generated from schemas/mappings/family/mcp-registry-2025-12-11.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="mcp-registry-2025-12-11",
    root="ServerJson",
    hub="mcp-server-card-1",
    objects={
        "ServerJson": ObjectMap(
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
                "packages": FieldMap(("packages",)),
                "remotes": FieldMap(("remotes",), "hand", "remotes"),
                "_meta": FieldMap(("_meta",)),
            },
            beyond={
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
        ),
    },
)
