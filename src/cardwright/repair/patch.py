"""Patches of RFC 6902 as fixes write them: applied to a copy, and where they move what lies beside them."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from cardwright_runtime.violation import steps_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Operation = Mapping[str, Any]
    Patch = Sequence[Operation]
    Steps = tuple[str, ...]


def patched(document: Any, patches: Iterable[Patch]) -> Any:
    """Return a copy of a document, changed by patches one after the other (RFC 6902 §3).

    Raises:
        LookupError: If an operation names what is not there.
    """
    copy = fresh(document)
    for patch in patches:
        for operation in patch:
            _apply(copy, operation)
    return copy


def fresh(value: Any) -> Any:
    """Return a JSON value that shares no object or array with the one given."""
    if type(value) is dict:
        return {name: fresh(member) for name, member in value.items()}
    return [fresh(item) for item in value] if type(value) in (list, tuple) else value


def places_of(patch: Patch) -> list[Steps]:
    """Return the steps to every place that a patch reads from or writes to; `-` is behind a list's last item."""
    return [
        tuple(steps_of(operation[name]))
        for operation in patch
        for name in ("path", "from")
        if name in operation
    ]


def deepest_first(steps: Steps) -> tuple[tuple[int, str], ...]:
    """Return what to sort by, in reverse, so that no place moves one that is still to be changed."""
    return tuple((int(step), "") if step.isdecimal() else (-1, step) for step in steps)


class Moves:
    """Where things are after patches that do not overlap, told by where they were before."""

    def __init__(self, document: Any, patches: Iterable[Patch]) -> None:
        self._renamed: dict[Steps, Steps] = {}
        self._removed: dict[Steps, list[int]] = {}
        for patch in patches:
            for operation in patch:
                steps = tuple(steps_of(operation["path"]))
                if operation["op"] == "move":
                    self._renamed[tuple(steps_of(operation["from"]))] = steps
                elif operation["op"] == "remove" and type(_found(document, steps[:-1])) is list:
                    self._removed.setdefault(steps[:-1], []).append(int(steps[-1]))
        for indices in self._removed.values():
            indices.sort()

    @property
    def shift_items(self) -> bool:
        """Whether items of some list have moved up."""
        return bool(self._removed)

    def __call__(self, steps: Steps) -> Steps | None:
        """Return the steps to what was at some steps; None where it is gone."""
        if not self._renamed and not self._removed:
            return steps
        now: Steps = ()
        for depth, step in enumerate(steps):
            indices = self._removed.get(steps[:depth])
            if indices and step.isdecimal():
                before = bisect_left(indices, int(step))
                if before < len(indices) and indices[before] == int(step):
                    return None
                now = (*now, str(int(step) - before))
            else:
                now = (*now, step)
            now = self._renamed.get(steps[: depth + 1], now)
        return now


def _apply(document: Any, operation: Operation) -> None:
    *outer, last = steps_of(operation["path"])
    holder = _found(document, outer)
    match operation["op"]:
        case "remove":
            _taken(holder, last)
        case "move":
            *origin, name = steps_of(operation["from"])
            if origin == outer and type(holder) is dict:
                _rename(holder, name, last)
            else:
                _add(holder, last, _taken(_found(document, origin), name))
        case "replace" if type(holder) is list:
            holder[int(last)] = fresh(operation["value"])
        case _:
            _add(holder, last, fresh(operation["value"]))


def _found(document: Any, steps: Sequence[str]) -> Any:
    node = document
    for step in steps:
        node = node[int(step)] if type(node) is list else node[step]
    return node


def _taken(holder: Any, step: str) -> Any:
    return holder.pop(int(step)) if type(holder) is list else holder.pop(step)


def _add(holder: Any, step: str, value: Any) -> None:
    if type(holder) is list:
        holder.insert(len(holder) if step == "-" else int(step), value)
    else:
        holder[step] = value


def _rename(holder: dict[str, Any], name: str, other: str) -> None:
    """Call a member otherwise and leave it where it stands, so that a difference stays small."""
    members = [(other if one == name else one, value) for one, value in holder.items()]
    holder.clear()
    holder.update(members)
