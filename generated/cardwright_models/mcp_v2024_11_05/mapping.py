"""MCP-synthesised card to the hub and back.

Generated from schemas/mappings/mcp-2024-11-05.mapping.json
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

from typing import Final

from cardwright_runtime.mapping import Mapping, Member, ObjectMap

MAPPING: Final = Mapping(
    dialect="mcp-2024-11-05",
    root="AgentCard",
    objects={
        "AgentCard": ObjectMap(
            hub="AgentCard",
            members={
                "name": Member(("name",)),
                "description": Member(("description",)),
                "url": Member(("supportedInterfaces",), "hand", "interfaces"),
                "protocol": Member(("capabilities", "extensions"), "hand", "extension"),
                "protocolVersion": Member(("capabilities", "extensions"), "hand", "extension"),
                "version": Member(("version",)),
                "capabilities": Member(("capabilities", "extensions"), "hand", "extension"),
                "skills": Member(("skills",), "items", "AgentSkill"),
                "resources": Member(("capabilities", "extensions"), "hand", "extension"),
                "prompts": Member(("capabilities", "extensions"), "hand", "extension"),
                "extensions": Member(("capabilities", "extensions"), "hand", "extension"),
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
            members={
                "id": Member(("id",)),
                "name": Member(("name",)),
                "description": Member(("description",)),
                "inputSchema": Member(("inputSchema",)),
                "outputSchema": Member(("outputSchema",)),
                "annotations": Member(("annotations",)),
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
