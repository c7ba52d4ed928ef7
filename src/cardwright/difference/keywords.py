"""What each keyword of JSON Schema does to the values that a schema accepts (JSON Schema 2020-12).

A schema is a conjunction: a keyword that comes narrows it, one that goes widens it, and one that
changes is compared by its row in the table. Where a row cannot tell, the change is `unclear`, never
a guess. Keywords that no draft defines say nothing (Core §6.5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from cardwright.difference.comparators import listed
from cardwright.difference.pair import Pair, frozen, holds, matched

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

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
    """One difference of two schemas: what it does, and where."""

    effect: Effect
    pair: Pair


# A rule yields what differs, and the pairs of inner schemas that are still to be compared.
Rule: TypeAlias = Callable[[Pair], "Iterator[Step | Pair]"]

_KINDS: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def _come_or_gone(pair: Pair, changed: Effect = "unclear") -> Iterator[Step]:
    if not pair.alike:
        yield Step("narrower" if pair.old is None else "wider" if pair.new is None else changed, pair)


def _conjunct(pair: Pair) -> Iterator[Step | Pair]:
    yield from _come_or_gone(pair)


def _annotation(pair: Pair) -> Iterator[Step | Pair]:
    if not pair.alike:
        yield Step("text", pair)


def _default(pair: Pair) -> Iterator[Step | Pair]:
    if not pair.alike:
        yield Step("default", pair)


def _unclear(pair: Pair) -> Iterator[Step | Pair]:
    if not pair.alike:
        yield Step("unclear", pair)


def _by_inclusion(sides: Callable[[Any], frozenset[Hashable] | None]) -> Rule:
    """Return the rule of a keyword that names a set: of types, of values."""

    def rule(pair: Pair) -> Iterator[Step | Pair]:
        old, new = (None if side is None else sides(side) for side in (pair.old, pair.new))
        if pair.old is None or pair.new is None:
            yield from _come_or_gone(pair)
        elif old is None or new is None:
            yield from _unclear(pair)
        elif old != new:
            yield Step("narrower" if new < old else "wider" if old < new else "unclear", pair)

    return rule


def _types(value: Any) -> frozenset[Hashable] | None:
    named = [value] if isinstance(value, str) else value
    if type(named) is not list or not all(isinstance(name, str) for name in named):
        return None
    # Every integer is a number (Validation §6.1.1).
    return frozenset(named) | ({"integer"} if "number" in named else set())


def _values(value: Any) -> frozenset[Hashable] | None:
    return frozenset(map(frozen, value)) if type(value) is list else None


def _bound(*, least: bool, absent: int | None = None) -> Rule:
    """Return the rule of a bound; `absent` is the value that is the same as none."""

    def rule(pair: Pair) -> Iterator[Step | Pair]:
        old, new = (None if side == absent and type(side) is int else side for side in (pair.old, pair.new))
        if old == new and _number(old) == _number(new):
            return
        if not (_number(old) and _number(new)):
            yield Step("unclear", pair)
        elif old is None or new is None:
            yield Step("narrower" if old is None else "wider", pair)
        else:
            yield Step("narrower" if (new > old) == least else "wider", pair)

    return rule


def _number(value: Any) -> bool:
    return value is None or type(value) in (int, float)


def _multiple(pair: Pair) -> Iterator[Step | Pair]:
    old, new = pair.old, pair.new
    whole = type(old) is int and type(new) is int and old > 0 < new
    changed: Effect = "unclear"
    if whole and new % old == 0:
        changed = "narrower"
    elif whole and old % new == 0:
        changed = "wider"
    yield from _come_or_gone(pair, changed)


def _switch(pair: Pair) -> Iterator[Step | Pair]:
    old, new = pair.old or False, pair.new or False
    if holds(bool, old, new):
        if old is not new:
            yield Step("narrower" if new else "wider", pair)
    else:
        yield from _unclear(pair)


def _inner(pair: Pair) -> Iterator[Step | Pair]:
    """Hand on the pair of one inner schema; absent is the schema that accepts everything."""
    old, new = (True if side is None else side for side in (pair.old, pair.new))
    yield Pair(old, new, pair.old_at, pair.new_at)


def _items(pair: Pair) -> Iterator[Step | Pair]:
    # Before 2020-12 an array of schemas stood here.
    yield from (_tuple if isinstance(pair.old, list) or isinstance(pair.new, list) else _inner)(pair)


def _tuple(pair: Pair) -> Iterator[Step | Pair]:
    """Compare schemas by position. What one more position means, other keywords decide."""
    if not holds(list, pair.old, pair.new) or len(pair.old or ()) != len(pair.new or ()):
        yield from _unclear(pair)
        return
    for index, (old, new) in enumerate(zip(pair.old or (), pair.new or (), strict=True)):
        yield Pair(old, new, f"{pair.old_at}/{index}", f"{pair.new_at}/{index}")


def _properties(pair: Pair) -> Iterator[Step | Pair]:
    if not holds(dict, pair.old, pair.new):
        yield from _unclear(pair)
        return
    for _, inner in pair.members():
        if inner.old is None or inner.new is None:
            yield Step("property-added" if inner.old is None else "property-removed", inner)
        else:
            yield inner


def _required(pair: Pair) -> Iterator[Step | Pair]:
    # Draft 3 and much of what imitates it write a boolean into the property.
    if not holds(list, pair.old, pair.new):
        yield from _unclear(pair)
        return
    old, new = listed(pair.old, pair.old_at), listed(pair.new, pair.new_at)
    for key, (value, at) in new.items():
        if key not in old:
            yield Step("required", Pair(None, value, at, at))
    for key, (value, at) in old.items():
        if key not in new:
            yield Step("not-required", Pair(value, None, at, at))


def _named_conjuncts(pair: Pair) -> Iterator[Step | Pair]:
    if not holds(dict, pair.old, pair.new):
        yield from _unclear(pair)
        return
    for _, inner in pair.members():
        if inner.old is None or inner.new is None:
            yield Step("narrower" if inner.old is None else "wider", inner)
        else:
            yield inner


def _patterns(pair: Pair) -> Iterator[Step | Pair]:
    """Compare schemas by pattern. What one more pattern means, `additionalProperties` decides."""
    if not holds(dict, pair.old, pair.new) or set(pair.old or ()) != set(pair.new or ()):
        yield from _unclear(pair)
        return
    yield from (inner for _, inner in pair.members())


def _arms(come: Effect, gone: Effect) -> Rule:
    """Return the rule of a list of schemas in which order means nothing.

    Arms of `oneOf` are taken for what they are meant to be, alternatives that do not overlap.
    """

    def rule(pair: Pair) -> Iterator[Step | Pair]:
        if pair.old is None or pair.new is None:
            yield from _come_or_gone(pair)
            return
        if not holds(list, pair.old, pair.new):
            yield from _unclear(pair)
            return
        same, lost, found = matched(pair)
        if lost and len(lost) == len(found):
            same += zip(lost, found, strict=True)
            lost = found = []
        elif lost and found:
            yield Step("unclear", pair)
            return
        for old, new in same:
            yield Pair(pair.old[old], pair.new[new], f"{pair.old_at}/{old}", f"{pair.new_at}/{new}")
        for index in lost:
            yield Step(gone, Pair(pair.old[index], None, f"{pair.old_at}/{index}", ""))
        for index in found:
            yield Step(come, Pair(None, pair.new[index], "", f"{pair.new_at}/{index}"))

    return rule


_LEAST, _MOST = _bound(least=True), _bound(least=False)
_LEAST_COUNT = _bound(least=True, absent=0)

ASSERTIONS: Final[Mapping[str, Rule]] = {
    # Validation §6.1; a `const` alone is made an `enum` of one before this table is asked.
    "const": _conjunct,
    "type": _by_inclusion(_types),
    "enum": _by_inclusion(_values),
    # Validation §6.2 to §6.5
    "minimum": _LEAST,
    "exclusiveMinimum": _LEAST,
    "minLength": _LEAST_COUNT,
    "minItems": _LEAST_COUNT,
    "minProperties": _LEAST_COUNT,
    "maximum": _MOST,
    "exclusiveMaximum": _MOST,
    "maxLength": _MOST,
    "maxItems": _MOST,
    "maxProperties": _MOST,
    "multipleOf": _multiple,
    "uniqueItems": _switch,
    "required": _required,
    "pattern": _conjunct,
    "dependentRequired": _conjunct,
    # Validation §7 and §8: by 2020-12 these only annotate; validators that enforce them are common.
    "format": _conjunct,
    "contentEncoding": _conjunct,
    "contentMediaType": _conjunct,
    "contentSchema": _conjunct,
    # Core §10.2
    "allOf": _arms(come="narrower", gone="wider"),
    "anyOf": _arms(come="wider", gone="narrower"),
    "oneOf": _arms(come="wider", gone="narrower"),
    "not": _conjunct,
    "if": _unclear,
    "then": _unclear,
    "else": _unclear,
    "dependentSchemas": _named_conjuncts,
    "dependencies": _conjunct,
    # Core §10.3
    "properties": _properties,
    "patternProperties": _patterns,
    "additionalProperties": _inner,
    "propertyNames": _inner,
    "items": _items,
    "prefixItems": _tuple,
    "additionalItems": _unclear,
    "contains": _conjunct,
    "minContains": _unclear,
    "maxContains": _unclear,
    # Core §11: what they see depends on all that stands beside them.
    "unevaluatedItems": _unclear,
    "unevaluatedProperties": _unclear,
    # Core §8.2: references are followed before this table is asked; what is left leads out.
    "$ref": _conjunct,
    "$dynamicRef": _unclear,
    "$recursiveRef": _unclear,
    # Validation §9.4: some read these as a refusal.
    "readOnly": _unclear,
    "writeOnly": _unclear,
}

_OTHERS: Final[Mapping[str, Rule]] = {
    "default": _default,
    # Said in one place, used in others: compared where they are used.
    "$defs": lambda _: iter(()),
    "definitions": lambda _: iter(()),
}


def rule_of(keyword: str) -> Rule:
    """Return the rule of a keyword; one that no draft defines is an annotation."""
    return ASSERTIONS.get(keyword) or _OTHERS.get(keyword, _annotation)
