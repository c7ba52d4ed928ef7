"""Document of an A2A 1.0 card, from the arguments of the builder."""

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
from cardwright.view.interfaces import BEACH_EXTENSION_URI

if TYPE_CHECKING:
    from collections.abc import Callable

NAME: Final = "a2a-1.0"
# A2A 1.0 §5.8: the binding that most agents and clients support; §4.4.6: versions as Major.Minor.
BINDING: Final = "JSONRPC"
VERSIONS: Final = ("1.0",)
# The default of A2A 0.1, which most agents still use.
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


def document(arguments: Mapping[str, Any], generated_at: str | None) -> dict[str, Any]:
    """Return the document for the arguments, valid or not.

    Args:
        arguments: The arguments that are not None, by their names.
        generated_at: The creation time of the card; only the Beach extension has it.

    Raises:
        BadArgument: If an argument has the wrong type, is missing, or conflicts with another.
        BadFunction: If a function cannot be described.
    """
    card: dict[str, Any] = {name: text(name, arguments[name]) for name in ("name", "description", "version")}
    card["supportedInterfaces"] = _interfaces(arguments)
    if "provider" in arguments:
        card["provider"] = mapping("provider", arguments["provider"], "a2a_v1_0.AgentProvider")
    for name, (field, read) in _PLAIN.items():
        if name in arguments:
            card[field] = read(name, arguments[name])
    card["capabilities"] = _capabilities(arguments)
    card["defaultInputModes"] = texts("input_modes", arguments.get("input_modes", MODES))
    card["defaultOutputModes"] = texts("output_modes", arguments.get("output_modes", MODES))
    card["skills"] = [
        _skill(f"skills[{i}]", item) for i, item in enumerate(items("skills", arguments.get("skills")))
    ]
    if "beach" in arguments:
        extensions.declare(card, BEACH_EXTENSION_URI, DESCRIPTION, _beach(arguments, generated_at))
    return extensions.sink_schemas(card, Notes())


def _interfaces(arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    conflicting = [name for name in ("url", "binding", "protocol_versions") if name in arguments]
    if "interfaces" in arguments:
        if conflicting:
            raise BadArgument(
                conflicting[0], f"conflicts with interfaces=. Remove {conflicting[0]}= or interfaces="
            )
        return mappings("interfaces", arguments["interfaces"], "a2a_v1_0.AgentInterface")
    if "url" not in arguments:
        raise BadArgument("url", "an A2A card requires a URL. Add url=, or interfaces= for several")
    url = text("url", arguments["url"])
    binding = text("binding", arguments.get("binding", BINDING))
    versions = texts("protocol_versions", arguments.get("protocol_versions", VERSIONS))
    return [{"url": url, "protocolBinding": binding, "protocolVersion": version} for version in versions]


def _capabilities(arguments: Mapping[str, Any]) -> dict[str, Any]:
    capabilities: dict[str, Any] = {
        field: flag(name, arguments[name]) for name, field in _FLAGS.items() if name in arguments
    }
    if "extensions" in arguments:
        capabilities["extensions"] = mappings(
            "extensions", arguments["extensions"], "a2a_v1_0.AgentExtension"
        )
    return capabilities


def _skill(argument: str, value: object) -> dict[str, Any]:
    if isinstance(value, DescribedFunction) or is_function(value):
        return described(value).to_skill()
    skill = mapping(argument, value, "a2a_v1_0.AgentSkill", also=_SCHEMAS, taken="a function")
    security = skill.get("securityRequirements") if isinstance(value, Mapping) else None
    if isinstance(security, list):
        skill["securityRequirements"] = requirements(f"{argument}['security_requirements']", security)
    return skill


def _beach(arguments: Mapping[str, Any], generated_at: str | None) -> dict[str, Any]:
    params = mapping("beach", arguments["beach"], "beach_v1_0.BeachExtensionParams")
    if generated_at is None:
        return params
    if "generatedAt" in params:
        raise BadArgument("clock", "beach= already has generated_at. Remove one of them")
    return {**params, "generatedAt": generated_at}
