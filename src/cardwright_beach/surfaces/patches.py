"""Changes of a surface's data, one after the other, in as few as show the same (A2UI 0.9, updateDataModel)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    Path = tuple[str, ...]

# What an update without a value sets.
ABSENT: Final = object()
# How far down a change is carried out within another, or told from one beside it (ours). Data that deep are
# no JSON that is read here.
_MOST_STEPS: Final = 64


@dataclass(slots=True)
class _Place:
    """Which changes are made at a place, by their numbers, and which places below have any."""

    changes: list[int] = field(default_factory=list[int])
    below: dict[str | Path, _Place] = field(default_factory=dict)


class Patches:
    """Changes in order, at most two a path; what an earlier one already holds is changed within it.

    The values are its own: `set` keeps and changes what it is given. A change costs the length of its path,
    and what it makes needless.
    """

    __slots__ = ("_begun", "_next", "_patches", "_root")

    def __init__(self) -> None:
        # By number, in order.
        self._patches: dict[int, tuple[Path, Any]] = {}
        self._root = _Place()
        self._next = 0
        self._begun = False

    def __iter__(self) -> Iterator[tuple[Path, Any]]:
        """Yield each path with its value; not the empty object that the data of a new surface are."""
        changes = self._patches.values()
        return ((path, value) for path, value in changes if path or value != {} or not self._begun)

    def begun(self) -> Patches:
        """Return the same changes on the data of a new surface, an empty object."""
        fresh = Patches()
        fresh._begun = True
        fresh._append((), {})
        for path, value in self._patches.values():
            fresh.set(path, value)
        return fresh

    def set(self, path: Path, value: Any) -> None:
        """Take one more change."""
        if not path and self._begun and value is ABSENT:
            value = {}
        inside = self._taken_off(path)
        # A place that is removed holds nothing more but what led to it, if that was made on the way there.
        made = next((number for number in inside if self._patches[number][1] is not ABSENT), None)
        leaves = bool(path) and value is ABSENT and made is not None
        for number in inside:
            if leaves and number == made:
                self._patches[number] = (path, None)
                self._place(path).changes.append(number)
            else:
                del self._patches[number]
        if leaves or not self._within(path, value):
            self._append(path, value)

    def _append(self, path: Path, value: Any) -> None:
        self._patches[self._next] = (path, value)
        self._place(path).changes.append(self._next)
        self._next += 1

    def _place(self, path: Path) -> _Place:
        """Return a place, made with all that lead to it."""
        place = self._root
        for step in _steps(path):
            place = place.below.setdefault(step, _Place())
        return place

    def _taken_off(self, path: Path) -> list[int]:
        """Forget a place with all below it; return the numbers of their changes, in order."""
        steps = _steps(path)
        way = [self._root]
        for step in steps:
            if step not in way[-1].below:
                return []
            way.append(way[-1].below[step])
        found = sorted(_changes(way.pop()))
        if not steps:
            self._root = _Place()
        for place, step in zip(reversed(way), reversed(steps), strict=True):
            del place.below[step]
            # What leads nowhere any more goes with it.
            if place.changes or place.below:
                break
        return found

    def _within(self, path: Path, value: Any) -> bool:
        """Carry a change out within the one that holds its place, where all renderers would do the same."""
        if len(path) > _MOST_STEPS:
            return False
        place: _Place | None = self._root
        held, depth, mixed = ABSENT, 0, False
        for index, step in enumerate(path):
            below = place.below.get(step) if place is not None else None
            if place is not None and place.changes:
                # What was changed below came later, and might change what leads to the place.
                held, depth, mixed = self._patches[place.changes[-1]][1], index, below is not None
            place = below
        return held is not ABSENT and not mixed and _put(held, path[depth:], value)


def _steps(path: Path) -> tuple[str | Path, ...]:
    """Return the steps of a path to its place; what is too deep is one step, to cost no place for each."""
    return (*path[:_MOST_STEPS], path[_MOST_STEPS:]) if len(path) > _MOST_STEPS else path


def _changes(place: _Place) -> Iterator[int]:
    waiting = [place]
    while waiting:
        place = waiting.pop()
        yield from place.changes
        waiting.extend(place.below.values())


def _put(holder: Any, steps: Path, value: Any) -> bool:
    """Set or remove what is below a value; False where renderers differ in how, with nothing changed."""
    for index, step in enumerate(steps[:-1]):
        following = _step(holder, step)
        if following is ABSENT:
            return type(holder) is dict and (
                value is ABSENT or _grown(holder, step, steps[index + 1 :], value)
            )
        holder = following
    last = steps[-1]
    if type(holder) is dict:
        if value is ABSENT:
            holder.pop(last, None)
        else:
            holder[last] = value
        return True
    # To remove an item of an array leaves a hole (A2UI 0.9), which JSON has not.
    if value is ABSENT or _step(holder, last) is ABSENT:
        return False
    holder[int(last)] = value
    return True


def _grown(holder: dict[str, Any], step: str, steps: Path, value: Any) -> bool:
    """Make the objects that lead to a place; not where a number leads on, which some make an array."""
    if any(one.isdecimal() for one in steps):
        return False
    for one in reversed(steps):
        value = {one: value}
    holder[step] = value
    return True


def _step(holder: Any, step: str) -> Any:
    if type(holder) is dict:
        return holder.get(step, ABSENT)
    # int() reads at most 4,300 digits; no array has an index of seven.
    if (
        type(holder) is list
        and step.isascii()
        and step.isdecimal()
        and len(step) < 7
        and int(step) < len(holder)
    ):
        return holder[int(step)]
    return ABSENT
