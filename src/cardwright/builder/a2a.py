"""The document of an A2A 1.0 card, from the arguments of the builder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cardwright.builder.arguments import flag, items, mapping, mappings, text, texts
from cardwright.builder.described import DescribedFunction, described, is_function
from cardwright.builder.security import requirements, schemes
from cardwright.conversion import extensions
from cardwright.conversion.beach_v1_0 import DESCRIPTION
from cardwright.conversion.notes import Notes
from cardwright.errors import BadArgument

if TYPE_CHECKING:
    from collections.abc import Callable

NAME: Final = "a2a-1.0"
# A2A 1.0 §5.8: the binding that most agents and clients speak; §4.4.6: versions as Major.Minor.
BINDING: Final = "JSONRPC"
VERSIONS: Final = ("1.0",)
# What 0.1 assumed where nothing was said, and what most agents say since.
MODES: Final = ("text/plain",)

_PLAIN: Final[dict[str, tuple[str, Callable[[str, object], Any]]]] = {
    "documentation_url": ("documentationUrl", text),
    "icon_url": ("iconUrl", text),
    "security_schemes": ("securitySchemes", schemes),
    "security": ("securityRequirements", requirements),
}
_FLAGS: Final = {
    "streaming": "streaming",
    "push_notifications": "pushNotifications",
    "extended_agent_card": "extendedAgentCard",
}
_SCHEMAS: Final = ("input_schema", "output_schema")


def document(given: Mapping[str, Any], generated_at: str | None) -> dict[str, Any]:
    """Return the document that the arguments say, right or wrong.

    Args:
        given: The arguments that were given, by their names.
        generated_at: When the card is made; said only in the Beach extension.

    Raises:
        BadArgument: If an argument has the wrong type, or one is missing or too much.
        BadFunction: If a function cannot be described.
    """
    card: dict[str, Any] = {name: text(name, given[name]) for name in ("name", "description", "version")}
    card["supportedInterfaces"] = _interfaces(given)
    if "provider" in given:
        card["provider"] = mapping("provider", given["provider"], "a2a_v1_0.AgentProvider")
    for name, (member, read) in _PLAIN.items():
        if name in given:
            card[member] = read(name, given[name])
    card["capabilities"] = _capabilities(given)
    card["defaultInputModes"] = texts("input_modes", given.get("input_modes", MODES))
    card["defaultOutputModes"] = texts("output_modes", given.get("output_modes", MODES))
    card["skills"] = [
        _skill(f"skills[{i}]", one) for i, one in enumerate(items("skills", given.get("skills")))
    ]
    if "beach" in given:
        extensions.declare(card, extensions.BEACH_EXTENSION_URI, DESCRIPTION, _beach(given, generated_at))
    return extensions.sink_schemas(card, Notes())


def _interfaces(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    about = [name for name in ("url", "binding", "protocol_versions") if name in given]
    if "interfaces" in given:
        if about:
            raise BadArgument(about[0], f"interfaces= says it already: leave {about[0]}= or interfaces= out")
        return mappings("interfaces", given["interfaces"], "a2a_v1_0.AgentInterface")
    if "url" not in given:
        raise BadArgument("url", "an A2A card says where the agent is: give url=, or interfaces= for several")
    url = text("url", given["url"])
    binding = text("binding", given.get("binding", BINDING))
    versions = texts("protocol_versions", given.get("protocol_versions", VERSIONS))
    return [{"url": url, "protocolBinding": binding, "protocolVersion": version} for version in versions]


def _capabilities(given: Mapping[str, Any]) -> dict[str, Any]:
    said: dict[str, Any] = {
        member: flag(name, given[name]) for name, member in _FLAGS.items() if name in given
    }
    if "extensions" in given:
        said["extensions"] = mappings("extensions", given["extensions"], "a2a_v1_0.AgentExtension")
    return said


def _skill(argument: str, value: object) -> dict[str, Any]:
    if isinstance(value, DescribedFunction) or is_function(value):
        return described(value).to_skill()
    skill = mapping(argument, value, "a2a_v1_0.AgentSkill", also=_SCHEMAS, taken="a function")
    asked = None if not isinstance(value, Mapping) else skill.get("securityRequirements")
    if isinstance(asked, list):
        skill["securityRequirements"] = requirements(f"{argument}['security_requirements']", asked)
    return skill


def _beach(given: Mapping[str, Any], generated_at: str | None) -> dict[str, Any]:
    params = mapping("beach", given["beach"], "beach_v1_0.BeachExtensionParams")
    if generated_at is None:
        return params
    if "generatedAt" in params:
        raise BadArgument("clock", "beach= says generated_at already: leave one of them out")
    return {**params, "generatedAt": generated_at}
