"""Minimal sequence of updates to the data model of a surface (A2UI 0.9, updateDataModel)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    Path = tuple[str, ...]

# Value of an update without a value, which removes the path.
ABSENT: Final = object()
# Maximum depth at which updates are merged (project decision); deeper data exceeds the limits for JSON here.
_MAX_STEPS: Final = 64


@dataclass(slots=True)
class _Node:
    """Node of the tree of paths: the numbers of the changes at a path, and its child nodes."""

    changes: list[int] = field(default_factory=list[int])
    below: dict[str | Path, _Node] = field(default_factory=dict)


class Patches:
    """Ordered changes, at most two per path; a change below an earlier one is applied to the value of that one.

    `set` keeps and modifies the given values. Its cost is the length of the path plus the number of changes that it
    replaces.
    """

    __slots__ = ("_is_new", "_next", "_patches", "_root")

    def __init__(self) -> None:
        # By number; the order of insertion is the order of changes.
        self._patches: dict[int, tuple[Path, Any]] = {}
        self._root = _Node()
        self._next = 0
        self._is_new = False

    def __iter__(self) -> Iterator[tuple[Path, Any]]:
        """Yield each path with its value; the initial empty object of a new surface is left out."""
        changes = self._patches.values()
        return ((path, value) for path, value in changes if path or value != {} or not self._is_new)

    def on_new_surface(self) -> Patches:
        """Return the same changes applied to the data of a new surface, an empty object."""
        fresh = Patches()
        fresh._is_new = True
        fresh._append((), {})
        for path, value in self._patches.values():
            fresh.set(path, value)
        return fresh

    def set(self, path: Path, value: Any) -> None:
        """Add a change."""
        if not path and self._is_new and value is ABSENT:
            value = {}
        replaced = self._remove_below(path)
        # Removing a path still leaves its parent objects, if an earlier change below it created them.
        created = next((number for number in replaced if self._patches[number][1] is not ABSENT), None)
        creates_parents = bool(path) and value is ABSENT and created is not None
        for number in replaced:
            if creates_parents and number == created:
                self._patches[number] = (path, None)
                self._node(path).changes.append(number)
            else:
                del self._patches[number]
        if creates_parents or not self._merge(path, value):
            self._append(path, value)

    def _append(self, path: Path, value: Any) -> None:
        self._patches[self._next] = (path, value)
        self._node(path).changes.append(self._next)
        self._next += 1

    def _node(self, path: Path) -> _Node:
        """Return the node of a path; missing nodes are created."""
        node = self._root
        for step in _steps(path):
            node = node.below.setdefault(step, _Node())
        return node

    def _remove_below(self, path: Path) -> list[int]:
        """Remove the node of a path with all below it; return the numbers of their changes, in order."""
        steps = _steps(path)
        nodes = [self._root]
        for step in steps:
            if step not in nodes[-1].below:
                return []
            nodes.append(nodes[-1].below[step])
        numbers = sorted(_changes(nodes.pop()))
        if not steps:
            self._root = _Node()
        for node, step in zip(reversed(nodes), reversed(steps), strict=True):
            del node.below[step]
            # Parents that became empty are removed, too.
            if node.changes or node.below:
                break
        return numbers

    def _merge(self, path: Path, value: Any) -> bool:
        """Apply a change to the value of an earlier one; return False where renderers may differ in the result."""
        if len(path) > _MAX_STEPS:
            return False
        node: _Node | None = self._root
        holder, depth, mixed = ABSENT, 0, False
        for index, step in enumerate(path):
            below = node.below.get(step) if node is not None else None
            if node is not None and node.changes:
                # Changes below came later and may change the parents of the path.
                holder, depth, mixed = self._patches[node.changes[-1]][1], index, below is not None
            node = below
        return holder is not ABSENT and not mixed and _put(holder, path[depth:], value)


def _steps(path: Path) -> tuple[str | Path, ...]:
    """Return the steps of a path in the tree; all steps beyond the maximum depth form one step."""
    return (*path[:_MAX_STEPS], path[_MAX_STEPS:]) if len(path) > _MAX_STEPS else path


def _changes(node: _Node) -> Iterator[int]:
    pending = [node]
    while pending:
        node = pending.pop()
        yield from node.changes
        pending.extend(node.below.values())


def _put(holder: Any, steps: Path, value: Any) -> bool:
    """Set or remove a path below a value; return False, without a change, where renderers differ."""
    for index, step in enumerate(steps[:-1]):
        following = _step(holder, step)
        if following is ABSENT:
            return type(holder) is dict and (
                value is ABSENT or _created(holder, step, steps[index + 1 :], value)
            )
        holder = following
    last = steps[-1]
    if type(holder) is dict:
        if value is ABSENT:
            holder.pop(last, None)
        else:
            holder[last] = value
        return True
    # Removing an array item leaves a hole (A2UI 0.9), which JSON cannot express.
    if value is ABSENT or _step(holder, last) is ABSENT:
        return False
    holder[int(last)] = value
    return True


def _created(holder: dict[str, Any], step: str, steps: Path, value: Any) -> bool:
    """Create the parent objects of a path; return False for numeric steps, for which some renderers create arrays."""
    if any(name.isdecimal() for name in steps):
        return False
    for name in reversed(steps):
        value = {name: value}
    holder[step] = value
    return True


def _step(holder: Any, step: str) -> Any:
    if type(holder) is dict:
        return holder.get(step, ABSENT)
    # int() accepts at most 4,300 digits; no array index has seven digits.
    if (
        type(holder) is list
        and step.isascii()
        and step.isdecimal()
        and len(step) < 7
        and int(step) < len(holder)
    ):
        return holder[int(step)]
    return ABSENT
