"""Where a card says what its skills take and give: on a Beach capability, on a skill, or in our extension."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from cardwright.conversion.extensions import SCHEMAS_URI, params_of
from cardwright.conversion.notes import below
from cardwright.errors import UnknownSkill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card

Side = Literal["input", "output"]
SIDES: Final[tuple[Side, ...]] = ("input", "output")


@dataclass(frozen=True, slots=True)
class Declared:
    """One schema that a card declares.

    Attributes:
        skill: The skill's or capability's id.
        side: Whether it is of what the skill takes or of what it gives.
        schema: The JSON Schema, as the card has it.
        pointer: Where in the card it stands.
    """

    skill: str
    side: Side
    schema: Any
    pointer: str


def declared_schemas(card: Card) -> tuple[Declared, ...]:
    """Return every schema of a skill that a card declares, in the card's order."""
    kept = params_of(card.document, SCHEMAS_URI)
    return tuple(
        found
        for skill, at in _skills(card)
        for side in SIDES
        if (found := _declared(kept, skill, at, side)) is not None
    )


def declared_schema(card: Card, skill: str, side: Side) -> Declared | None:
    """Return the schema of one side of a skill; None where the card declares none.

    Raises:
        UnknownSkill: If the card has no skill or capability of that id.
    """
    for item, at in _skills(card):
        if item["id"] == skill:
            return _declared(params_of(card.document, SCHEMAS_URI), item, at, side)
    raise UnknownSkill(skill, skill_ids(card))


def skill_ids(card: Card) -> list[str]:
    """Return the ids of the skills, or of the Beach capabilities, that a card has."""
    return [item["id"] for item, _ in _skills(card)]


def _skills(card: Card) -> Iterator[tuple[dict[str, Any], str]]:
    name = "capabilities" if card.dialect.family == "beach" else "skills"
    items = card.document.get(name)
    for index, item in enumerate(items if type(items) is list else ()):
        if type(item) is dict and type(item.get("id")) is str:
            yield item, f"/{name}/{index}"


def _declared(
    kept: tuple[int, dict[str, Any]] | None, skill: dict[str, Any], at: str, side: Side
) -> Declared | None:
    """Return what a skill declares, or what our extension keeps of it."""
    member = f"{side}Schema"
    if skill.get(member) is not None:
        return Declared(skill["id"], side, skill[member], f"{at}/{member}")
    # A2A skills have no such member: `conversion.extensions` keeps them here.
    by_id = kept[1].get("skills") if kept else None
    own = by_id.get(skill["id"]) if type(by_id) is dict else None
    if kept is None or type(own) is not dict or own.get(member) is None:
        return None
    place = below("/capabilities/extensions", kept[0], "params", "skills", skill["id"], member)
    return Declared(skill["id"], side, own[member], place)
