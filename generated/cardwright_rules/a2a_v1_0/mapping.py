"""A2A 1.0, the hub: required fields, and fields of other dialects that it lacks.

Generated from schemas/mappings/a2a-1.0.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import Assumed, FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="a2a-1.0",
    root="AgentCard",
    objects={
        "AgentCard": ObjectMap(
            hub="AgentCard",
            fields={
                "name": FieldMap(("name",)),
                "description": FieldMap(("description",)),
                "supportedInterfaces": FieldMap(("supportedInterfaces",)),
                "provider": FieldMap(("provider",), "object", "AgentProvider"),
                "version": FieldMap(("version",)),
                "documentationUrl": FieldMap(("documentationUrl",)),
                "capabilities": FieldMap(("capabilities",), "object", "AgentCapabilities"),
                "securitySchemes": FieldMap(("securitySchemes",)),
                "securityRequirements": FieldMap(("securityRequirements",)),
                "defaultInputModes": FieldMap(("defaultInputModes",)),
                "defaultOutputModes": FieldMap(("defaultOutputModes",)),
                "skills": FieldMap(("skills",), "items", "AgentSkill"),
                "signatures": FieldMap(
                    ("signatures",),
                    "lost",
                    "a signature is valid only for the original bytes, and the conversion changes them: sign the converted card",
                ),
                "iconUrl": FieldMap(("iconUrl",)),
            },
            assume=(
                Assumed(
                    "description", "A2A 1.0 requires a description (§4.4.1): the name is used", source="name"
                ),
                Assumed(
                    "version",
                    "A2A 1.0 requires the agent's version (§4.4.1), and the card has none",
                    value="0.0.0",
                ),
                Assumed("capabilities", "A2A 1.0 requires capabilities (§4.4.1): an empty object", value={}),
                Assumed(
                    "defaultInputModes",
                    "A2A 1.0 requires a mode (§4.4.1): plain text, as A2A 0.1 §5.5 assumes",
                    value=("text/plain",),
                ),
                Assumed(
                    "defaultOutputModes",
                    "A2A 1.0 requires a mode (§4.4.1): plain text, as A2A 0.1 §5.5 assumes",
                    value=("text/plain",),
                ),
            ),
        ),
        "AgentProvider": ObjectMap(
            hub="AgentProvider",
            fields={
                "url": FieldMap(("url",)),
                "organization": FieldMap(("organization",)),
            },
        ),
        "AgentCapabilities": ObjectMap(
            hub="AgentCapabilities",
            fields={
                "streaming": FieldMap(("streaming",)),
                "pushNotifications": FieldMap(("pushNotifications",)),
                "extensions": FieldMap(("extensions",)),
                "extendedAgentCard": FieldMap(("extendedAgentCard",)),
            },
            beyond={
                "stateTransitionHistory": "A2A 1.0 has no stateTransitionHistory (§A.2)",
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
                "securityRequirements": FieldMap(("securityRequirements",)),
            },
            assume=(
                Assumed(
                    "name", "A2A 1.0 requires a name for every skill (§4.4.5): the id is used", source="id"
                ),
                Assumed(
                    "description",
                    "A2A 1.0 requires a description for every skill (§4.4.5): the name is used",
                    source="name",
                ),
                Assumed(
                    "tags", "A2A 1.0 requires a tag for every skill (§5.7): a placeholder", value=("general",)
                ),
            ),
        ),
    },
)
