"""Older MCP server card (SEP-1649) to the hub and back.

Generated from schemas/mappings/mcp-server-card-1649.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="mcp-server-card-1649",
    root="OlderServerCard",
    objects={
        "OlderServerCard": ObjectMap(
            hub="AgentCard",
            fields={
                "$schema": FieldMap(("$schema",), "lost", "it names the schema of the older form"),
                "version": FieldMap(
                    ("version",), "lost", "it is the version of the older form, and not of the server"
                ),
                "protocolVersion": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "serverInfo": FieldMap(("name",), "hand", "info"),
                "description": FieldMap(("description",), "hand", "info"),
                "iconUrl": FieldMap(("iconUrl",)),
                "documentationUrl": FieldMap(("documentationUrl",)),
                "transport": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "capabilities": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "authentication": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "instructions": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "tools": FieldMap(("skills",), "hand", "tools"),
                "resources": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "prompts": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "_meta": FieldMap(("capabilities", "extensions"), "hand", "extension"),
            },
            beyond={
                "supportedInterfaces": "it is an A2A endpoint, and a description of an MCP server names MCP endpoints alone",
                "provider": "a description of an MCP server has no such field",
                "securitySchemes": "a description of an MCP server names the headers of a remote, and no security scheme",
                "securityRequirements": "a description of an MCP server names the headers of a remote, and no security scheme",
                "defaultInputModes": "a description of an MCP server has no media types",
                "defaultOutputModes": "a description of an MCP server has no media types",
                "signatures": "a signature is valid only for the original bytes, and the conversion changes them",
            },
        ),
        "Tool": ObjectMap(
            hub="AgentSkill",
            fields={
                "name": FieldMap(("id",)),
                "title": FieldMap(("name",)),
                "description": FieldMap(("description",)),
                "inputSchema": FieldMap(("inputSchema",)),
                "annotations": FieldMap(("annotations",)),
            },
            beyond={
                "tags": "an MCP tool has no tags",
                "examples": "an MCP tool has no examples",
                "inputModes": "an MCP tool has no media types",
                "outputModes": "an MCP tool has no media types",
                "securityRequirements": "an MCP tool has no security",
            },
        ),
    },
)
