"""The document of a Beach 1.0 card, from the arguments of the builder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.builder.arguments import items, mapping, mappings, named, text
from cardwright.builder.described import DescribedFunction, described, is_function
from cardwright.conversion.beach_v1_0 import NAME, SCHEMA_VERSION
from cardwright.errors import BadArgument

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NAME", "REQUIRED", "document"]

# What the seed's table calls required, beside what every card has (Beach card seed, Required).
REQUIRED: Final = ("id", "capabilities", "transports")


def document(given: Mapping[str, Any], generated_at: str | None) -> dict[str, Any]:
    """Return the document that the arguments say, right or wrong.

    Args:
        given: The arguments that were given, by their names.
        generated_at: When the card is made.

    Raises:
        BadArgument: If an argument has the wrong type, or one is missing or too much.
        BadFunction: If a function cannot be described.
    """
    for name in REQUIRED:
        if name not in given:
            raise BadArgument(name, f"a Beach card has one: give {name}=")
    card: dict[str, Any] = {
        "schemaVersion": text("schema_version", given.get("schema_version", SCHEMA_VERSION)),
        "id": text("id", given["id"]),
        "name": text("name", given["name"]),
    }
    if "display_name" in given:
        card["displayName"] = text("display_name", given["display_name"])
    card["description"] = text("description", given["description"])
    card["version"] = text("version", given["version"])
    if "provider" in given:
        card["provider"] = mapping("provider", given["provider"], "beach_v1_0.Provider")
    card["capabilities"] = [
        _capability(f"capabilities[{index}]", one)
        for index, one in enumerate(items("capabilities", given["capabilities"]))
    ]
    card["transports"] = mappings("transports", given["transports"], "beach_v1_0.Transport")
    if "envelope" in given:
        card["envelope"] = mapping("envelope", given["envelope"], "beach_v1_0.EnvelopeBlock")
    if blocks := _extensions(given):
        card["extensions"] = blocks
    if "contact" in given:
        card["contact"] = mapping("contact", given["contact"], "beach_v1_0.Contact")
    if generated_at is not None:
        card["generatedAt"] = generated_at
    return card


def _capability(argument: str, value: object) -> dict[str, Any]:
    if isinstance(value, DescribedFunction) or is_function(value):
        return described(value).to_capability()
    return mapping(argument, value, "beach_v1_0.Capability", taken="a function")


def _extensions(given: Mapping[str, Any]) -> dict[str, Any]:
    blocks = named("extensions", given.get("extensions", {}), mapping)
    if "beach" not in given:
        return blocks
    if "beach" in blocks:
        raise BadArgument("beach", "extensions= has a block of that name already: leave one of them out")
    return {"beach": mapping("beach", given["beach"], "beach_v1_0.BeachExtension"), **blocks}
