"""A2A 0.1 to the hub and back.

Generated from schemas/mappings/a2a-0.1.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import Assumed, FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="a2a-0.1",
    root="AgentCard",
    objects={
        "AgentCard": ObjectMap(
            hub="AgentCard",
            fields={
                "name": FieldMap(("name",)),
                "description": FieldMap(("description",)),
                "url": FieldMap(("supportedInterfaces",), "hand", "interfaces"),
                "provider": FieldMap(("provider",), "object", "AgentProvider"),
                "version": FieldMap(("version",)),
                "documentationUrl": FieldMap(("documentationUrl",)),
                "capabilities": FieldMap(("capabilities",), "object", "AgentCapabilities"),
                "authentication": FieldMap(("securitySchemes",), "hand", "authentication"),
                "defaultInputModes": FieldMap(("defaultInputModes",)),
                "defaultOutputModes": FieldMap(("defaultOutputModes",)),
                "skills": FieldMap(("skills",), "items", "AgentSkill"),
            },
            beyond={
                "signatures": "A2A 0.1 cards are not signed",
                "iconUrl": "A2A 0.1 has no icon",
            },
            assume=(
                Assumed("defaultInputModes", "the default of A2A 0.1 §5.5", value=("text/plain",)),
                Assumed("defaultOutputModes", "the default of A2A 0.1 §5.5", value=("text/plain",)),
            ),
        ),
        "AgentProvider": ObjectMap(
            hub="AgentProvider",
            fields={
                "organization": FieldMap(("organization",)),
                "url": FieldMap(("url",)),
            },
        ),
        "AgentCapabilities": ObjectMap(
            hub="AgentCapabilities",
            fields={
                "streaming": FieldMap(("streaming",)),
                "pushNotifications": FieldMap(("pushNotifications",)),
                "stateTransitionHistory": FieldMap(("stateTransitionHistory",)),
            },
            beyond={
                "extendedAgentCard": "A2A 0.1 has no extended card",
            },
        ),
        "AgentSkill": ObjectMap(
            hub="AgentSkill",
            fields={
                "id": FieldMap(("id",)),
                "name": FieldMap(("name",)),
                "description": FieldMap(("description",)),
                "tags": FieldMap(("tags",)),
                "examples": FieldMap(("examples",)),
                "inputModes": FieldMap(("inputModes",)),
                "outputModes": FieldMap(("outputModes",)),
            },
            beyond={
                "securityRequirements": "A2A 0.1 has no security on a skill",
            },
        ),
    },
)
