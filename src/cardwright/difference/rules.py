"""Comparison rules for the keywords of JSON Schemas, for the table of keywords.

A rule takes the pair of a keyword's values. It yields the effect on the values that the schema accepts, and
the pairs of inner schemas that must be compared, too. If it cannot decide, the effect is `unclear`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from cardwright.difference.comparators import listed
from cardwright.difference.pair import Pair, frozen, holds, matched

if TYPE_CHECKING:
    from collections.abc import Hashable

Effect: TypeAlias = Literal[
    "narrower",
    "wider",
    "unclear",
    "text",
    "default",
    "property-added",
    "property-removed",
    "required",
    "not-required",
]


class Step(NamedTuple):
    """One difference of two schemas: its effect and its place."""

    effect: Effect
    pair: Pair


# A rule yields differences, and pairs of inner schemas to compare next.
Rule: TypeAlias = Callable[[Pair], "Iterator[Step | Pair]"]

_KINDS: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def _added_or_removed(pair: Pair, changed: Effect = "unclear") -> Iterator[Step]:
    if not pair.equal:
        yield Step("narrower" if pair.old is None else "wider" if pair.new is None else changed, pair)


def conjunct(pair: Pair) -> Iterator[Step | Pair]:
    """Compare a keyword whose presence narrows, and whose values cannot be compared."""
    yield from _added_or_removed(pair)


def annotation(pair: Pair) -> Iterator[Step | Pair]:
    """Compare a keyword without effect on validation."""
    if not pair.equal:
        yield Step("text", pair)


def default(pair: Pair) -> Iterator[Step | Pair]:
    """Compare default values."""
    if not pair.equal:
        yield Step("default", pair)


def unclear(pair: Pair) -> Iterator[Step | Pair]:
    """Compare a keyword whose effect depends on other keywords."""
    if not pair.equal:
        yield Step("unclear", pair)


def by_inclusion(values_of_side: Callable[[Any], frozenset[Hashable] | None]) -> Rule:
    """Return the rule of a keyword whose value is a set: of types, of values."""

    def rule(pair: Pair) -> Iterator[Step | Pair]:
        old, new = (None if side is None else values_of_side(side) for side in (pair.old, pair.new))
        if pair.old is None or pair.new is None:
            yield from _added_or_removed(pair)
        elif old is None or new is None:
            yield from unclear(pair)
        elif old != new:
            yield Step("narrower" if new < old else "wider" if old < new else "unclear", pair)

    return rule


def types_of(value: Any) -> frozenset[Hashable] | None:
    """Return the types in `type`; None if its value is not valid (Validation §6.1.1)."""
    names = [value] if isinstance(value, str) else value
    if type(names) is not list or not all(isinstance(name, str) for name in names):
        return None
    # Every integer is a number.
    return frozenset(names) | ({"integer"} if "number" in names else set())


def values_of(value: Any) -> frozenset[Hashable] | None:
    """Return the values in `enum`; None if it is not a list."""
    return frozenset(map(frozen, value)) if type(value) is list else None


def bound(*, is_minimum: bool, absent: int | None = None) -> Rule:
    """Return the rule of a minimum or maximum; `absent` is the value that has no effect."""

    def rule(pair: Pair) -> Iterator[Step | Pair]:
        old, new = (None if side == absent and type(side) is int else side for side in (pair.old, pair.new))
        if old == new and _number(old) == _number(new):
            return
        if not (_number(old) and _number(new)):
            yield Step("unclear", pair)
        elif old is None or new is None:
            yield Step("narrower" if old is None else "wider", pair)
        else:
            yield Step("narrower" if (new > old) == is_minimum else "wider", pair)

    return rule


def _number(value: Any) -> bool:
    return value is None or type(value) in (int, float)


def multiple(pair: Pair) -> Iterator[Step | Pair]:
    """Compare `multipleOf`: a multiple of the older value narrows."""
    old, new = pair.old, pair.new
    are_positive_integers = type(old) is int and type(new) is int and old > 0 < new
    changed: Effect = "unclear"
    if are_positive_integers and new % old == 0:
        changed = "narrower"
    elif are_positive_integers and old % new == 0:
        changed = "wider"
    yield from _added_or_removed(pair, changed)


def switch(pair: Pair) -> Iterator[Step | Pair]:
    """Compare a keyword that narrows if it is true."""
    old, new = pair.old or False, pair.new or False
    if holds(bool, old, new):
        if old is not new:
            yield Step("narrower" if new else "wider", pair)
    else:
        yield from unclear(pair)


def inner(pair: Pair) -> Iterator[Step | Pair]:
    """Yield the pair of one inner schema; an absent one accepts everything."""
    old, new = (True if side is None else side for side in (pair.old, pair.new))
    yield Pair(old, new, pair.old_at, pair.new_at)


def items(pair: Pair) -> Iterator[Step | Pair]:
    """Compare `items`: one schema for all, or, before 2020-12, an array of schemas by position."""
    yield from (positions if isinstance(pair.old, list) or isinstance(pair.new, list) else inner)(pair)


def positions(pair: Pair) -> Iterator[Step | Pair]:
    """Compare schemas by position. The effect of a further position depends on other keywords."""
    if not holds(list, pair.old, pair.new) or len(pair.old or ()) != len(pair.new or ()):
        yield from unclear(pair)
        return
    for index, (old, new) in enumerate(zip(pair.old or (), pair.new or (), strict=True)):
        yield Pair(old, new, f"{pair.old_at}/{index}", f"{pair.new_at}/{index}")


def properties(pair: Pair) -> Iterator[Step | Pair]:
    """Compare schemas by property. Added and removed properties have effects of their own."""
    if not holds(dict, pair.old, pair.new):
        yield from unclear(pair)
        return
    for _, inner in pair.fields():
        # The schema `false` forbids a property.
        if inner.old is None and inner.new is False:
            yield Step("narrower", inner)
        elif inner.new is None and inner.old is False:
            yield Step("wider", inner)
        elif inner.old is None or inner.new is None:
            yield Step("property-added" if inner.old is None else "property-removed", inner)
        else:
            yield inner


def required(pair: Pair) -> Iterator[Step | Pair]:
    """Compare lists of required properties."""
    # Draft 3, and schemas that imitate it, have a boolean in the property instead.
    if not holds(list, pair.old, pair.new):
        yield from unclear(pair)
        return
    old, new = listed(pair.old, pair.old_at), listed(pair.new, pair.new_at)
    for key, (value, at) in new.items():
        if key not in old:
            yield Step("required", Pair(None, value, at, at))
    for key, (value, at) in old.items():
        if key not in new:
            yield Step("not-required", Pair(value, None, at, at))


def named_conjuncts(pair: Pair) -> Iterator[Step | Pair]:
    """Compare schemas by name, each of which narrows."""
    if not holds(dict, pair.old, pair.new):
        yield from unclear(pair)
        return
    for _, inner in pair.fields():
        if inner.old is None or inner.new is None:
            yield Step("narrower" if inner.old is None else "wider", inner)
        else:
            yield inner


def patterns(pair: Pair) -> Iterator[Step | Pair]:
    """Compare schemas by pattern. The effect of a further pattern depends on `additionalProperties`."""
    if not holds(dict, pair.old, pair.new) or set(pair.old or ()) != set(pair.new or ()):
        yield from unclear(pair)
        return
    yield from (inner for _, inner in pair.fields())


def arms(added: Effect, removed: Effect) -> Rule:
    """Return the rule of a list of schemas without meaningful order.

    The arms of `oneOf` are assumed not to overlap.
    """

    def rule(pair: Pair) -> Iterator[Step | Pair]:
        if pair.old is None or pair.new is None:
            yield from _added_or_removed(pair)
            return
        if not holds(list, pair.old, pair.new):
            yield from unclear(pair)
            return
        matches, removed_indices, added_indices = matched(pair)
        if removed_indices and len(removed_indices) == len(added_indices):
            matches += zip(removed_indices, added_indices, strict=True)
            removed_indices = added_indices = []
        elif removed_indices and added_indices:
            yield Step("unclear", pair)
            return
        for old, new in matches:
            yield Pair(pair.old[old], pair.new[new], f"{pair.old_at}/{old}", f"{pair.new_at}/{new}")
        for index in removed_indices:
            yield Step(removed, Pair(pair.old[index], None, f"{pair.old_at}/{index}", ""))
        for index in added_indices:
            yield Step(added, Pair(None, pair.new[index], "", f"{pair.new_at}/{index}"))

    return rule
