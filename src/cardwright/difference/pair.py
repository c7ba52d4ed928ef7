"""`Pair`: an older and a newer JSON value of the same place, with their pointers.

An absent field is None here, and so is null: A2A 0.1 defines null as absence (A2A 0.1 §5.5), and later
versions do not allow it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.change import Change
from cardwright_rules.changes import CHANGES
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from cardwright_rules.changes import ChangeCase

# An empty field with implicit presence is absent (Protocol Buffers, field presence).
_EMPTY: Final[tuple[Any, ...]] = ("", [], {})


@dataclass(frozen=True, slots=True)
class Pair:
    """The older and the newer value of one place, with the pointer to each."""

    old: Any
    new: Any
    old_at: str = ""
    new_at: str = ""

    @property
    def equal(self) -> bool:
        """Whether both are the same JSON value; the order of fields is ignored."""
        return frozen(self.old) == frozen(self.new)

    def field(self, name: str) -> Pair:
        """Return the pair of a field; None on a side that is not an object or lacks the field."""
        step = pointer_of([name])
        return Pair(field(self.old, name), field(self.new, name), self.old_at + step, self.new_at + step)

    def fields(self) -> Iterator[tuple[str, Pair]]:
        """Yield the pair of each field of either side, sorted by name."""
        names = {name for side in (self.old, self.new) if isinstance(side, dict) for name in side}
        for name in sorted(names):
            yield name, self.field(name)

    def without_empty(self) -> Pair:
        """Return the pair with None for empty values, which for most fields mean absent."""
        old, new = (None if side in _EMPTY else side for side in (self.old, self.new))
        return Pair(old, new, self.old_at, self.new_at)

    def change(self, case: ChangeCase) -> Change:
        """Return the change between the values; a removed value has the pointer of the older document."""
        at = self.old_at if self.new is None else self.new_at
        kind, _, severity, why = CHANGES[case]
        return Change(kind, severity, at, self.old, self.new, why)

    def unreadable(self) -> Change:
        """Return the change of values that cannot be compared, because a side has the wrong type."""
        return self.change("member-unreadable")


def field(value: Any, name: str) -> Any:
    """Return a field of a value, or None if the value is not an object or lacks the field."""
    return value.get(name) if isinstance(value, dict) else None


def holds(kind: type, *sides: Any) -> bool:
    """Return whether every side that is not None has a type."""
    return all(side is None or type(side) is kind for side in sides)


def frozen(value: Any) -> Hashable:
    """Return a hashable value with JSON's equality: `true` does not equal 1, but 1.0 does."""
    match value:
        case dict():
            return frozenset((name, frozen(inner)) for name, inner in value.items())
        case list():
            return tuple(frozen(inner) for inner in value)
        case bool():
            return bool, value
        case _:
            scalar: Hashable = value
            return scalar


def loose(value: Any) -> Hashable:
    """Return a hashable value with JSON's equality, but without the order of arrays."""
    match value:
        case dict():
            return frozenset((name, loose(inner)) for name, inner in value.items())
        case list():
            return list, frozenset(loose(inner) for inner in value)
        case _:
            return frozen(value)


def once(items: Sequence[Any]) -> list[int]:
    """Return the indices of the items that are not None and not duplicates of earlier ones."""
    first: dict[Hashable, int] = {}
    for index, value in enumerate(items):
        if value is not None:
            first.setdefault(loose(value), index)
    return list(first.values())


def matched(
    pair: Pair, *keys: Callable[[Any], Hashable | None]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Match the items of two arrays: first equal items, then by one key after the other.

    Args:
        pair: Two arrays; None means an empty one.
        keys: Functions that return an item's key, strongest first; None if the item has no such key.

    Returns:
        The pairs of indices that match, the indices of removed items, and the indices of added items.
    """
    old_indices, new_indices = once(pair.old or ()), once(pair.new or ())
    matches: list[tuple[int, int]] = []
    for key in (loose, *keys):
        waiting: defaultdict[Hashable, deque[int]] = defaultdict(deque)
        for index in new_indices:
            waiting[key(pair.new[index])].append(index)
        waiting.pop(None, None)
        new_matches = [
            (index, waiting[name].popleft())
            for index, name in _keys_of(pair.old, old_indices, key)
            if waiting[name]
        ]
        matches += new_matches
        matched_indices = {old for old, _ in new_matches}, {new for _, new in new_matches}
        old_indices = [index for index in old_indices if index not in matched_indices[0]]
        new_indices = [index for index in new_indices if index not in matched_indices[1]]
    return matches, old_indices, new_indices


def item(pair: Pair, old: int | None, new: int | None) -> Pair:
    """Return the pair of two items of two arrays; None on a side without an index."""
    return Pair(
        None if old is None else pair.old[old],
        None if new is None else pair.new[new],
        f"{pair.old_at}/{old}",
        f"{pair.new_at}/{new}",
    )


def _keys_of(
    items: Any, indices: Iterable[int], key: Callable[[Any], Hashable | None]
) -> Iterator[tuple[int, Hashable]]:
    return ((index, name) for index in indices if (name := key(items[index])) is not None)
