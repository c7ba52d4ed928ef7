"""What one document lacks or has too much to be another: found, applied, and applied as far as it fits.

A step into an array is `index.print`, where the print tells its element from others: so a change finds
its place again where elements were added, removed or put in another order in between.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from cardwright.canonical import canonical_bytes
from cardwright_models.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Action: TypeAlias = Literal["set", "insert", "drop"]

# What tells one element of a card's arrays from its neighbours, as far as it has these members.
_IDENTITY: Final = ("id", "uri", "name", "url", "endpoint", "protocol", "protocolBinding", "transport")


class Index(str):
    """A step into an array."""

    __slots__ = ()

    @property
    def place(self) -> int:
        """The index alone."""
        return int(self.partition(".")[0])


@dataclass(frozen=True, slots=True)
class Change:
    """One member or element to set, insert or drop.

    Attributes:
        action: `set` gives a member a value, `insert` adds an element, `drop` removes either.
        path: Steps from the root. A dropped element counts where it stands, all else where it is wanted.
        value: What is set or inserted.
    """

    action: Action
    path: tuple[str, ...]
    value: Any = None

    @property
    def pointer(self) -> str:
        """The place in the wanted document, or of what is too much in the other."""
        return pointer_of(step.partition(".")[0] if isinstance(step, Index) else step for step in self.path)


def delta(have: Any, want: Any, path: tuple[str, ...] = ()) -> list[Change]:
    """Return what makes one JSON value another, member by member."""
    changes: list[Change] = []
    _compare(have, want, path, changes)
    return changes


def _compare(have: Any, want: Any, path: tuple[str, ...], changes: list[Change]) -> None:
    if have is want:
        return
    if type(have) is dict and type(want) is dict:
        for name, value in want.items():
            if name not in have:
                changes.append(Change("set", (*path, name), value))
            elif have[name] is not value:
                _step(have[name], value, (*path, name), changes)
        changes += [Change("drop", (*path, name)) for name in have if name not in want]
    elif type(have) is list and type(want) is list:
        _lists(have, want, path, changes)
    elif have != want or type(have) is not type(want):
        changes.append(Change("set", path, want))


def _step(have: Any, want: Any, path: tuple[str, ...], changes: list[Change]) -> None:
    if type(have) is type(want) and type(want) in (dict, list):
        _compare(have, want, path, changes)
    elif have != want or type(have) is not type(want):
        changes.append(Change("set", path, want))


def _lists(have: list[Any], want: list[Any], path: tuple[str, ...], changes: list[Change]) -> None:
    if have == want:
        return
    pairs = _pairs(have, want)
    paired = dict(pairs)
    met = {place for _, place in pairs}
    changes += [
        Change("drop", (*path, Index(f"{place}.{print_of(item)}")))
        for place, item in enumerate(have)
        if place not in met
    ]
    for index, value in enumerate(want):
        if index not in paired:
            changes.append(Change("insert", (*path, Index(str(index))), value))
        elif have[paired[index]] is not value:
            other = have[paired[index]]
            step = Index(f"{index}.{print_of(other)}")
            _compare(other, value, (*path, step), changes)


def _pairs(have: list[Any], want: list[Any]) -> list[tuple[int, int]]:
    """Return (place in want, place in have) of the elements that are one another, in order."""
    if len(have) == len(want) and all(map(_akin, have, want)):
        return [(index, index) for index in range(len(want))]
    places: dict[str, list[int]] = {}
    for place, item in enumerate(have):
        places.setdefault(print_of(item), []).append(place)
    pairs: list[tuple[int, int]] = []
    last = -1
    for index, item in enumerate(want):
        there = next((p for p in places.get(print_of(item), ()) if p > last and _akin(have[p], item)), None)
        if there is not None:
            pairs.append((index, there))
            last = there
    return pairs


def _akin(one: Any, other: Any) -> bool:
    """Whether two elements are the same, or the same but for some members."""
    if type(one) is not dict or type(other) is not dict:
        return bool(type(one) is type(other) and one == other)
    return bool(identity(one) == identity(other))


def identity(item: dict[str, Any]) -> Any:
    """Return what tells an object of an array from its neighbours; its member names where nothing does."""
    told = [item.get(name) for name in _IDENTITY]
    if any(type(value) is str for value in told):
        return told
    return sorted(item)


def print_of(item: Any) -> str:
    """Return two characters that hardly any neighbour has."""
    told = identity(item) if type(item) is dict else item
    body = hashlib.sha256(canonical_bytes([told])).digest()
    return base64.urlsafe_b64encode(body)[:2].decode()


def applied(document: Any, changes: Iterable[Change]) -> Any:
    """Return a document with changes made; one that finds no place any more is left out."""
    return _applied(document, list(changes), 0)


def _applied(value: Any, changes: Sequence[Change], depth: int) -> Any:
    here = [change for change in changes if len(change.path) == depth + 1]
    deeper: dict[str, list[Change]] = {}
    for change in changes:
        if len(change.path) > depth + 1:
            deeper.setdefault(change.path[depth], []).append(change)
    if type(value) is dict:
        made: Any = dict(value)
        for change in here:
            if change.action == "drop":
                made.pop(change.path[depth], None)
            elif change.action == "set":
                made[change.path[depth]] = change.value
        for name, inner in deeper.items():
            if name in made:
                made[name] = _applied(made[name], inner, depth + 1)
        return made
    if type(value) is list:
        dropped = {
            place
            for change in here
            if change.action == "drop"
            if (place := _place(value, change.path[depth])) is not None
        }
        made = [item for place, item in enumerate(value) if place not in dropped]
        inserted = [c for c in here if c.action == "insert" and c.path[depth].isdecimal()]
        for change in sorted(inserted, key=lambda c: int(c.path[depth])):
            made.insert(int(change.path[depth]), change.value)
        for step, inner in deeper.items():
            place = _place(made, step)
            if place is not None:
                made[place] = _applied(made[place], inner, depth + 1)
        return made
    return value


def _place(items: list[Any], step: str) -> int | None:
    """Return where the element of a step stands now; None where it is gone, or cannot be told."""
    number, _, mark = step.partition(".")
    if not number.isdecimal() or len(number) > 6:
        return None
    place = int(number)
    if not mark:
        return place if place < len(items) else None
    if place < len(items) and print_of(items[place]) == mark:
        return place
    places = [index for index, item in enumerate(items) if print_of(item) == mark]
    return places[0] if len(places) == 1 else None
