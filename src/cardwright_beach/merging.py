"""How data that comes in parts becomes one: slots, and the strategies by which their values meet.

Rules: Beach protocol seed, Slot keys and merge strategy. `replace` and `append` are associative.
`deep-merge` is where an object meets an object: a member that is an object, then something else, then
an object again is what is said of it last, whereas the two objects alone would be put together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadArgument
from cardwright_beach.parts import MERGE_STRATEGIES, Part
from cardwright_beach.sizes import own

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright_runtime.violation import JsonMapping, JsonObject

# What has no slot key stands here: a slot key is never empty.
NO_SLOT: Final = ""
_ABSENT: Final = object()


def merge(slots: JsonMapping, part: Part | JsonMapping) -> JsonObject:
    """Return a receiver's domain data by slot, with what one more part says.

    Args:
        slots: The values so far, by slot key; what has no slot stands at "". They are not changed, and what
            the result takes from the part is its own.
        part: Any part; only `domain-data` adds anything. Without a slot and a strategy of its own it is
            an entry beside others, so its members are added to those that are there (`deep-merge`).

    Raises:
        BadPart: If it is a mapping, and no part.

    >>> from cardwright_beach.parts import part
    >>> first = part("domain-data", data=[1], slot_key="prices", merge_strategy="append")
    >>> merge(merge({}, first), first)
    {'prices': [1, 1]}
    """
    if isinstance(part, Mapping):
        part = Part.of(part)
    if part.type != "domain-data":
        return dict(slots)
    slot = part.slot_key or NO_SLOT
    return {**slots, slot: merged(slots.get(slot, _ABSENT), own(part.data), part.merge_strategy)}


def merged(old: Any, new: Any, strategy: str) -> Any:
    """Return what two values are together; neither is changed.

    Args:
        old: What is there.
        new: What comes.
        strategy: `replace`: what comes. `append`: a list of both; a value that is no list counts as a list
            of one. `deep-merge`: the members of both, where both are objects, at every level; else what comes.

    Raises:
        BadArgument: If there is no such strategy.
    """
    match strategy:
        case "replace":
            return new
        case "append":
            return [*_listed(old), *_listed(new)]
        case "deep-merge":
            return _deep(old, new)
        case _:
            raise BadArgument("strategy", f"it is one of {', '.join(MERGE_STRATEGIES)}")


class Fold:
    """What successive values of one slot come to, as at most two steps that a receiver still has to take.

    Values that a part holds are never changed; what grows here is its own (`_OwnObject`, `list`).
    """

    __slots__ = ("_steps",)

    def __init__(self) -> None:
        self._steps: list[tuple[str, Any]] = []

    def add(self, value: Any, strategy: str) -> None:
        """Take in one more value."""
        last = self._steps[-1][0] if self._steps else None
        if strategy == "append":
            self._append(value, last)
        elif strategy == "deep-merge" and last in ("replace", "deep-merge"):
            self._steps[-1] = (last, _deep_into(self._steps[-1][1], value))
        elif strategy == "deep-merge" and last is None:
            self._steps = [("deep-merge", value)]
        else:
            # A list in the slot is no object, so `deep-merge` after `append` leaves what comes.
            self._steps = [("replace", value)]

    def steps(self) -> Iterator[tuple[str, Any]]:
        """Yield (strategy, value): merged in this order they do what all values did."""
        for strategy, value in self._steps:
            yield strategy, plain(value)

    def value(self) -> Any:
        """Return what is in the slot if nothing was before."""
        value: Any = _ABSENT
        for strategy, item in self._steps:
            value = merged(value, plain(item), strategy)
        return None if value is _ABSENT else value

    def _append(self, value: Any, last: str | None) -> None:
        if last is None or last == "deep-merge":
            self._steps.append(("append", _OwnList(_listed(value))))
            return
        grown = self._steps[-1][1]
        if type(grown) is not _OwnList:
            grown = _OwnList(_listed(grown))
            self._steps[-1] = (last, grown)
        grown.extend(_listed(value))


class _OwnObject(dict[str, Any]):
    """An object that no part holds, and that may grow."""


class _OwnList(list[Any]):
    """A list that no part holds, and that may grow."""


class Slots:
    """Domain data as it comes, by slot."""

    def __init__(self) -> None:
        self._folds: dict[str, Fold] = {}

    def add(self, part: Part) -> None:
        """Take in a `domain-data` part."""
        self._folds.setdefault(part.slot_key or NO_SLOT, Fold()).add(part.data, part.merge_strategy)

    def __contains__(self, slot: object) -> bool:
        return slot in self._folds

    def value(self, slot: str) -> Any:
        """Return what a slot holds; None where nothing came."""
        return self._folds[slot].value() if slot in self._folds else None

    def values(self) -> dict[str, Any]:
        """Return what every slot holds, by slot key in order."""
        return {slot: fold.value() for slot, fold in sorted(self._folds.items())}


def plain(value: Any) -> Any:
    """Return a value without our own kinds of object and list; what a part holds is passed on as it is."""
    if type(value) is _OwnObject:
        return {name: plain(item) for name, item in value.items()}
    return list(value) if type(value) is _OwnList else value


def _listed(value: Any) -> list[Any]:
    if value is _ABSENT:
        return []
    return value if isinstance(value, list) else [value]


def _deep(old: Any, new: Any) -> Any:
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return new
    return {**old, **{name: _deep(old[name], item) if name in old else item for name, item in new.items()}}


def _deep_into(old: Any, new: Any) -> Any:
    """Do what `_deep` does, and let an object of our own grow."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return new
    own = old if type(old) is _OwnObject else _OwnObject(old)
    for name, item in new.items():
        own[name] = _deep_into(own[name], item) if name in own else item
    return own
