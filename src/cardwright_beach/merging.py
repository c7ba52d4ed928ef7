"""Merge domain data by slot and strategy.

Rules: Beach protocol seed, Slot keys and merge strategy. `replace` and `append` are associative. `deep-merge` is
associative only for objects: the sequence object, other value, object leaves the last object, while the two objects
alone would be merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadArgument
from cardwright_beach.parts import MERGE_STRATEGIES, Part
from cardwright_beach.sizes import deep_copy
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright_runtime.violation import JsonMapping, JsonObject

# Key for data without a slot; a slot key is never empty.
NO_SLOT: Final = ""
_ABSENT: Final = object()


def merge(slots: JsonMapping, part: Part | JsonMapping) -> JsonObject:
    """Return a receiver's domain data by slot, after one more part.

    Args:
        slots: The values so far, by slot key; data without a slot has the key "". Not changed.
        part: Any part; only `domain-data` has an effect, and its data is copied. Without slot and strategy its
            fields are merged into the existing ones (`deep-merge`).

    Raises:
        BadPart: If it is a mapping that is not a valid part.

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
    return {**slots, slot: merged(slots.get(slot, _ABSENT), deep_copy(part.data), part.merge_strategy)}


def merged(old: Any, new: Any, strategy: str) -> Any:
    """Merge two values; neither is changed.

    Args:
        old: The existing value.
        new: The new value.
        strategy: `replace`: the new value. `append`: a list of both; a value that is not a list counts as a list
            of one. `deep-merge`: the fields of both, at every level where both are objects; else the new value.

    Raises:
        BadArgument: If the strategy is unknown.
    """
    match strategy:
        case "replace":
            return new
        case "append":
            return [*_listed(old), *_listed(new)]
        case "deep-merge":
            return _deep(old, new)
        case _:
            raise BadArgument(
                "strategy", f"must be one of {', '.join(MERGE_STRATEGIES)}, not {quote(strategy)}"
            )


class Fold:
    """Successive values of one slot, reduced to at most two merge steps.

    Data of a part is never changed; only own containers grow (`_OwnObject`, `_OwnList`).
    """

    __slots__ = ("_steps",)

    def __init__(self) -> None:
        self._steps: list[tuple[str, Any]] = []

    def add(self, value: Any, strategy: str) -> None:
        """Add a value."""
        last = self._steps[-1][0] if self._steps else None
        if strategy == "append":
            self._append(value, last)
        elif strategy == "deep-merge" and last in ("replace", "deep-merge"):
            self._steps[-1] = (last, _deep_into(self._steps[-1][1], value))
        elif strategy == "deep-merge" and last is None:
            self._steps = [("deep-merge", value)]
        else:
            # A list is not an object, so `deep-merge` after `append` replaces it.
            self._steps = [("replace", value)]

    def steps(self) -> Iterator[tuple[str, Any]]:
        """Yield (strategy, value) pairs; merging them in order gives the same result as all values."""
        for strategy, value in self._steps:
            yield strategy, plain(value)

    def value(self) -> Any:
        """Return the value of a slot that was empty before."""
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
    """Object that is not shared with a part and may grow."""


class _OwnList(list[Any]):
    """List that is not shared with a part and may grow."""


class Slots:
    """Domain data of a turn by slot."""

    def __init__(self) -> None:
        self._folds: dict[str, Fold] = {}

    def add(self, part: Part) -> None:
        """Add a `domain-data` part."""
        self._folds.setdefault(part.slot_key or NO_SLOT, Fold()).add(part.data, part.merge_strategy)

    def __contains__(self, slot: object) -> bool:
        return slot in self._folds

    def value(self, slot: str) -> Any:
        """Return the value of a slot; None if it is empty."""
        return self._folds[slot].value() if slot in self._folds else None

    def values(self) -> dict[str, Any]:
        """Return the values of all slots, sorted by slot key."""
        return {slot: fold.value() for slot, fold in sorted(self._folds.items())}


def plain(value: Any) -> Any:
    """Return a value with own containers replaced by dict and list; data of a part is returned unchanged."""
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
    """Merge like `_deep`, but extend an own object in place."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return new
    own = old if type(old) is _OwnObject else _OwnObject(old)
    for name, item in new.items():
        own[name] = _deep_into(own[name], item) if name in own else item
    return own
