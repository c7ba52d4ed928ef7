"""Comparators of one place of two cards, for tables of fields.

A comparator takes a pair and yields its changes; it accepts any JSON value and never raises. Severities
follow the Beach card seed, Versioning: a consumer treats a minor bump as a compatible addition and a
major one as a possible break.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from cardwright.difference.pair import Pair, field, frozen, holds, item, matched

if TYPE_CHECKING:
    from cardwright.difference.change import Change, Severity

Comparator: TypeAlias = Callable[[Pair], Iterable["Change"]]
# Returns the key that identifies an item of a list; None if the item has no such key.
Key: TypeAlias = Callable[[Any], Hashable | None]


class ChangeKind(NamedTuple):
    """A kind of change: its name, its severity and the reason."""

    kind: str
    severity: Severity
    why: str


def change_of(pair: Pair, kind: ChangeKind) -> Change:
    """Return the change of a pair, of some kind."""
    return pair.change(*kind)


def nothing(_: Pair) -> Iterator[Change]:
    """Compare nothing: for signatures and times, and for versions, which are compared elsewhere."""
    yield from ()


_TEXT: Final = ChangeKind("text-changed", "patch", "text for people only, without effect on callers")
_UNKNOWN: Final = ChangeKind(
    "unknown-member-changed", "patch", "no dialect defines this field, so that callers ignore it"
)


def text(pair: Pair) -> Iterator[Change]:
    """Compare text for people: names, descriptions, examples, icons, links, contacts."""
    pair = pair.without_empty()
    if not pair.equal:
        yield change_of(pair, _TEXT)


def unknown(pair: Pair) -> Iterator[Change]:
    """Compare a field that the dialect does not define."""
    if not pair.equal:
        yield change_of(pair, _UNKNOWN)


_PARAM_ADDED: Final = ChangeKind(
    "param-added", "minor", "a new parameter, which existing callers do not need"
)
_PARAM_CHANGED: Final = ChangeKind(
    "param-changed", "major", "the meaning is defined by the extension only: assumed to be breaking"
)
_PARAM_REMOVED: Final = ChangeKind(
    "param-removed", "major", "callers that read this parameter do not find it"
)


def param(pair: Pair) -> Iterator[Change]:
    """Compare a parameter whose meaning only its extension defines."""
    if not pair.equal:
        removed = pair.new is None
        yield change_of(
            pair, _PARAM_ADDED if pair.old is None else _PARAM_REMOVED if removed else _PARAM_CHANGED
        )


def fixed(changed: ChangeKind, *, added: ChangeKind, removed: ChangeKind, fold: bool = False) -> Comparator:
    """Return the comparator of a value on which callers rely.

    Args:
        changed: The kind of a changed value.
        added: The kind of an added value.
        removed: The kind of a removed value.
        fold: Whether to ignore case.
    """

    def compare(pair: Pair) -> Iterator[Change]:
        pair = pair.without_empty()
        if pair.equal or (fold and _folded(pair.old) == _folded(pair.new)):
            return
        yield change_of(pair, added if pair.old is None else removed if pair.new is None else changed)

    return compare


def flag(off: ChangeKind, on: ChangeKind) -> Comparator:
    """Return the comparator of a boolean; absent means false (A2A 1.0 §4.4.3)."""

    def compare(pair: Pair) -> Iterator[Change]:
        if (pair.old or False) is (pair.new or False):
            return
        if holds(bool, pair.old, pair.new):
            yield change_of(pair, on if pair.new else off)
        elif not pair.equal:
            yield pair.unreadable()

    return compare


def names(added: ChangeKind, removed: ChangeKind) -> Comparator:
    """Return the comparator of a list without meaningful order or duplicates."""

    def compare(pair: Pair) -> Iterator[Change]:
        pair = pair.without_empty()
        if not holds(list, pair.old, pair.new):
            yield from () if pair.equal else (pair.unreadable(),)
            return
        yield from between(listed(pair.old, pair.old_at), listed(pair.new, pair.new_at), added, removed)

    return compare


Listed: TypeAlias = dict[Hashable, tuple[Any, str]]


def listed(items: Any, at: str) -> Listed:
    """Return (value, pointer) of the distinct items of a list, each at its first place."""
    items_by_key: Listed = {}
    for index, value in enumerate(items or ()):
        if value is not None:
            items_by_key.setdefault(frozen(value), (value, f"{at}/{index}"))
    return items_by_key


def between(old: Listed, new: Listed, added: ChangeKind, removed: ChangeKind) -> Iterator[Change]:
    """Yield a change for each item that only one of two lists has."""
    for key, (value, at) in old.items():
        if key not in new:
            yield change_of(Pair(value, None, at, at), removed)
    for key, (value, at) in new.items():
        if key not in old:
            yield change_of(Pair(None, value, at, at), added)


def fields(table: Mapping[str, Comparator], other: Comparator = unknown) -> Comparator:
    """Return the comparator of an object: a comparator for each field in a table, and one for all others."""

    def compare(pair: Pair) -> Iterator[Change]:
        if not holds(dict, pair.old, pair.new):
            yield from () if pair.equal else (pair.unreadable(),)
            return
        for name, inner in pair.fields():
            yield from table.get(name, other)(inner)

    return compare


def entry(inner: Comparator, added: ChangeKind, removed: ChangeKind) -> Comparator:
    """Return the comparator of a value that may be added or removed as a whole."""

    def compare(pair: Pair) -> Iterator[Change]:
        if pair.old is not None and pair.new is not None:
            yield from inner(pair)
        elif pair.old is not None or pair.new is not None:
            yield change_of(pair, added if pair.old is None else removed)

    return compare


def entries(inner: Comparator, added: ChangeKind, removed: ChangeKind) -> Comparator:
    """Return the comparator of an object with names chosen by the author of the card."""
    return fields({}, entry(inner, added, removed))


def keyed(
    inner: Comparator,
    *keys: Key,
    added: ChangeKind | Callable[[Any], ChangeKind],
    removed: ChangeKind,
    skip: Callable[[Any], bool] = lambda _: False,
) -> Comparator:
    """Return the comparator of a list of objects that keys identify, in any order.

    Args:
        inner: The comparator of two objects that match.
        keys: The keys that identify objects, strongest first.
        added: The kind of an added object; may be computed from the object.
        removed: The kind of a removed object.
        skip: Returns whether to ignore an object.
    """

    def compare(pair: Pair) -> Iterator[Change]:
        pair = pair.without_empty()
        if not holds(list, pair.old, pair.new):
            yield from () if pair.equal else (pair.unreadable(),)
            return
        matches, removed_indices, added_indices = matched(pair, *keys)
        for index, other in matches:
            if not skip(pair.old[index]):
                yield from inner(item(pair, index, other))
        for index in removed_indices:
            if not skip(pair.old[index]):
                yield change_of(item(pair, index, None), removed)
        for index in added_indices:
            if not skip(new := pair.new[index]):
                yield change_of(
                    item(pair, None, index), added if isinstance(added, ChangeKind) else added(new)
                )

    return compare


def by(*path: str) -> Key:
    """Return the key of some fields of an object together; None if one is missing."""

    def key(value: Any) -> Hashable | None:
        parts = tuple(field(value, name) for name in path)
        return None if None in parts else tuple(frozen(part) for part in parts)

    return key


def _folded(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value
