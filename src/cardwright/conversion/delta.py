"""Difference of two documents as changes, which can be applied to another document.

A step into an array is `index.fingerprint`. The fingerprint identifies the element, so that a change still
finds it after elements were added, removed or reordered.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from cardwright.jcs import canonical_bytes
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Action: TypeAlias = Literal["set", "insert", "drop", "clear"]

# Fields that identify an element of a card's arrays.
_CALLED: Final = ("id", "uri", "url", "endpoint", "name")
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
    """One field or element to set, insert or drop.

    Attributes:
        action: `set` gives a field a value, `insert` adds an element, `drop` removes either, `clear`
            removes all elements of an array. Only the first two have a value.
        path: Steps from the root: of a dropped element in the document that has it, otherwise in the
            target document.
        value: The value to set or insert.
    """

    action: Action
    path: tuple[str, ...]
    value: Any = None

    @property
    def loses(self) -> bool:
        """Whether a document without the change lacks a value."""
        return self.action in ("set", "insert")

    @property
    def pointer(self) -> str:
        """The pointer of the path, without fingerprints."""
        return pointer_of(step.partition(".")[0] if isinstance(step, Index) else step for step in self.path)


def delta(have: Any, want: Any, path: tuple[str, ...] = ()) -> list[Change]:
    """Return the changes that turn the value `have` into `want`."""
    changes: list[Change] = []
    _compare(have, want, path, changes)
    return changes


def _compare(have: Any, want: Any, path: tuple[str, ...], changes: list[Change]) -> None:
    if have is want:
        return
    if type(have) is dict and type(want) is dict:
        for name, value in want.items():
            if name not in have or (
                name == "schemes" and _is_requirement(path) and _names(have[name]) != _names(value)
            ):
                # A requirement with other schemes is replaced as a whole: a mix would require both.
                changes.append(Change("set", (*path, name), value))
            elif have[name] is not value:
                _step(have[name], value, (*path, name), changes)
        changes += [Change("drop", (*path, name)) for name in have if name not in want]
    elif type(have) is list and type(want) is list:
        _lists(have, want, path, changes)
    elif have != want or type(have) is not type(want):
        changes.append(Change("set", path, want))


def _is_requirement(path: tuple[str, ...]) -> bool:
    """Return whether a path leads to a security requirement."""
    return len(path) > 1 and path[-2] == "securityRequirements"


def _names(value: Any) -> Any:
    return sorted(value) if type(value) is dict else None


def _step(have: Any, want: Any, path: tuple[str, ...], changes: list[Change]) -> None:
    if type(have) is type(want) and type(want) in (dict, list):
        _compare(have, want, path, changes)
    elif have != want or type(have) is not type(want):
        changes.append(Change("set", path, want))


def _lists(have: list[Any], want: list[Any], path: tuple[str, ...], changes: list[Change]) -> None:
    if have == want:
        return
    if not want:
        changes.append(Change("clear", path))
        return
    if not any(type(item) is dict for item in (*have, *want)):
        # A list of strings is replaced as a whole.
        changes.append(Change("set", path, want))
        return
    # A fingerprint has two characters, so that values of different types may have the same one.
    pairs = [
        (index, place) for index, place in _pairs(have, want) if _is_compatible(have[place], want[index])
    ]
    paired = dict(pairs)
    matched = {place for _, place in pairs}
    changes += [
        Change("drop", (*path, Index(f"{place}.{fingerprint(item)}")))
        for place, item in enumerate(have)
        if place not in matched
    ]
    for index, value in enumerate(want):
        if index not in paired:
            changes.append(Change("insert", (*path, Index(str(index))), value))
        elif have[paired[index]] is not value:
            other = have[paired[index]]
            step = Index(f"{index}.{fingerprint(other)}")
            _compare(other, value, (*path, step), changes)


def _pairs(have: list[Any], want: list[Any]) -> list[tuple[int, int]]:
    """Return (index in want, index in have) of the elements that correspond to each other, in order.

    Elements correspond if they have the same fingerprint, otherwise the same name, otherwise the same
    position between two such pairs.
    """
    if len(have) == len(want) and all(map(_is_same_object, have, want)):
        return [(index, index) for index in range(len(want))]
    pairs: list[tuple[int, int]] = []
    for key in (fingerprint, _label):
        labels = [key(item) for item in have], [key(item) for item in want]
        pairs = sorted(pairs + [pair for gap in _gaps(have, want, pairs) for pair in _matched(*labels, gap)])
    return pairs + [pair for gap in _gaps(have, want, pairs) for pair in _by_position(have, want, gap)]


def _gaps(have: list[Any], want: list[Any], pairs: list[tuple[int, int]]) -> list[tuple[range, range]]:
    """Return the ranges of want and of have between pairs."""
    ends = [(-1, -1), *pairs, (len(want), len(have))]
    return [
        (range(index + 1, next_index), range(place + 1, next_place))
        for (index, place), (next_index, next_place) in itertools.pairwise(ends)
    ]


def _matched(have: list[str], want: list[str], gap: tuple[range, range]) -> list[tuple[int, int]]:
    want_range, have_range = gap
    places: dict[str, list[int]] = {}
    for place in have_range:
        places.setdefault(have[place], []).append(place)
    pairs: list[tuple[int, int]] = []
    last = -1
    for index in want_range:
        match = next((place for place in places.get(want[index], ()) if place > last), None)
        if match is not None:
            pairs.append((index, match))
            last = match
    return pairs


def _by_position(have: list[Any], want: list[Any], gap: tuple[range, range]) -> list[tuple[int, int]]:
    """Return pairs of objects by position in a gap with equally many on both sides."""
    want_range, have_range = gap
    if len(want_range) != len(have_range):
        return []
    return [
        (i, p) for i, p in zip(want_range, have_range, strict=True) if type(want[i]) is type(have[p]) is dict
    ]


def _is_compatible(element: Any, other: Any) -> bool:
    """Return whether changes inside an element can turn it into another, or they are equal."""
    return type(element) is type(other) and (type(element) in (dict, list) or bool(element == other))


def _is_same_object(element: Any, other: Any) -> bool:
    """Return whether two elements are equal, or are the same object with some different fields."""
    if type(element) is not dict or type(other) is not dict:
        return bool(type(element) is type(other) and element == other)
    return bool(identity(element) == identity(other)) or not (_name_of(element) or _name_of(other))


def _name_of(item: dict[str, Any]) -> str | None:
    """Return the first field of an object that names it."""
    names = (item.get(name) for name in _CALLED)
    return next((name for name in names if type(name) is str), None)


def _label(item: Any) -> str:
    """Return the name of an element, or its field names if it has none."""
    if type(item) is not dict:
        return repr(item)
    name = _name_of(item)
    return repr(sorted(item)) if name is None else name


def identity(item: dict[str, Any]) -> Any:
    """Return the values that identify an object of an array, or its field names if no value identifies it."""
    values = [item.get(name) for name in _IDENTITY]
    if any(type(value) is str for value in values):
        return values
    # The schemes identify a requirement.
    schemes = item.get("schemes")
    return [sorted(item), sorted(schemes) if type(schemes) is dict else None]


def fingerprint(item: Any) -> str:
    """Return two characters of a hash of an element's identity."""
    values = identity(item) if type(item) is dict else item
    body = hashlib.sha256(canonical_bytes([values])).digest()
    return base64.urlsafe_b64encode(body)[:2].decode()


