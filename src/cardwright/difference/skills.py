"""Comparators of skills, with the modes and requirements that they inherit from the card.

The effective modes and requirements of a skill count: moving a default into the skills that used it is not a
change (A2A 1.0 §4.4.5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.comparators import Listed, between, by, fields, keyed, listed, names, nothing, text
from cardwright.difference.pair import Pair, holds, item, loose, matched
from cardwright.difference.requirements import Alternatives, alternatives, inherited, requirements
from cardwright.difference.schemas import schema

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from cardwright.difference.change import Change
    from cardwright_rules.changes import ChangeCase

_MODES: Final = {"inputModes": "defaultInputModes", "outputModes": "defaultOutputModes"}
_MODE_ADDED: Final[dict[str, ChangeCase]] = {
    "inputModes": "mode-added/input",
    "outputModes": "mode-added/output",
}
_MODE_REMOVED: Final[dict[str, ChangeCase]] = {
    "inputModes": "mode-removed/input",
    "outputModes": "mode-removed/output",
}


def _anything_but_id(skill: Any) -> Hashable | None:
    if type(skill) is not dict or not skill.keys() - {"id"}:
        return None
    return loose({name: value for name, value in skill.items() if name != "id"})


_FIELDS: Final = fields(
    {
        "id": lambda pair: () if pair.equal else (pair.change("skill-renamed"),),
        "name": text,
        "description": text,
        "examples": text,
        "tags": names("tag-changed", "tag-changed"),
        "inputSchema": schema("input"),
        "outputSchema": schema("output"),
        # Compared in `skills`, together with the card's defaults.
        "inputModes": nothing,
        "outputModes": nothing,
        "securityRequirements": nothing,
    }
)


def skills(card: Pair) -> Iterator[Change]:
    """Compare the skills of two cards, including what each inherits from its card."""
    pair = card.field("skills").without_empty()
    requirements_pair = card.field("securityRequirements")
    old, new = (
        alternatives(side if type(side) is list else None)
        for side in (requirements_pair.old, requirements_pair.new)
    )

    def skill(skill_pair: Pair) -> Iterator[Change]:
        if not holds(dict, skill_pair.old, skill_pair.new):
            yield from () if skill_pair.equal else (skill_pair.unreadable(),)
            return
        yield from _FIELDS(skill_pair)
        yield from _own_modes(card, skill_pair)
        yield from _own_requirements(card, skill_pair, (old, new))

    yield from keyed(skill, by("id"), _anything_but_id, added="skill-added", removed="skill-removed")(pair)


def modes(card: Pair) -> Iterator[Change]:
    """Compare the default modes of two cards; modes that every skill overrides have no effect on callers."""
    for own, default in _MODES.items():
        pair = card.field(default).without_empty()
        if not holds(list, pair.old, pair.new):
            yield from () if pair.equal else (pair.unreadable(),)
            continue
        if _default_is_used(card, own):
            old, new = _modes(pair.old, pair.old_at), _modes(pair.new, pair.new_at)
            yield from between(old, new, _MODE_ADDED[own], _MODE_REMOVED[own])


def _own_modes(card: Pair, skill: Pair) -> Iterator[Change]:
    for own, default in _MODES.items():
        own_pair = skill.field(own).without_empty()
        pair = _effective(own_pair, card.field(default).without_empty())
        if not holds(list, pair.old, pair.new):
            yield from () if pair.equal else (own_pair.unreadable(),)
        elif own_pair.old is not None and own_pair.new is not None:
            old, new = _modes(own_pair.old, own_pair.old_at), _modes(own_pair.new, own_pair.new_at)
            yield from between(old, new, _MODE_ADDED[own], _MODE_REMOVED[own])
        elif own_pair.old is not None or own_pair.new is not None:
            # One side is the card's default: the skill has other modes now, and the change points to it.
            old, new = _modes(pair.old, ""), _modes(pair.new, "")
            if old.keys() - new.keys():
                yield own_pair.change(_MODE_REMOVED[own])
            if new.keys() - old.keys():
                yield own_pair.change(_MODE_ADDED[own])


def _own_requirements(
    card: Pair, skill: Pair, defaults: tuple[Alternatives, Alternatives]
) -> Iterator[Change]:
    own_pair = skill.field("securityRequirements").without_empty()
    pair = _effective(own_pair, card.field("securityRequirements").without_empty())
    if not holds(list, pair.old, pair.new):
        yield from () if pair.equal else (own_pair.unreadable(),)
    elif own_pair.old is not None and own_pair.new is not None:
        yield from requirements(own_pair)
    elif own_pair.old is not None or own_pair.new is not None:
        old = defaults[0] if own_pair.old is None else alternatives(own_pair.old)
        new = defaults[1] if own_pair.new is None else alternatives(own_pair.new)
        yield from inherited(old, new, own_pair)


def _effective(own_pair: Pair, default: Pair) -> Pair:
    """Return the effective values of a skill; None on both sides if both inherit the default."""
    if own_pair.old is None and own_pair.new is None:
        return own_pair
    return Pair(
        default.old if own_pair.old is None else own_pair.old,
        default.new if own_pair.new is None else own_pair.new,
    )


def _default_is_used(card: Pair, own: str) -> bool:
    """Return whether a skill of both cards uses the default in both, or a card has no skill."""
    pair = card.field("skills").without_empty()
    if not holds(list, pair.old, pair.new) or not pair.old or not pair.new:
        return True
    pairs = (
        item(pair, *indices).field(own).without_empty()
        for indices in matched(pair, by("id"), _anything_but_id)[0]
    )
    return any(modes_pair.old is None and modes_pair.new is None for modes_pair in pairs)


def _modes(items: Any, at: str) -> Listed:
    """Return (mode, pointer) of the distinct modes; the case of a type is ignored (RFC 9110 §8.3.1)."""
    listed_modes: Listed = {}
    for key, mode in listed(items, at).items():
        kind, semicolon, parameters = key.partition(";") if isinstance(key, str) else (key, "", "")
        folded = kind.casefold() + semicolon + parameters if isinstance(kind, str) else key
        listed_modes.setdefault(folded, mode)
    return listed_modes
