"""The ways to compare one place of two cards, to be put into tables of members.

A comparator takes a pair and yields its changes; it takes any JSON value and never raises. What the
severities rest on is the Beach card seed, Versioning: a consumer treats a minor bump as a
compatible addition and a major one as a possible break.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from cardwright.difference.pair import Pair, frozen, holds, item, matched, member

if TYPE_CHECKING:
    from cardwright.difference.change import Change, Severity

Comparator: TypeAlias = Callable[[Pair], Iterable["Change"]]
# What makes two items of a list the same thing; None where an item has no such key.
Key: TypeAlias = Callable[[Any], Hashable | None]


class Verdict(NamedTuple):
    """What one thing that can happen to a place is called, how severe it is and why."""

    kind: str
    severity: Severity
    why: str


def told(pair: Pair, verdict: Verdict) -> Change:
    """Return the change of a pair that a verdict is of."""
    return pair.change(*verdict)


def nothing(_: Pair) -> Iterator[Change]:
    """Compare what has no meaning of its own: signatures, times, versions, which are judged apart."""
    yield from ()


_TEXT: Final = Verdict("text-changed", "patch", "only people read this: no caller acts on it")
_UNKNOWN: Final = Verdict(
    "unknown-member-changed", "patch", "no dialect knows this member: callers ignore it"
)


def text(pair: Pair) -> Iterator[Change]:
    """Compare what only people read: names, descriptions, examples, icons, links, contacts."""
    pair = pair.given()
    if not pair.alike:
        yield told(pair, _TEXT)


def unknown(pair: Pair) -> Iterator[Change]:
    """Compare a member that the dialect does not know."""
    if not pair.alike:
        yield told(pair, _UNKNOWN)


_PARAM_ADDED: Final = Verdict("param-added", "minor", "one more setting; callers of before did without")
_PARAM_CHANGED: Final = Verdict(
    "param-changed", "major", "only the extension knows what this means: taken as breaking"
)
_PARAM_REMOVED: Final = Verdict("param-removed", "major", "callers that read this setting find it no more")


def param(pair: Pair) -> Iterator[Change]:
    """Compare a setting whose meaning only its extension knows."""
    if not pair.alike:
        gone = pair.new is None
        yield told(pair, _PARAM_ADDED if pair.old is None else _PARAM_REMOVED if gone else _PARAM_CHANGED)


def fixed(changed: Verdict, *, added: Verdict, removed: Verdict, fold: bool = False) -> Comparator:
    """Return the comparator of a value that callers rely on as it stands.

    Args:
        changed: What it means that there is another.
        added: What it means that there is one now.
        removed: What it means that there is none any more.
        fold: Whether capitals mean nothing.
    """

    def compare(pair: Pair) -> Iterator[Change]:
        pair = pair.given()
        if pair.alike or (fold and _folded(pair.old) == _folded(pair.new)):
            return
        yield told(pair, added if pair.old is None else removed if pair.new is None else changed)

    return compare


def flag(off: Verdict, on: Verdict) -> Comparator:
    """Return the comparator of a switch; absent is off (A2A 1.0 §4.4.3)."""

    def compare(pair: Pair) -> Iterator[Change]:
        if (pair.old or False) is (pair.new or False):
            return
        if holds(bool, pair.old, pair.new):
            yield told(pair, on if pair.new else off)
        elif not pair.alike:
            yield pair.unreadable()

    return compare


def names(added: Verdict, removed: Verdict) -> Comparator:
    """Return the comparator of a list in which neither order nor repetition means anything."""

    def compare(pair: Pair) -> Iterator[Change]:
        pair = pair.given()
        if not holds(list, pair.old, pair.new):
            yield from () if pair.alike else (pair.unreadable(),)
            return
        yield from between(listed(pair.old, pair.old_at), listed(pair.new, pair.new_at), added, removed)

    return compare


Listed: TypeAlias = dict[Hashable, tuple[Any, str]]


def listed(items: Any, at: str) -> Listed:
    """Return the items of a list, each with its value and where it first stands."""
    found: Listed = {}
    for index, value in enumerate(items or ()):
        if value is not None:
            found.setdefault(frozen(value), (value, f"{at}/{index}"))
    return found


def between(old: Listed, new: Listed, added: Verdict, removed: Verdict) -> Iterator[Change]:
    """Yield a change for each item that only one of two lists has."""
    for key, (value, at) in old.items():
        if key not in new:
            yield told(Pair(value, None, at, at), removed)
    for key, (value, at) in new.items():
        if key not in old:
            yield told(Pair(None, value, at, at), added)


def members(table: Mapping[str, Comparator], other: Comparator = unknown) -> Comparator:
    """Return the comparator of an object: a comparator for each member, another for all that are not named."""

    def compare(pair: Pair) -> Iterator[Change]:
        if not holds(dict, pair.old, pair.new):
            yield from () if pair.alike else (pair.unreadable(),)
            return
        for name, inner in pair.members():
            yield from table.get(name, other)(inner)

    return compare


def entry(inner: Comparator, added: Verdict, removed: Verdict) -> Comparator:
    """Return the comparator of one thing that may come or go as a whole."""

    def compare(pair: Pair) -> Iterator[Change]:
        if pair.old is not None and pair.new is not None:
            yield from inner(pair)
        elif pair.old is not None or pair.new is not None:
            yield told(pair, added if pair.old is None else removed)

    return compare


def entries(inner: Comparator, added: Verdict, removed: Verdict) -> Comparator:
    """Return the comparator of an object whose members' names are the author's own."""
    return members({}, entry(inner, added, removed))


def keyed(
    inner: Comparator,
    *keys: Key,
    added: Verdict | Callable[[Any], Verdict],
    removed: Verdict,
    skip: Callable[[Any], bool] = lambda _: False,
) -> Comparator:
    """Return the comparator of a list of objects that are known by a key, in whatever order.

    Args:
        inner: Compares two that match.
        keys: What makes two the same thing, strongest first.
        added: What it means that one came; it may depend on which.
        removed: What it means that one is gone.
        skip: Which say nothing.
    """

    def compare(pair: Pair) -> Iterator[Change]:
        pair = pair.given()
        if not holds(list, pair.old, pair.new):
            yield from () if pair.alike else (pair.unreadable(),)
            return
        same, gone, come = matched(pair, *keys)
        for index, other in same:
            if not skip(pair.old[index]):
                yield from inner(item(pair, index, other))
        for index in gone:
            if not skip(pair.old[index]):
                yield told(item(pair, index, None), removed)
        for index in come:
            if not skip(new := pair.new[index]):
                yield told(item(pair, None, index), added if isinstance(added, Verdict) else added(new))

    return compare


def by(*path: str) -> Key:
    """Return the key that some members of an object make together; None where one is missing."""

    def key(value: Any) -> Hashable | None:
        found = tuple(member(value, name) for name in path)
        return None if None in found else tuple(frozen(part) for part in found)

    return key


def _folded(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value
