"""Card generated from an MCP session to the hub of MCP servers and back.

Generated from schemas/mappings/family/mcp-2024-11-05.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="mcp-2024-11-05",
    root="AgentCard",
    hub="mcp-server-card-1",
    objects={
        "AgentCard": ObjectMap(
            hub="ServerCard",
            fields={
                "name": FieldMap(("name",), "hand", "name"),
                "description": FieldMap(("description",)),
                "url": FieldMap(("remotes",), "hand", "remotes"),
                "protocol": FieldMap(("protocol",), "constant", "mcp"),
                "protocolVersion": FieldMap(("protocolVersion",), "hand", "remotes"),
                "version": FieldMap(("version",)),
                "capabilities": FieldMap(("capabilities",), "hand", "capabilities"),
                "skills": FieldMap(("tools",), "hand", "tools"),
                "resources": FieldMap(("resources",), "hand", "parts"),
                "prompts": FieldMap(("prompts",), "hand", "parts"),
                "extensions": FieldMap(("extensions",)),
            },
            beyond={
                "websiteUrl": "a card generated from an MCP session has no such field",
                "repository": "a card generated from an MCP session has no such field",
                "icons": "a card generated from an MCP session has no such field",
                "_meta": "a card generated from an MCP session has no such field",
                "packages": "a card generated from an MCP session has no such field",
                "authentication": "a card generated from an MCP session has no such field",
                "instructions": "a card generated from an MCP session has no such field",
                "transport": "it has no absolute URL of an MCP server with the transport streamable-http or sse",
            },
        ),
    },
)
