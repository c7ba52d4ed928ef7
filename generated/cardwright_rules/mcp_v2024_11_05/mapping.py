"""MCP-synthesised card to the hub and back.

Generated from schemas/mappings/mcp-2024-11-05.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="mcp-2024-11-05",
    root="AgentCard",
    objects={
        "AgentCard": ObjectMap(
            hub="AgentCard",
            fields={
                "name": FieldMap(("name",)),
                "description": FieldMap(("description",)),
                "url": FieldMap(("supportedInterfaces",), "hand", "interfaces"),
                "protocol": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "protocolVersion": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "version": FieldMap(("version",)),
                "capabilities": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "skills": FieldMap(("skills",), "items", "AgentSkill"),
                "resources": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "prompts": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "extensions": FieldMap(("capabilities", "extensions"), "hand", "extension"),
            },
            beyond={
                "provider": "an MCP card has no provider",
                "documentationUrl": "an MCP card has no documentation URL",
                "iconUrl": "an MCP card has no icon",
                "securitySchemes": "an MCP card has no security",
                "securityRequirements": "an MCP card has no security",
                "defaultInputModes": "an MCP card has no media types",
                "defaultOutputModes": "an MCP card has no media types",
                "signatures": "an MCP card has no signatures",
            },
        ),
        "AgentSkill": ObjectMap(
            hub="AgentSkill",
            fields={
                "id": FieldMap(("id",)),
                "name": FieldMap(("name",)),
                "description": FieldMap(("description",)),
                "inputSchema": FieldMap(("inputSchema",)),
                "outputSchema": FieldMap(("outputSchema",)),
                "annotations": FieldMap(("annotations",)),
            },
            beyond={
                "tags": "an MCP card has no tags",
                "examples": "an MCP card has no examples",
                "inputModes": "an MCP card has no media types",
                "outputModes": "an MCP card has no media types",
                "securityRequirements": "an MCP card has no security",
            },
        ),
    },
)
