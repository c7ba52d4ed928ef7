"""Document of a Beach 1.0 card, from the arguments of the builder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.builder.arguments import items, mapping, mappings, named, text
from cardwright.builder.described import DescribedFunction, described, is_function
from cardwright.conversion.beach_v1_0 import NAME, SCHEMA_VERSION
from cardwright.errors import BadArgument

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NAME", "REQUIRED", "document"]

# Required fields of a Beach card, in addition to those of every card (Beach card seed, Required).
REQUIRED: Final = ("id", "capabilities", "transports")


def document(arguments: Mapping[str, Any], generated_at: str | None) -> dict[str, Any]:
    """Return the document for the arguments, valid or not.

    Args:
        arguments: The arguments that are not None, by their names.
        generated_at: The creation time of the card.

    Raises:
        BadArgument: If an argument has the wrong type, is missing, or conflicts with another.
        BadFunction: If a function cannot be described.
    """
    for name in REQUIRED:
        if name not in arguments:
            raise BadArgument(name, f"a Beach card requires it. Add {name}=")
    card: dict[str, Any] = {
        "schemaVersion": text("schema_version", arguments.get("schema_version", SCHEMA_VERSION)),
        "id": text("id", arguments["id"]),
        "name": text("name", arguments["name"]),
    }
    if "display_name" in arguments:
        card["displayName"] = text("display_name", arguments["display_name"])
    card["description"] = text("description", arguments["description"])
    card["version"] = text("version", arguments["version"])
    if "provider" in arguments:
        card["provider"] = mapping("provider", arguments["provider"], "beach_v1_0.Provider")
    card["capabilities"] = [
        _capability(f"capabilities[{index}]", item)
        for index, item in enumerate(items("capabilities", arguments["capabilities"]))
    ]
    card["transports"] = mappings("transports", arguments["transports"], "beach_v1_0.Transport")
    if "envelope" in arguments:
        card["envelope"] = mapping("envelope", arguments["envelope"], "beach_v1_0.EnvelopeBlock")
    if blocks := _extensions(arguments):
        card["extensions"] = blocks
    if "contact" in arguments:
        card["contact"] = mapping("contact", arguments["contact"], "beach_v1_0.Contact")
    if generated_at is not None:
        card["generatedAt"] = generated_at
    return card


def _capability(argument: str, value: object) -> dict[str, Any]:
    if isinstance(value, DescribedFunction) or is_function(value):
        return described(value).to_capability()
    return mapping(argument, value, "beach_v1_0.Capability", taken="a function")


def _extensions(arguments: Mapping[str, Any]) -> dict[str, Any]:
    blocks = named("extensions", arguments.get("extensions", {}), mapping)
    if "beach" not in arguments:
        return blocks
    if "beach" in blocks:
        raise BadArgument("beach", "extensions= already has a block named beach. Remove one of them")
    return {"beach": mapping("beach", arguments["beach"], "beach_v1_0.BeachExtension"), **blocks}
