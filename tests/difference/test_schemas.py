"""JSON Schemas of skills: both directions of each keyword, references, cycles and limits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cardwright.difference import Change, required_bump
from cardwright.difference.keywords import ASSERTIONS
from cardwright.difference.pair import Pair
from cardwright.difference.schemas import MAX_PAIRS, schema

PAIRS = json.loads((Path(__file__).parent / "pairs" / "schemas.json").read_bytes())
# Wider, narrower: for each keyword, a schema and one that accepts less by it.
NARROWING: list[tuple[str, Any, Any]] = PAIRS["narrowing"]
# Pairs for which it is undecidable here whether one accepts less.
UNCLEAR: list[tuple[str, Any, Any]] = PAIRS["undecidable"]


def changes(way: Any, old: Any, new: Any) -> list[Change]:
    return list(schema(way)(Pair(old, new)))


def kinds(way: Any, old: Any, new: Any) -> list[tuple[str, str]]:
    return [(change.kind, change.severity) for change in changes(way, old, new)]


@pytest.mark.parametrize(("keyword", "wide", "narrow"), NARROWING)
def test_a_narrower_input_schema_breaks_senders(keyword: str, wide: Any, narrow: Any) -> None:
    assert keyword in ASSERTIONS
    assert kinds("input", wide, narrow) == [("input-narrowed", "major")]
    assert kinds("input", narrow, wide) == [("input-widened", "minor")]


@pytest.mark.parametrize(("keyword", "wide", "narrow"), NARROWING)
def test_a_wider_output_schema_breaks_readers(keyword: str, wide: Any, narrow: Any) -> None:
    assert kinds("output", wide, narrow) == [("output-narrowed", "minor")], keyword
    assert kinds("output", narrow, wide) == [("output-widened", "major")], keyword


@pytest.mark.parametrize(("keyword", "one", "other"), UNCLEAR)
@pytest.mark.parametrize("way", ["input", "output"])
def test_an_undecidable_schema_change_is_breaking_and_says_so(
    way: str, keyword: str, one: Any, other: Any
) -> None:
    assert keyword in ASSERTIONS
    for old, new in ((one, other), (other, one)):
        (change,) = changes(way, old, new)
        assert (change.kind, change.severity) == (f"{way}-changed", "major")
        assert "cannot be decided" in change.why


def test_each_keyword_of_the_table_has_a_pair() -> None:
    held = {keyword for keyword, _, _ in NARROWING + UNCLEAR}

    assert held == set(ASSERTIONS)


@pytest.mark.parametrize(("old", "new"), PAIRS["equivalent"])
def test_equivalent_schemas_differ_in_text_only(old: Any, new: Any) -> None:
    for way in ("input", "output"):
        assert required_bump(changes(way, old, new)) in ("none", "patch")


@pytest.mark.parametrize("reference", ["#/$defs/a", "https://x.example/#/$defs/a", "here", "#there"])
def test_a_change_behind_a_renamed_reference_is_found(reference: str) -> None:
    old, new = (
        {
            "$id": "https://x.example/",
            "items": {"$ref": reference},
            "$defs": {"a": {"$id": "here", "$anchor": "there", "type": kind}},
        }
        for kind in ("string", "integer")
    )

    assert [severity for _, severity in kinds("input", old, new)] == ["major"]
    assert kinds("input", old, old) == []


def test_a_new_property_is_compared_with_additional_properties() -> None:
    old = {"additionalProperties": {"type": "string"}}
    free: dict[str, Any] = {"additionalProperties": {}}

    assert ("input-changed", "major") in kinds(
        "input", old, {**old, "properties": {"a": {"type": "integer"}}}
    )
    assert kinds("input", old, {**old, "properties": {"a": {"type": "string"}}}) == [
        ("input-property-added", "minor")
    ]
    assert kinds("input", free, {**free, "properties": {"a": {"type": "integer"}}}) == [
        ("input-property-added", "minor")
    ]


def test_a_change_in_a_definition_has_the_pointer_of_the_definition() -> None:
    old = {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"properties": {"x": {"type": "string"}}}}}
    new = {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"properties": {"x": {"type": "integer"}}}}}

    (change,) = changes("input", old, new)

    assert (change.pointer, change.before, change.after) == (
        "/$defs/a/properties/x/type",
        "string",
        "integer",
    )


def test_keywords_beside_a_reference_apply_too() -> None:
    old = {"$ref": "#/$defs/a", "minimum": 1, "$defs": {"a": {"maximum": 9}}}
    new = {"$ref": "#/$defs/a", "minimum": 2, "$defs": {"a": {"maximum": 8}}}

    assert {change.pointer for change in changes("input", old, new)} == {"/minimum", "/$defs/a/maximum"}


@pytest.mark.parametrize(
    "ring",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        {"properties": {"x": {"$ref": "#"}}},
        {"allOf": [{"$ref": "#"}, {"$ref": "#/allOf/0"}, {"$ref": "#/allOf/9"}, {"$ref": "#/allOf/x"}]},
    ],
)
def test_a_cycle_of_references_ends(ring: Any) -> None:
    assert changes("input", ring, {**ring, "minimum": 1})
    assert changes("output", {**ring, "$comment": "x"}, {**ring, "$comment": "y"})


def test_cycles_of_different_lengths_end_at_the_limit() -> None:
    def chain(length: int, last: Any) -> Any:
        defs: Any = {f"d{i}": {"items": {"$ref": f"#/$defs/d{(i + 1) % length}"}} for i in range(length)}
        defs["d1"].update(last)
        return {"$ref": "#/$defs/d0", "$defs": defs}

    old, new = chain(211, {}), chain(223, {"minLength": 1})

    found = changes("input", old, new)

    assert MAX_PAIRS < 211 * 223
    assert found[-1].kind == "input-changed"
    assert found[-1].pointer == ""


def test_a_long_chain_of_references_needs_no_deep_stack() -> None:
    def chain(least: int) -> Any:
        defs: Any = {f"d{i}": {"items": {"$ref": f"#/$defs/d{i + 1}"}} for i in range(4000)}
        return {"$ref": "#/$defs/d0", "$defs": defs | {"d4000": {"minimum": least}}}

    assert kinds("input", chain(1), chain(2)) == [("input-narrowed", "major")]


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 12), st.sampled_from(["", "a", "ab", "abc"]),
    st.lists(st.integers(0, 3), max_size=3), st.dictionaries(st.sampled_from("ab"), st.integers(0, 3)),
)  # fmt: skip
SCHEMAS = st.recursive(
    st.booleans()
    | st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["string", "integer", "number", "object", "array", ["null", "boolean"]]),
            "enum": st.lists(st.integers(0, 3) | st.none(), min_size=1, max_size=3),
            "minimum": st.integers(0, 3),
            "maximum": st.integers(1, 9),
            "maxLength": st.integers(0, 3),
            "minItems": st.integers(0, 2),
            "uniqueItems": st.booleans(),
            "multipleOf": st.integers(1, 4),
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "items": inner,
            "additionalProperties": inner,
            "propertyNames": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
        },
    ),
    max_leaves=4,
)


@given(SCHEMAS, SCHEMAS, st.lists(VALUES, min_size=8, max_size=8))
def test_a_compatible_schema_accepts_every_value_that_was_accepted(
    old: Any, new: Any, values: list[Any]
) -> None:
    assume(required_bump(changes("input", old, new)) != "major")
    before, after = jsonschema.Draft202012Validator(old), jsonschema.Draft202012Validator(new)

    for value in values:
        assert after.is_valid(value) or not before.is_valid(value), value
