"""What one document lacks or has too much to be another: found, applied, and applied as far as it fits.

A step into an array is `index.print`, where the print tells its element from others: so a change finds
its place again where elements were added, removed or put in another order in between.
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

# What tells one element of a card's arrays from its neighbours, as far as it has these members.
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
    """One member or element to set, insert or drop.

    Attributes:
        action: `set` gives a member a value, `insert` adds an element, `drop` removes either, `clear`
            leaves an array without elements. Only the first two hold something of what is wanted.
        path: Steps from the root. A dropped element counts where it stands, all else where it is wanted.
        value: What is set or inserted.
    """

    action: Action
    path: tuple[str, ...]
    value: Any = None

    @property
    def loses(self) -> bool:
        """Whether the document that has not the change lacks something."""
        return self.action in ("set", "insert")

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
            if name not in have or (
                name == "schemes" and _asks(path) and _names(have[name]) != _names(value)
            ):
                # What asks for other schemes is another requirement: half of each would ask for both.
                changes.append(Change("set", (*path, name), value))
            elif have[name] is not value:
                _step(have[name], value, (*path, name), changes)
        changes += [Change("drop", (*path, name)) for name in have if name not in want]
    elif type(have) is list and type(want) is list:
        _lists(have, want, path, changes)
    elif have != want or type(have) is not type(want):
        changes.append(Change("set", path, want))


def _asks(path: tuple[str, ...]) -> bool:
    """Whether a path leads to a requirement."""
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
        # Words in a list are one thing: which of them stood where is not worth telling.
        changes.append(Change("set", path, want))
        return
    # A print has two characters: by chance it is that of something of another kind.
    pairs = [(index, place) for index, place in _pairs(have, want) if _alike(have[place], want[index])]
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
    """Return (place in want, place in have) of the elements that are one another, in order.

    Equal in all that tells elements apart, else called the same, else alone between two such pairs.
    """
    if len(have) == len(want) and all(map(_akin, have, want)):
        return [(index, index) for index in range(len(want))]
    pairs: list[tuple[int, int]] = []
    for key in (print_of, _word):
        marks = [key(item) for item in have], [key(item) for item in want]
        pairs = sorted(pairs + [pair for gap in _gaps(have, want, pairs) for pair in _matched(*marks, gap)])
    return pairs + [pair for gap in _gaps(have, want, pairs) for pair in _alone(have, want, gap)]


def _gaps(have: list[Any], want: list[Any], pairs: list[tuple[int, int]]) -> list[tuple[range, range]]:
    """Return the places in want and in have that lie between pairs."""
    ends = [(-1, -1), *pairs, (len(want), len(have))]
    return [
        (range(index + 1, next_index), range(place + 1, next_place))
        for (index, place), (next_index, next_place) in itertools.pairwise(ends)
    ]


def _matched(have: list[str], want: list[str], gap: tuple[range, range]) -> list[tuple[int, int]]:
    wanted, there = gap
    places: dict[str, list[int]] = {}
    for place in there:
        places.setdefault(have[place], []).append(place)
    pairs: list[tuple[int, int]] = []
    last = -1
    for index in wanted:
        found = next((place for place in places.get(want[index], ()) if place > last), None)
        if found is not None:
            pairs.append((index, found))
            last = found
    return pairs


def _alone(have: list[Any], want: list[Any], gap: tuple[range, range]) -> list[tuple[int, int]]:
    """Return pairs of objects in a gap with as many on both sides: they changed past knowing."""
    wanted, there = gap
    if len(wanted) != len(there):
        return []
    return [(i, p) for i, p in zip(wanted, there, strict=True) if type(want[i]) is type(have[p]) is dict]


def _alike(one: Any, other: Any) -> bool:
    """Whether one element becomes another by changes inside of it, or is it already."""
    return type(one) is type(other) and (type(one) in (dict, list) or bool(one == other))


def _akin(one: Any, other: Any) -> bool:
    """Whether two elements are the same, or the same but for some members."""
    if type(one) is not dict or type(other) is not dict:
        return bool(type(one) is type(other) and one == other)
    return bool(identity(one) == identity(other)) or not (_called(one) or _called(other))


def _called(item: dict[str, Any]) -> str | None:
    """Return the one thing that an object is called by."""
    called = (item.get(name) for name in _CALLED)
    return next((name for name in called if type(name) is str), None)


def _word(item: Any) -> str:
    """Return the one thing that an element is called by; its member names where it has none."""
    if type(item) is not dict:
        return repr(item)
    called = _called(item)
    return repr(sorted(item)) if called is None else called


def identity(item: dict[str, Any]) -> Any:
    """Return what tells an object of an array from its neighbours; its member names where nothing does."""
    told = [item.get(name) for name in _IDENTITY]
    if any(type(value) is str for value in told):
        return told
    # A requirement is told apart by what it asks for.
    asked = item.get("schemes")
    return [sorted(item), sorted(asked) if type(asked) is dict else None]


def print_of(item: Any) -> str:
    """Return two characters that hardly any neighbour has."""
    told = identity(item) if type(item) is dict else item
    body = hashlib.sha256(canonical_bytes([told])).digest()
    return base64.urlsafe_b64encode(body)[:2].decode()


def applied(document: Any, changes: Iterable[Change], missed: list[Change] | None = None) -> Any:
    """Return a document with changes made; one that finds no place any more is left out, and noted as missed."""
    return _applied(document, list(changes), 0, [] if missed is None else missed)


def _applied(value: Any, changes: Sequence[Change], depth: int, missed: list[Change]) -> Any:
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
            elif change.action == "clear":
                made[change.path[depth]] = []
        for name, inner in deeper.items():
            if name in made:
                made[name] = _applied(made[name], inner, depth + 1, missed)
            else:
                missed += inner
        return made
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
    """Return an array with changes made: to its elements, then inside of them."""
    places = _Places(value)
    dropped = {
        place
        for change in here
        if change.action == "drop"
        if (place := places.of(change.path[depth])) is not None
    }
    made = [item for place, item in enumerate(value) if place not in dropped]
    inserted = [c for c in here if c.action == "insert" and c.path[depth].isdecimal()]
    for change in sorted(inserted, key=lambda c: int(c.path[depth])):
        made.insert(int(change.path[depth]), change.value)
    # Every place is found before any element changes, since a change may alter what tells it apart.
    by_place: dict[int, list[Change]] = {}
    places = _Places(made)
    for step, inner in deeper.items():
        place = places.of(step)
        if place is None:
            missed += inner
        else:
            by_place.setdefault(place, []).extend(inner)
    for place, inner in by_place.items():
        made[place] = _applied(made[place], inner, depth + 1, missed)
    return made


class _Places:
    """Where the elements of an array stand; each is told apart once, however many steps ask."""

    def __init__(self, items: list[Any]) -> None:
        self._items = items

    def of(self, step: str) -> int | None:
        """Return where the element of a step stands now; None where it is gone, or cannot be told."""
        number, _, mark = step.partition(".")
        if not number.isdecimal() or len(number) > 6:
            return None
        place = int(number)
        if not mark:
            return place if place < len(self._items) else None
        if place < len(self._items) and self._prints[place] == mark:
            return place
        places = self._marked.get(mark, ())
        return places[0] if len(places) == 1 else None

    @cached_property
    def _prints(self) -> list[str]:
        return [print_of(item) for item in self._items]

    @cached_property
    def _marked(self) -> dict[str, list[int]]:
        marked: dict[str, list[int]] = {}
        for place, mark in enumerate(self._prints):
            marked.setdefault(mark, []).append(place)
        return marked
