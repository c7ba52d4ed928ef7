"""JSON Schemas of skills: what an agent takes may only grow, what it gives may only become surer.

For what callers send, a schema that accepts less is breaking; for what they read, one that promises
less is. No reference out of the schema is ever fetched; those into it are followed, round and round
if need be: each two schemas are compared once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from cardwright.difference.comparators import Comparator, Verdict, told
from cardwright.difference.keywords import ASSERTIONS, rule_of
from cardwright.difference.pair import Pair, holds
from cardwright.difference.references import Schemas
from cardwright.difference.rules import Effect, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change

Way: TypeAlias = Literal["input", "output"]

# How much a schema accepts; the one that accepts nothing is 0.
_SOME, _ALL = 1, 2
_PATTERNS: Final = "patternProperties"
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")

# A card of 256 KiB holds fewer schemas; references in rings could make many more pairs (ours).
MOST_PAIRS: Final = 10_000

_TEXT: Final = Verdict("schema-text-changed", "patch", "only people read this: the same values are accepted")
_VERDICTS: Final[dict[tuple[Way, Effect], Verdict]] = {
    ("input", "narrower"): Verdict("input-narrowed", "major", "values that were accepted are refused now"),
    ("input", "wider"): Verdict("input-widened", "minor", "more values are accepted; none must be sent"),
    ("input", "unclear"): Verdict(
        "input-changed", "major", "whether less is accepted cannot be decided here: taken as breaking"
    ),
    ("input", "text"): _TEXT,
    ("input", "default"): Verdict(
        "input-default-changed", "major", "callers that leave this out get something else now"
    ),
    ("input", "property-added"): Verdict(
        "input-property-added", "minor", "one more property is read; `required` says whether it must be sent"
    ),
    ("input", "property-removed"): Verdict(
        "input-property-removed", "major", "callers that send this property are not heard any more"
    ),
    ("input", "required"): Verdict(
        "input-property-demanded", "major", "callers that leave this property out are refused now"
    ),
    ("input", "not-required"): Verdict(
        "input-property-released", "minor", "callers may leave this property out now"
    ),
    ("output", "narrower"): Verdict(
        "output-narrowed", "minor", "every value is one that callers reckon with"
    ),
    ("output", "wider"): Verdict(
        "output-widened", "major", "values may come that callers never had to expect"
    ),
    ("output", "unclear"): Verdict(
        "output-changed", "major", "whether less is promised cannot be decided here: taken as breaking"
    ),
    ("output", "text"): _TEXT,
    ("output", "default"): _TEXT,
    ("output", "property-added"): Verdict(
        "output-property-added", "minor", "one more property is given, which nobody must read"
    ),
    ("output", "property-removed"): Verdict(
        "output-property-removed", "major", "callers that read this property are promised it no more"
    ),
    ("output", "required"): Verdict(
        "output-property-promised", "minor", "this property is always there from now on"
    ),
    ("output", "not-required"): Verdict(
        "output-property-unpromised",
        "major",
        "this property may be missing, which callers never had to expect",
    ),
}
_ADDED: Final = Verdict("schema-added", "minor", "what holds is told now; nobody must act on it")
_REMOVED: Final = Verdict("schema-removed", "major", "callers that check against the schema find it no more")


def schema(way: Way) -> Comparator:
    """Return the comparator of a schema for what callers send (`input`) or read (`output`)."""

    def compare(pair: Pair) -> Iterator[Change]:
        if pair.alike:
            return
        if pair.old is None or pair.new is None:
            yield told(pair, _ADDED if pair.old is None else _REMOVED)
            return
        for effect, place in steps(pair):
            yield told(place, _VERDICTS[way, effect])

    return compare


def steps(root: Pair) -> Iterator[Step]:
    """Yield what differs between two schemas."""
    schemas = Schemas(root)
    pending = [root]
    # Held, not only their ids: an id is free again when its object has gone.
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
        if len(seen) == MOST_PAIRS:
            yield Step("unclear", root)
            return
        seen[here] = end
        for found in _keyword_by_keyword(schemas, end):
            if isinstance(found, Pair):
                pending.append(found)
            else:
                yield found


def _plain(pair: Pair) -> Iterator[Step]:
    """Compare where a side is `true`, `false` or no schema at all."""
    old, new = _accepts(pair.old), _accepts(pair.new)
    if old is None or new is None:
        yield from () if pair.alike else (Step("unclear", pair),)
    elif old != new:
        yield Step("narrower" if new < old else "wider", pair)


def _accepts(value: Any) -> int | None:
    """Return how much a schema accepts: nothing, something, everything; None where it is no schema."""
    match value:
        case bool():
            return _ALL if value else 0
        case dict():
            return _SOME if any(name in ASSERTIONS for name in value) else _ALL
        case _:
            return None


def _keyword_by_keyword(schemas: Schemas, pair: Pair) -> Iterator[Step | Pair]:
    both = Pair(_with_enum(pair.old), _with_enum(pair.new), pair.old_at, pair.new_at)
    for keyword, inner in both.members():
        if keyword in _REFERENCES and inner.old is not None and inner.new is not None:
            yield from schemas.referred(keyword, inner)
        else:
            yield from rule_of(keyword)(inner)
    yield from _newly_named(pair)


def _newly_named(pair: Pair) -> Iterator[Pair]:
    """Hand on each new property with the schema that all without a name had to keep (Core §10.3.2.3)."""
    named, rest = pair.member("properties"), pair.member("additionalProperties")
    if _accepts(rest.old) == _SOME and holds(dict, named.old, named.new) and not pair.old.get(_PATTERNS):
        yield from (
            Pair(rest.old, inner.new, rest.old_at, inner.new_at)
            for _, inner in named.members()
            if inner.old is None
        )


def _beside(pair: Pair) -> Iterator[Step]:
    """Compare what annotates two references that were followed."""
    for keyword, inner in pair.members():
        if keyword != "$ref":
            yield from (step for step in rule_of(keyword)(inner) if isinstance(step, Step))


def _with_enum(node: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with `enum` instead of `const` (Validation §6.1.3)."""
    if "const" not in node or "enum" in node:
        return node
    return {**{name: value for name, value in node.items() if name != "const"}, "enum": [node["const"]]}
