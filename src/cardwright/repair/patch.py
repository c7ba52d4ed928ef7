"""JSON patches (RFC 6902): apply them to a copy, and track the places that they move."""

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
    """Return a copy of a document with patches applied in order (RFC 6902 §3).

    Raises:
        LookupError: If an operation refers to a place that does not exist.
    """
    copy = fresh(document)
    for patch in patches:
        for operation in patch:
            _apply(copy, operation)
    return copy


def fresh(value: Any) -> Any:
    """Return a deep copy of a JSON value."""
    if type(value) is dict:
        return {name: fresh(field) for name, field in value.items()}
    return [fresh(item) for item in value] if type(value) in (list, tuple) else value


def places_of(patch: Patch) -> list[Steps]:
    """Return the steps to every place that a patch reads or writes; `-` is the place after a list's last item."""
    return [
        tuple(steps_of(operation[name]))
        for operation in patch
        for name in ("path", "from")
        if name in operation
    ]


def deepest_first(steps: Steps) -> tuple[tuple[int, str], ...]:
    """Return a sort key; in reverse order, no change moves a place that is changed later."""
    return tuple((int(step), "") if step.isdecimal() else (-1, step) for step in steps)


class Moves:
    """Map from places before patches, which do not overlap, to places after them."""

    def __init__(self, document: Any, patches: Iterable[Patch]) -> None:
        self._renamed: dict[Steps, Steps] = {}
        self._removed: dict[Steps, list[int]] = {}
        for patch in patches:
            for operation in patch:
                steps = tuple(steps_of(operation["path"]))
                if operation["op"] == "move":
                    self._renamed[tuple(steps_of(operation["from"]))] = steps
                elif operation["op"] == "remove" and type(_at(document, steps[:-1])) is list:
                    self._removed.setdefault(steps[:-1], []).append(int(steps[-1]))
        for indices in self._removed.values():
            indices.sort()

    @property
    def shift_items(self) -> bool:
        """Whether items of a list have new indices."""
        return bool(self._removed)

    def __call__(self, steps: Steps) -> Steps | None:
        """Return the new steps of the value at some steps; None if it was removed."""
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
    holder = _at(document, outer)
    match operation["op"]:
        case "remove":
            _removed_value(holder, last)
        case "move":
            *origin, name = steps_of(operation["from"])
            if origin == outer and type(holder) is dict:
                _rename(holder, name, last)
            else:
                _add(holder, last, _removed_value(_at(document, origin), name))
        case "replace" if type(holder) is list:
            holder[int(last)] = fresh(operation["value"])
        case _:
            _add(holder, last, fresh(operation["value"]))


def _at(document: Any, steps: Sequence[str]) -> Any:
    node = document
    for step in steps:
        node = node[int(step)] if type(node) is list else node[step]
    return node


def _removed_value(holder: Any, step: str) -> Any:
    return holder.pop(int(step)) if type(holder) is list else holder.pop(step)


def _add(holder: Any, step: str, value: Any) -> None:
    if type(holder) is list:
        holder.insert(len(holder) if step == "-" else int(step), value)
    else:
        holder[step] = value


def _rename(holder: dict[str, Any], name: str, other: str) -> None:
    """Rename a field and keep its position, so that a diff stays small."""
    fields = [(other if key == name else key, value) for key, value in holder.items()]
    holder.clear()
    holder.update(fields)
