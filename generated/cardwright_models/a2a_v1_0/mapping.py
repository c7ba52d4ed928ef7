"""A2A 1.0, the hub itself: what it requires, and what others say and it does not.

Generated from schemas/mappings/a2a-1.0.mapping.json
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

from typing import Final

from cardwright_runtime.mapping import Assumed, Mapping, Member, ObjectMap

MAPPING: Final = Mapping(
    dialect="a2a-1.0",
    root="AgentCard",
    objects={
        "AgentCard": ObjectMap(
            hub="AgentCard",
            members={
                "name": Member(("name",)),
                "description": Member(("description",)),
                "supportedInterfaces": Member(("supportedInterfaces",)),
                "provider": Member(("provider",), "object", "AgentProvider"),
                "version": Member(("version",)),
                "documentationUrl": Member(("documentationUrl",)),
                "capabilities": Member(("capabilities",), "object", "AgentCapabilities"),
                "securitySchemes": Member(("securitySchemes",)),
                "securityRequirements": Member(("securityRequirements",)),
                "defaultInputModes": Member(("defaultInputModes",)),
                "defaultOutputModes": Member(("defaultOutputModes",)),
                "skills": Member(("skills",), "items", "AgentSkill"),
                "signatures": Member(
                    ("signatures",),
                    "lost",
                    "a signature holds for the bytes it was made over, and a conversion changes them: sign the converted card",
                ),
                "iconUrl": Member(("iconUrl",)),
            },
            assume=(
                Assumed(
                    "description",
                    "A2A 1.0 requires a description (§4.4.1): the name says what there is to say",
                    source="name",
                ),
                Assumed(
                    "version",
                    "A2A 1.0 requires the agent's version (§4.4.1), and none is given",
                    value="0.0.0",
                ),
                Assumed("capabilities", "A2A 1.0 requires capabilities (§4.4.1): none is claimed", value={}),
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
            members={
                "url": Member(("url",)),
                "organization": Member(("organization",)),
            },
        ),
        "AgentCapabilities": ObjectMap(
            hub="AgentCapabilities",
            members={
                "streaming": Member(("streaming",)),
                "pushNotifications": Member(("pushNotifications",)),
                "extensions": Member(("extensions",)),
                "extendedAgentCard": Member(("extendedAgentCard",)),
            },
            beyond={
                "stateTransitionHistory": "A2A 1.0 has no stateTransitionHistory (§A.2)",
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
                "securityRequirements": Member(("securityRequirements",)),
            },
            assume=(
                Assumed("name", "A2A 1.0 requires a name on every skill (§4.4.5): its id", source="id"),
                Assumed(
                    "description",
                    "A2A 1.0 requires a description on every skill (§4.4.5): its name",
                    source="name",
                ),
                Assumed(
                    "tags",
                    "A2A 1.0 requires a tag on every skill (§5.7): an invented one",
                    value=("general",),
                ),
            ),
        ),
    },
)
