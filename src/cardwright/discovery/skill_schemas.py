"""Input and output schemas in a card: of a Beach capability, of a skill, or in the cardwright extension."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from cardwright.conversion.extensions import SCHEMAS_URI, params_of
from cardwright.conversion.notes import below
from cardwright.errors import UnknownSkill
from cardwright_runtime.checks import objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card

Side = Literal["input", "output"]
SIDES: Final[tuple[Side, ...]] = ("input", "output")


@dataclass(frozen=True, slots=True)
class Declared:
    """A schema in a card.

    Attributes:
        skill: The skill's or capability's id.
        side: `input` or `output`.
        schema: The JSON Schema, as the card has it.
        pointer: JSON Pointer to the schema in the card.
    """

    skill: str
    side: Side
    schema: Any
    pointer: str


def declared_schemas(card: Card) -> tuple[Declared, ...]:
    """Return all skill schemas in a card, in the card's order."""
    extension = params_of(card.document, SCHEMAS_URI)
    return tuple(
        schema_found
        for skill, pointer in _skills(card)
        for side in SIDES
        if (schema_found := _declared(extension, skill, pointer, side)) is not None
    )


def declared_schema(card: Card, skill: str, side: Side) -> Declared | None:
    """Return the schema of one side of a skill; None if the card has none.

    Raises:
        UnknownSkill: If the card has no skill or capability with that id.
    """
    for item, pointer in _skills(card):
        if item["id"] == skill:
            return _declared(params_of(card.document, SCHEMAS_URI), item, pointer, side)
    raise UnknownSkill(skill, skill_ids(card))


def skill_ids(card: Card) -> list[str]:
    """Return the ids of a card's skills, or of its Beach capabilities."""
    return [item["id"] for item, _ in _skills(card)]


def _skills(card: Card) -> Iterator[tuple[dict[str, Any], str]]:
    name = "capabilities" if card.dialect.family == "beach" else "skills"
    for index, item in objects(card.document.get(name)):
        if type(item.get("id")) is str:
            yield item, f"/{name}/{index}"


def _declared(
    extension: tuple[int, dict[str, Any]] | None, skill: dict[str, Any], pointer: str, side: Side
) -> Declared | None:
    """Return the schema of a skill, from the skill or from the extension."""
    field = f"{side}Schema"
    if skill.get(field) is not None:
        return Declared(skill["id"], side, skill[field], f"{pointer}/{field}")
    # A2A skills have no such field: `conversion.extensions` stores the schemas in the extension.
    by_id = extension[1].get("skills") if extension else None
    stored = by_id.get(skill["id"]) if type(by_id) is dict else None
    if extension is None or type(stored) is not dict or stored.get(field) is None:
        return None
    place = below("/capabilities/extensions", extension[0], "params", "skills", skill["id"], field)
    return Declared(skill["id"], side, stored[field], place)
