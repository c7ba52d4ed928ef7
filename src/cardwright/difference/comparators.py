"""Comparators of one place of two cards, for tables of fields.

A comparator takes a pair and yields its changes; it accepts any JSON value and never raises. Severities
follow the Beach card seed, Versioning: a consumer treats a minor bump as a compatible addition and a
major one as a possible break.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from cardwright.difference.pair import Pair, field, frozen, holds, item, matched

if TYPE_CHECKING:
    from cardwright.difference.change import Change
    from cardwright_rules.changes import ChangeCase

_ORIGIN: Final = re.compile(r"(https?)://([^/?#@]+)", re.IGNORECASE)
Comparator: TypeAlias = Callable[[Pair], Iterable["Change"]]
# Returns the key that identifies an item of a list; None if the item has no such key.
Key: TypeAlias = Callable[[Any], Hashable | None]


def nothing(_: Pair) -> Iterator[Change]:
    """Compare nothing: for signatures and times, and for versions, which are compared elsewhere."""
    yield from ()


def text(pair: Pair) -> Iterator[Change]:
    """Compare text for people: names, descriptions, examples, icons, links, contacts."""
    pair = pair.without_empty()
    if not pair.equal:
        yield pair.change("text-changed")


def unknown(pair: Pair) -> Iterator[Change]:
    """Compare a field that the dialect does not define."""
    if not pair.equal:
        yield pair.change("unknown-member-changed")


def param(pair: Pair) -> Iterator[Change]:
    """Compare a parameter whose meaning only its extension defines."""
    if not pair.equal:
        removed = pair.new is None
        yield pair.change(
            "param-added" if pair.old is None else "param-removed" if removed else "param-changed"
        )


def fixed(
    changed: ChangeCase,
    added: ChangeCase | None = None,
    removed: ChangeCase | None = None,
    *,
    fold: bool = False,
) -> Comparator:
    """Return the comparator of a value on which callers rely.

    Args:
        changed: The kind of a changed value.
        added: The kind of an added value, by default the same.
        removed: The kind of a removed value, by default the same.
        fold: Whether to ignore case.
    """

    def compare(pair: Pair) -> Iterator[Change]:
        pair = pair.without_empty()
        if pair.equal or (fold and _folded(pair.old) == _folded(pair.new)):
            return
        case = added if pair.old is None else removed if pair.new is None else changed
        yield pair.change(case or changed)

    return compare


def flag(off: ChangeCase, on: ChangeCase) -> Comparator:
    """Return the comparator of a boolean; absent means false (A2A 1.0 §4.4.3)."""

    def compare(pair: Pair) -> Iterator[Change]:
        if (pair.old or False) is (pair.new or False):
            return
        if holds(bool, pair.old, pair.new):
            yield pair.change(on if pair.new else off)
        elif not pair.equal:
            yield pair.unreadable()

    return compare


def names(added: ChangeCase, removed: ChangeCase) -> Comparator:
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


def between(old: Listed, new: Listed, added: ChangeCase, removed: ChangeCase) -> Iterator[Change]:
    """Yield a change for each item that only one of two lists has."""
    for key, (value, at) in old.items():
        if key not in new:
            yield Pair(value, None, at, at).change(removed)
    for key, (value, at) in new.items():
        if key not in old:
            yield Pair(None, value, at, at).change(added)


def fields(table: Mapping[str, Comparator], other: Comparator = unknown) -> Comparator:
    """Return the comparator of an object: a comparator for each field in a table, and one for all others."""

    def compare(pair: Pair) -> Iterator[Change]:
        if not holds(dict, pair.old, pair.new):
            yield from () if pair.equal else (pair.unreadable(),)
            return
        for name, inner in pair.fields():
            yield from table.get(name, other)(inner)

    return compare


def entry(inner: Comparator, added: ChangeCase, removed: ChangeCase) -> Comparator:
    """Return the comparator of a value that may be added or removed as a whole."""

    def compare(pair: Pair) -> Iterator[Change]:
        if pair.old is not None and pair.new is not None:
            yield from inner(pair)
        elif pair.old is not None or pair.new is not None:
            yield pair.change(added if pair.old is None else removed)

    return compare


def entries(inner: Comparator, added: ChangeCase, removed: ChangeCase) -> Comparator:
    """Return the comparator of an object with names chosen by the author of the card."""
    return fields({}, entry(inner, added, removed))


def keyed(
    inner: Comparator,
    *keys: Key,
    added: ChangeCase | Callable[[Any], ChangeCase],
    removed: ChangeCase,
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
                yield item(pair, index, None).change(removed)
        for index in added_indices:
            if not skip(new := pair.new[index]):
                yield item(pair, None, index).change(added(new) if callable(added) else added)

    return compare


def by(*path: str) -> Key:
    """Return the key of some fields of an object together; None if one is missing. Equivalent URLs are equal."""

    def key(value: Any) -> Hashable | None:
        parts = tuple(field(value, name) for name in path)
        return None if None in parts else tuple(frozen(_address(part)) for part in parts)

    return key


def _address(value: Any) -> Any:
    """Return a URL with scheme and host in lower case and without the default port (RFC 3986 §6.2.2.1, §6.2.3)."""
    match = _ORIGIN.match(value) if isinstance(value, str) else None
    if match is None:
        return value
    scheme, host = match[1].lower(), match[2].lower().removesuffix(":443" if len(match[1]) == 5 else ":80")
    return f"{scheme}://{host}{value[match.end() :] or '/'}"


def _folded(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value