def applied(document: Any, changes: Iterable[Change], missed: list[Change] | None = None) -> Any:
    """Return a document with changes applied; changes without a place in it are added to `missed`."""
    return _applied(document, list(changes), 0, [] if missed is None else missed)


def _applied(value: Any, changes: Sequence[Change], depth: int, missed: list[Change]) -> Any:
    here = [change for change in changes if len(change.path) == depth + 1]
    deeper: dict[str, list[Change]] = {}
    for change in changes:
        if len(change.path) > depth + 1:
            deeper.setdefault(change.path[depth], []).append(change)
    if type(value) is dict:
        result: Any = dict(value)
        for change in here:
            if change.action == "drop":
                result.pop(change.path[depth], None)
            elif change.action == "set":
                result[change.path[depth]] = change.value
            elif change.action == "clear":
                result[change.path[depth]] = []
        for name, inner in deeper.items():
            if name in result:
                result[name] = _applied(result[name], inner, depth + 1, missed)
            else:
                missed += inner
        return result
    if type(value) is list:
        return _applied_in(value, here, deeper, depth, missed)
    missed += changes
    return value


def _applied_in(
    value: list[Any],
    here: Sequence[Change],
    deeper: dict[str, list[Change]],
    depth: int,
    missed: list[Change],
) -> list[Any]:
    """Return an array with changes applied: first to the list of elements, then inside them."""
    places = _Places(value)
    dropped = {
        place
        for change in here
        if change.action == "drop"
        if (place := places.of(change.path[depth])) is not None
    }
    result = [item for place, item in enumerate(value) if place not in dropped]
    inserted = [c for c in here if c.action == "insert" and c.path[depth].isdecimal()]
    for change in sorted(inserted, key=lambda c: int(c.path[depth])):
        result.insert(int(change.path[depth]), change.value)
    # Find every place before changing an element, because a change may alter its fingerprint.
    by_place: dict[int, list[Change]] = {}
    places = _Places(result)
    for step, inner in deeper.items():
        place = places.of(step)
        if place is None:
            missed += inner
        else:
            by_place.setdefault(place, []).extend(inner)
    for place, inner in by_place.items():
        result[place] = _applied(result[place], inner, depth + 1, missed)
    return result


class _Places:
    """Lookup of the elements of an array; each fingerprint is computed once."""

    def __init__(self, items: list[Any]) -> None:
        self._items = items

    def of(self, step: str) -> int | None:
        """Return the current index of a step's element; None if it does not exist or is ambiguous."""
        number, _, expected = step.partition(".")
        if not number.isdecimal() or len(number) > 6:
            return None
        place = int(number)
        if not expected:
            return place if place < len(self._items) else None
        if place < len(self._items) and self._fingerprints[place] == expected:
            return place
        places = self._by_fingerprint.get(expected, ())
        return places[0] if len(places) == 1 else None

    @cached_property
    def _fingerprints(self) -> list[str]:
        return [fingerprint(item) for item in self._items]

    @cached_property
    def _by_fingerprint(self) -> dict[str, list[int]]:
        by_fingerprint: dict[str, list[int]] = {}
        for place, expected in enumerate(self._fingerprints):
            by_fingerprint.setdefault(expected, []).append(place)
        return by_fingerprint
