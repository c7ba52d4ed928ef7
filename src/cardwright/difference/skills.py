"""Skills, and the modes and requirements that they take from the card where they have none of their own.

What counts is what a skill takes and gives in the end, wherever the card says so: a default moved
into the skills that used it has moved no meaning (A2A 1.0 §4.4.5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.comparators import (
    Listed,
    Verdict,
    between,
    by,
    keyed,
    listed,
    members,
    names,
    nothing,
    text,
    told,
)
from cardwright.difference.pair import Pair, holds, item, loose, matched, member
from cardwright.difference.requirements import Alternatives, alternatives, inherited, requirements
from cardwright.difference.schemas import schema

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from cardwright.difference.change import Change

_MODES: Final = {"inputModes": "defaultInputModes", "outputModes": "defaultOutputModes"}
_MODE_ADDED: Final = {
    "inputModes": Verdict("mode-added", "minor", "one more media type is read"),
    "outputModes": Verdict("mode-added", "minor", "one more media type can be asked for"),
}
_MODE_REMOVED: Final = {
    "inputModes": Verdict("mode-removed", "major", "callers that send this media type are not read any more"),
    "outputModes": Verdict("mode-removed", "major", "callers that read this media type get it no more"),
}
_TAG: Final = Verdict(
    "tag-changed", "patch", "catalogues find the skill by other words; no caller acts on it"
)
_RENAMED: Final = Verdict(
    "skill-renamed", "major", "callers that ask for the skill by its id find it no more"
)
_ADDED: Final = Verdict("skill-added", "minor", "one more thing the agent can do, which nobody must ask for")
_REMOVED: Final = Verdict("skill-removed", "major", "callers that ask for the skill find it no more")


def _anything_but_id(skill: Any) -> Hashable | None:
    if type(skill) is not dict or not skill.keys() - {"id"}:
        return None
    return loose({name: value for name, value in skill.items() if name != "id"})


_MEMBERS: Final = members(
    {
        "id": lambda pair: () if pair.alike else (told(pair, _RENAMED),),
        "name": text,
        "description": text,
        "examples": text,
        "tags": names(_TAG, _TAG),
        "inputSchema": schema("input"),
        "outputSchema": schema("output"),
        # What these three mean, the card's own have a say in: see below.
        "inputModes": nothing,
        "outputModes": nothing,
        "securityRequirements": nothing,
    }
)


def skills(card: Pair) -> Iterator[Change]:
    """Compare the skills of two cards, and what each takes from its card."""
    pair = card.member("skills").given()
    asked = card.member("securityRequirements")
    old, new = (alternatives(side if type(side) is list else None) for side in (asked.old, asked.new))

    def skill(one: Pair) -> Iterator[Change]:
        if not holds(dict, one.old, one.new):
            yield from () if one.alike else (one.unreadable(),)
            return
        yield from _MEMBERS(one)
        yield from _own_modes(card, one)
        yield from _own_requirements(card, one, (old, new))

    yield from keyed(skill, by("id"), _anything_but_id, added=_ADDED, removed=_REMOVED)(pair)


def modes(card: Pair) -> Iterator[Change]:
    """Compare the default modes of two cards, as far as some skill goes by them or no other says them."""
    for own, default in _MODES.items():
        pair = card.member(default).given()
        if not holds(list, pair.old, pair.new):
            yield from () if pair.alike else (pair.unreadable(),)
            continue
        relied = _relied_on(card, own)
        old, new = listed(pair.old, pair.old_at), listed(pair.new, pair.new_at)
        elsewhere = set(_anywhere(card.old, own)), set(_anywhere(card.new, own))
        yield from between(
            {key: one for key, one in old.items() if relied or key not in elsewhere[1]},
            {key: one for key, one in new.items() if relied or key not in elsewhere[0]},
            _MODE_ADDED[own],
            _MODE_REMOVED[own],
        )


def _own_modes(card: Pair, skill: Pair) -> Iterator[Change]:
    for own, default in _MODES.items():
        mine = skill.member(own).given()
        pair = _effective(mine, card.member(default).given())
        if not holds(list, pair.old, pair.new):
            yield from () if pair.alike else (mine.unreadable(),)
        elif mine.old is not None and mine.new is not None:
            old, new = listed(mine.old, mine.old_at), listed(mine.new, mine.new_at)
            yield from between(old, new, _MODE_ADDED[own], _MODE_REMOVED[own])
        elif mine.old is not None or mine.new is not None:
            # One side is the card's: then it is the skill that has other modes, and is pointed at.
            old, new = listed(pair.old, ""), listed(pair.new, "")
            if old.keys() - new.keys():
                yield told(mine, _MODE_REMOVED[own])
            if new.keys() - old.keys():
                yield told(mine, _MODE_ADDED[own])


def _own_requirements(
    card: Pair, skill: Pair, defaults: tuple[Alternatives, Alternatives]
) -> Iterator[Change]:
    mine = skill.member("securityRequirements").given()
    pair = _effective(mine, card.member("securityRequirements").given())
    if not holds(list, pair.old, pair.new):
        yield from () if pair.alike else (mine.unreadable(),)
    elif mine.old is not None and mine.new is not None:
        yield from requirements(mine)
    elif mine.old is not None or mine.new is not None:
        old = defaults[0] if mine.old is None else alternatives(mine.old)
        new = defaults[1] if mine.new is None else alternatives(mine.new)
        yield from inherited(old, new, mine)


def _effective(mine: Pair, default: Pair) -> Pair:
    """Return what a skill has or takes from its card; nothing where both sides take it from there."""
    if mine.old is None and mine.new is None:
        return mine
    return Pair(default.old if mine.old is None else mine.old, default.new if mine.new is None else mine.new)


def _relied_on(card: Pair, own: str) -> bool:
    """Whether some skill of both cards goes by the default in both."""
    pair = card.member("skills").given()
    if not holds(list, pair.old, pair.new):
        return False
    same = (item(pair, *met).member(own).given() for met in matched(pair, by("id"), _anything_but_id)[0])
    return any(one.old is None and one.new is None for one in same)


def _anywhere(card: Any, own: str) -> Listed:
    """Return the modes that a card or some skill of it names."""
    skills_of = member(card, "skills")
    lists = [member(skill, own) for skill in (skills_of if type(skills_of) is list else ())]
    lists.append(member(card, _MODES[own]))
    return {key: one for items in lists if type(items) is list for key, one in listed(items, "").items()}
