"""Comparators of the JSON Schemas of skills: the input may only become wider, the output only narrower.

An input schema that accepts less is breaking, and so is an output schema that accepts more. References to other
documents are not fetched; references inside the schema are followed, even circular ones: each pair of schemas
is compared once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from cardwright.difference.keywords import ASSERTIONS, rule_of
from cardwright.difference.pair import Pair, holds
from cardwright.difference.references import Schemas
from cardwright.difference.rules import Effect, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change
    from cardwright.difference.comparators import Comparator
    from cardwright_rules.changes import ChangeCase

Direction: TypeAlias = Literal["input", "output"]

# How much a schema accepts; 0 means nothing.
_SOMETHING, _EVERYTHING = 1, 2
_PATTERNS: Final = "patternProperties"
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")

# Project decision: a card of 256 KiB has fewer schemas, but circular references could cause many more pairs.
MAX_PAIRS: Final = 10_000

_CASES: Final[dict[Effect, dict[Direction, ChangeCase]]] = {
    "narrower": {"input": "input-narrowed", "output": "output-narrowed"},
    "wider": {"input": "input-widened", "output": "output-widened"},
    "unclear": {"input": "input-changed", "output": "output-changed"},
    "text": {"input": "schema-text-changed", "output": "schema-text-changed"},
    "default": {"input": "input-default-changed", "output": "schema-text-changed"},
    "property-added": {"input": "input-property-added", "output": "output-property-added"},
    "property-removed": {"input": "input-property-removed", "output": "output-property-removed"},
    "required": {"input": "input-property-demanded", "output": "output-property-promised"},
    "not-required": {"input": "input-property-released", "output": "output-property-unpromised"},
}


def schema(direction: Direction) -> Comparator:
    """Return the comparator of a schema for what callers send (`input`) or read (`output`)."""

    def compare(pair: Pair) -> Iterator[Change]:
        if pair.equal:
            return
        if pair.old is None or pair.new is None:
            yield pair.change("schema-added" if pair.old is None else "schema-removed")
            return
        for effect, place in steps(pair):
            yield place.change(_CASES[effect][direction])

    return compare


def steps(root: Pair) -> Iterator[Step]:
    """Yield the differences between two schemas."""
    schemas = Schemas(root)
    pending = [root]
    # Keep the objects and not only their ids, because Python may reuse the id of a deleted object.
    seen: dict[tuple[int, int], Pair] = {}
    while pending:
        pair = pending.pop()
        if type(pair.old) is not dict or type(pair.new) is not dict:
            yield from _plain(pair)
            continue
        end = schemas.followed(pair)
        if end.old is not pair.old and end.new is not pair.new:
            yield from _beside(pair)
        here = id(end.old), id(end.new)
        if here in seen:
            continue
        if len(seen) == MAX_PAIRS:
            yield Step("unclear", root)
            return
        seen[here] = end
        for result in _keyword_by_keyword(schemas, end):
            if isinstance(result, Pair):
                pending.append(result)
            else:
                yield result


def _plain(pair: Pair) -> Iterator[Step]:
    """Compare two values of which one is `true`, `false` or not a schema."""
    old, new = _accepts(pair.old), _accepts(pair.new)
    if old is None or new is None:
        yield from () if pair.equal else (Step("unclear", pair),)
    elif old != new:
        yield Step("narrower" if new < old else "wider", pair)


def _accepts(value: Any) -> int | None:
    """Return how much a schema accepts: nothing, something, everything; None if it is not a schema."""
    match value:
        case bool():
            return _EVERYTHING if value else 0
        case dict():
            return _SOMETHING if any(name in ASSERTIONS for name in value) else _EVERYTHING
        case _:
            return None


def _keyword_by_keyword(schemas: Schemas, pair: Pair) -> Iterator[Step | Pair]:
    both = Pair(_with_enum(pair.old), _with_enum(pair.new), pair.old_at, pair.new_at)
    for keyword, inner in both.fields():
        if keyword in _REFERENCES and inner.old is not None and inner.new is not None:
            yield from schemas.referred(keyword, inner)
        else:
            yield from rule_of(keyword)(inner)
    yield from _newly_named(pair)


def _newly_named(pair: Pair) -> Iterator[Pair]:
    """Yield each new property, paired with the older schema of all unnamed properties (Core §10.3.2.3)."""
    properties, rest = pair.field("properties"), pair.field("additionalProperties")
    if (
        _accepts(rest.old) == _SOMETHING
        and holds(dict, properties.old, properties.new)
        and not pair.old.get(_PATTERNS)
    ):
        yield from (
            Pair(rest.old, inner.new, rest.old_at, inner.new_at)
            for _, inner in properties.fields()
            if inner.old is None
        )


def _beside(pair: Pair) -> Iterator[Step]:
    """Compare the annotations beside two references that were followed."""
    for keyword, inner in pair.fields():
        if keyword != "$ref":
            yield from (step for step in rule_of(keyword)(inner) if isinstance(step, Step))


def _with_enum(node: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with `enum` instead of `const` (Validation §6.1.3)."""
    if "const" not in node or "enum" in node:
        return node
    return {**{name: value for name, value in node.items() if name != "const"}, "enum": [node["const"]]}
