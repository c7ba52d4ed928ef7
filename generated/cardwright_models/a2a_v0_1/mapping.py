"""A2A 0.1 to the hub and back.

Generated from schemas/mappings/a2a-0.1.mapping.json
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

from typing import Final

from cardwright_runtime.mapping import Assumed, Mapping, Member, ObjectMap

MAPPING: Final = Mapping(
    dialect="a2a-0.1",
    root="AgentCard",
    objects={
        "AgentCard": ObjectMap(
            hub="AgentCard",
            members={
                "name": Member(("name",)),
                "description": Member(("description",)),
                "url": Member(("supportedInterfaces",), "hand", "interfaces"),
                "provider": Member(("provider",), "object", "AgentProvider"),
                "version": Member(("version",)),
                "documentationUrl": Member(("documentationUrl",)),
                "capabilities": Member(("capabilities",), "object", "AgentCapabilities"),
                "authentication": Member(("securitySchemes",), "hand", "authentication"),
                "defaultInputModes": Member(("defaultInputModes",)),
                "defaultOutputModes": Member(("defaultOutputModes",)),
                "skills": Member(("skills",), "items", "AgentSkill"),
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
            members={
                "organization": Member(("organization",)),
                "url": Member(("url",)),
            },
        ),
        "AgentCapabilities": ObjectMap(
            hub="AgentCapabilities",
            members={
                "streaming": Member(("streaming",)),
                "pushNotifications": Member(("pushNotifications",)),
                "stateTransitionHistory": Member(("stateTransitionHistory",)),
            },
            beyond={
                "extendedAgentCard": "A2A 0.1 has no extended card",
            },
        ),
        "AgentSkill": ObjectMap(
            hub="AgentSkill",
            members={
                "id": Member(("id",)),
                "name": Member(("name",)),
                "description": Member(("description",)),
                "tags": Member(("tags",)),
                "examples": Member(("examples",)),
                "inputModes": Member(("inputModes",)),
                "outputModes": Member(("outputModes",)),
            },
            beyond={
                "securityRequirements": "A2A 0.1 has no security on a skill",
            },
        ),
    },
)
