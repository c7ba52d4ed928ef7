"""Two sides of one place: an older and a newer JSON value, each with where it stands.

A member that is absent is None here, and so is one that is null: no version of A2A after 0.1 lets
null say anything, and 0.1 says that it is the same as absence (A2A 0.1 §5.5).
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.change import Change
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from cardwright.difference.change import Severity

# A member of implicit presence that is empty is not there (Protocol Buffers, field presence).
_EMPTY: Final[tuple[Any, ...]] = ("", [], {})


@dataclass(frozen=True, slots=True)
class Pair:
    """The older and the newer value of one place, with the pointer to each."""

    old: Any
    new: Any
    old_at: str = ""
    new_at: str = ""

    @property
    def alike(self) -> bool:
        """Whether both are the same JSON value; the order of members means nothing."""
        return frozen(self.old) == frozen(self.new)

    def member(self, name: str) -> Pair:
        """Return the pair of a member; None on a side that is no object or lacks it."""
        step = pointer_of([name])
        return Pair(member(self.old, name), member(self.new, name), self.old_at + step, self.new_at + step)

    def members(self) -> Iterator[tuple[str, Pair]]:
        """Yield the pair of each member that either side has, in the order of their names."""
        names = {name for side in (self.old, self.new) if isinstance(side, dict) for name in side}
        for name in sorted(names):
            yield name, self.member(name)

    def given(self) -> Pair:
        """Return the pair with None for what is empty, which for most members means absent."""
        old, new = (None if side in _EMPTY else side for side in (self.old, self.new))
        return Pair(old, new, self.old_at, self.new_at)

    def change(self, kind: str, severity: Severity, why: str) -> Change:
        """Return the change from one to the other: what is gone is pointed at where it was."""
        at = self.old_at if self.new is None else self.new_at
        return Change(kind, severity, at, self.old, self.new, why)

    def unreadable(self) -> Change:
        """Return the change of what cannot be compared, since a side is of no shape that is known."""
        why = "a value of the wrong type stands here, so what changed cannot be told: taken as breaking"
        return self.change("member-unreadable", "major", why)


def member(value: Any, name: str) -> Any:
    """Return a member of a value, or None where it is no object or lacks it."""
    return value.get(name) if isinstance(value, dict) else None


def holds(kind: type, *sides: Any) -> bool:
    """Whether every side that is there is of a type."""
    return all(side is None or type(side) is kind for side in sides)


def frozen(value: Any) -> Hashable:
    """Return a value that is equal where the JSON values are: `true` is not 1, but 1.0 is."""
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
    """Return a value that is equal where the JSON values are but for the order of their arrays."""
    match value:
        case dict():
            return frozenset((name, loose(inner)) for name, inner in value.items())
        case list():
            return list, frozenset(loose(inner) for inner in value)
        case _:
            return frozen(value)


def once(items: Sequence[Any]) -> list[int]:
    """Return the indices of the items that are there, without those that an earlier one says already."""
    first: dict[Hashable, int] = {}
    for index, value in enumerate(items):
        if value is not None:
            first.setdefault(loose(value), index)
    return list(first.values())


def matched(
    pair: Pair, *keys: Callable[[Any], Hashable | None]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Match the items of two arrays: first those that say the same, then by one key after the other.

    Args:
        pair: Two arrays; None is an empty one.
        keys: What makes two items the same thing, strongest first; None where an item has no such key.

    Returns:
        The indices of those that match, of the older that are gone, of the newer that came.
    """
    gone, come = once(pair.old or ()), once(pair.new or ())
    found: list[tuple[int, int]] = []
    for key in (loose, *keys):
        waiting: defaultdict[Hashable, deque[int]] = defaultdict(deque)
        for index in come:
            waiting[key(pair.new[index])].append(index)
        waiting.pop(None, None)
        met = [
            (index, waiting[name].popleft()) for index, name in _named(pair.old, gone, key) if waiting[name]
        ]
        found += met
        taken = {old for old, _ in met}, {new for _, new in met}
        gone = [index for index in gone if index not in taken[0]]
        come = [index for index in come if index not in taken[1]]
    return found, gone, come


def item(pair: Pair, old: int | None, new: int | None) -> Pair:
    """Return the pair of two items of two arrays, or of one alone."""
    return Pair(
        None if old is None else pair.old[old],
        None if new is None else pair.new[new],
        f"{pair.old_at}/{old}",
        f"{pair.new_at}/{new}",
    )


def _named(
    items: Any, indices: Iterable[int], key: Callable[[Any], Hashable | None]
) -> Iterator[tuple[int, Hashable]]:
    return ((index, name) for index in indices if (name := key(items[index])) is not None)
