"""Changes of a surface's data, one after the other, in as few as show the same (A2UI 0.9, updateDataModel)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    Path = tuple[str, ...]

# What an update without a value sets.
ABSENT: Final = object()


class Patches:
    """Changes in order, at most two a path; what an earlier one already holds is changed within it.

    The values are its own: `set` keeps and changes what it is given.
    """

    __slots__ = ("_begun", "_patches")

    def __init__(self) -> None:
        self._patches: list[tuple[Path, Any]] = []
        self._begun = False

    def __iter__(self) -> Iterator[tuple[Path, Any]]:
        """Yield each path with its value; not the empty object that the data of a new surface are."""
        return ((path, value) for path, value in self._patches if path or value != {} or not self._begun)

    def begun(self) -> Patches:
        """Return the same changes on the data of a new surface, an empty object."""
        fresh = Patches()
        fresh._begun = True
        fresh._patches.append(((), {}))
        for path, value in self._patches:
            fresh.set(path, value)
        return fresh

    def set(self, path: Path, value: Any) -> None:
        """Take one more change."""
        if not path and self._begun and value is ABSENT:
            value = {}
        made_way = value is ABSENT and bool(path) and self._make_way(path)
        if not made_way:
            self._drop(path)
        if made_way or not self._within(path, value):
            self._patches.append((path, value))

    def _drop(self, path: Path) -> None:
        self._patches = [one for one in self._patches if one[0][: len(path)] != path]

    def _make_way(self, path: Path) -> bool:
        """Hold nothing more of a place that is removed but what led to it, if that was made on the way there."""
        length = len(path)
        inside = [index for index, one in enumerate(self._patches) if one[0][:length] == path]
        first = next((index for index in inside if self._patches[index][1] is not ABSENT), None)
        if first is None:
            return False
        self._patches[first] = (path, None)
        self._patches = [
            one for index, one in enumerate(self._patches) if index == first or one[0][:length] != path
        ]
        return True

    def _within(self, path: Path, value: Any) -> bool:
        """Carry a change out within the last one that holds its place, where all renderers would do the same."""
        later: list[Path] = []
        for outer, held in reversed(self._patches):
            depth = len(outer)
            if path[:depth] == outer:
                # What came in between might change what leads to the place.
                mixed = any(other[: depth + 1] == path[: depth + 1] for other in later)
                return not mixed and _put(held, path[depth:], value)
            later.append(outer)
        return False


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
