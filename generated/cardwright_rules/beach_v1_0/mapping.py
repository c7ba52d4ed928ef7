"""Beach 1.0 to the hub and back.

Generated from schemas/mappings/beach-1.0.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import Assumed, FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="beach-1.0",
    root="AgentCard",
    objects={
        "AgentCard": ObjectMap(
            hub="AgentCard",
            fields={
                "$schema": FieldMap(("$schema",), "lost", "it names the format of the source card"),
                "schemaVersion": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "id": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "name": FieldMap(("name",)),
                "displayName": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "description": FieldMap(("description",)),
                "version": FieldMap(("version",)),
                "provider": FieldMap(("provider",), "object", "Provider"),
                "capabilities": FieldMap(("skills",), "items", "Capability"),
                "transports": FieldMap(("supportedInterfaces",), "hand", "transports"),
                "envelope": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "extensions": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "contact": FieldMap(("capabilities", "extensions"), "hand", "extension"),
                "generatedAt": FieldMap(("capabilities", "extensions"), "hand", "extension"),
            },
            beyond={
                "documentationUrl": "a Beach card has no documentation URL",
                "iconUrl": "a Beach card has no icon",
                "defaultInputModes": "a Beach card has no media types",
                "defaultOutputModes": "a Beach card has no media types",
                "signatures": "a Beach card is not signed",
                "securitySchemes": "a Beach card describes security in its transports",
                "securityRequirements": "a Beach card describes security in its transports",
            },
        ),
        "Provider": ObjectMap(
            hub="AgentProvider",
            fields={
                "name": FieldMap(("organization",)),
                "url": FieldMap(("url",)),
            },
        ),
        "Capability": ObjectMap(
            hub="AgentSkill",
            fields={
                "id": FieldMap(("id",)),
                "description": FieldMap(("description",)),
                "examples": FieldMap(("examples",)),
                "requiredScopes": FieldMap(("securityRequirements",), "hand", "scopes"),
                "inputSchema": FieldMap(("inputSchema",)),
                "outputSchema": FieldMap(("outputSchema",)),
            },
            beyond={
                "name": "a Beach capability has an id and a description, no name",
                "tags": "a Beach capability has no tags",
                "inputModes": "a Beach capability has no media types",
                "outputModes": "a Beach capability has no media types",
            },
            assume=(
                Assumed(
                    "name",
                    "a Beach capability has no name, and A2A 1.0 requires one: the id is used",
                    source="id",
                ),
            ),
        ),
    },
)
