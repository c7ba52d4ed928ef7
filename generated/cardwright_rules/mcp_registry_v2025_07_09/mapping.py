"""server.json of 2025-07-09 to the hub and back.

Generated from schemas/mappings/mcp-registry-2025-07-09.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="mcp-registry-2025-07-09",
    root="ServerJson",
    objects={
        "ServerJson": ObjectMap(
            hub="AgentCard",
            fields={
                "$schema": FieldMap(("capabilities", "extensions"), "hand", "form"),
                "name": FieldMap(("name",), "hand", "extension"),
                "description": FieldMap(("description",), "hand", "text"),
                "version": FieldMap(("version",)),
                "website_url": FieldMap(("documentationUrl",)),
                "repository": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "packages": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "remotes": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "_meta": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "status": FieldMap(("capabilities", "extensions"), "hand", "extension"),
            },
            beyond={
                "supportedInterfaces": "it is an A2A endpoint, and a description of an MCP server names MCP endpoints alone",
                "provider": "a description of an MCP server has no such field",
                "securitySchemes": "a description of an MCP server names the headers of a remote, and no security scheme",
                "securityRequirements": "a description of an MCP server names the headers of a remote, and no security scheme",
                "defaultInputModes": "a description of an MCP server has no media types",
                "defaultOutputModes": "a description of an MCP server has no media types",
                "signatures": "a signature is valid only for the original bytes, and the conversion changes them",
                "skills": "a description of an MCP server lists no tools: a session with the server does",
                "iconUrl": "server.json of 2025-07-09 has no icons",
            },
        ),
    },
)
