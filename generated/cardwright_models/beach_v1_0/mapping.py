"""Beach 1.0 to the hub and back.

Generated from schemas/mappings/beach-1.0.mapping.json
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

from typing import Final

from cardwright_runtime.mapping import Assumed, Mapping, Member, ObjectMap

MAPPING: Final = Mapping(
    dialect="beach-1.0",
    root="AgentCard",
    objects={
        "AgentCard": ObjectMap(
            hub="AgentCard",
            members={
                "$schema": Member(("$schema",), "lost", "it names the format of the card it stood in"),
                "schemaVersion": Member(("capabilities", "extensions"), "hand", "extension"),
                "id": Member(("capabilities", "extensions"), "hand", "extension"),
                "name": Member(("name",)),
                "displayName": Member(("capabilities", "extensions"), "hand", "extension"),
                "description": Member(("description",)),
                "version": Member(("version",)),
                "provider": Member(("provider",), "object", "Provider"),
                "capabilities": Member(("skills",), "items", "Capability"),
                "transports": Member(("supportedInterfaces",), "hand", "transports"),
                "envelope": Member(("capabilities", "extensions"), "hand", "extension"),
                "extensions": Member(("capabilities", "extensions"), "hand", "extension"),
                "contact": Member(("capabilities", "extensions"), "hand", "extension"),
                "generatedAt": Member(("capabilities", "extensions"), "hand", "extension"),
            },
            beyond={
                "documentationUrl": "a Beach card has no documentation URL",
                "iconUrl": "a Beach card has no icon",
                "defaultInputModes": "a Beach card has no media types",
                "defaultOutputModes": "a Beach card has no media types",
                "signatures": "a Beach card is not signed",
                "securitySchemes": "a Beach card says security by its transports",
                "securityRequirements": "a Beach card says security by its transports",
            },
        ),
        "Provider": ObjectMap(
            hub="AgentProvider",
            members={
                "name": Member(("organization",)),
                "url": Member(("url",)),
            },
        ),
        "Capability": ObjectMap(
            hub="AgentSkill",
            members={
                "id": Member(("id",)),
                "description": Member(("description",)),
                "examples": Member(("examples",)),
                "requiredScopes": Member(("securityRequirements",), "hand", "scopes"),
                "inputSchema": Member(("inputSchema",)),
                "outputSchema": Member(("outputSchema",)),
            },
            beyond={
                "name": "a Beach capability has an id and a description, no name",
                "tags": "a Beach capability has no tags",
                "inputModes": "a Beach capability has no media types",
                "outputModes": "a Beach capability has no media types",
            },
            assume=(
                Assumed(
                    "name", "a Beach capability has no name, and A2A 1.0 requires one: its id", source="id"
                ),
            ),
        ),
    },
)
