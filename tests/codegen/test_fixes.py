"""Fixes as data: the functions they name exist and are all used, and no fix contains a URL."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardwright_rules import ROWS as DIALECT_ROWS
from cardwright_runtime.fix_functions import PATCHES, VALUES, slugged
from cardwright_runtime.fix_rules import FixRules
from cardwright_runtime.violation import Violation
from codegen.fixes import FIX_FUNCTIONS

PRINTED = sorted((Path(__file__).resolve().parents[2] / "generated").rglob("fixes.json"))
ROWS: list[tuple[str, dict[str, Any]]] = [
    (of, row)
    for path in PRINTED
    for of, rows in json.loads(path.read_text(encoding="utf-8")).items()
    for row in rows
]


def test_the_generator_knows_exactly_the_defined_fix_functions() -> None:
    assert VALUES.keys() | PATCHES.keys() == FIX_FUNCTIONS
    assert VALUES.keys() & PATCHES.keys() == set()


def test_every_fix_function_is_used_by_a_fix() -> None:
    assert {row["make"] for _, row in ROWS if "make" in row} == FIX_FUNCTIONS


def test_a_patch_is_rewritten_and_a_value_is_written() -> None:
    for of, row in ROWS:
        if "make" in row:
            assert row["make"] in (PATCHES if row["op"] == "rewrite" else VALUES), (of, row)


def test_no_fix_holds_a_url() -> None:
    # The URL of a schema is no address of an agent.
    rows = [{**row, "description": ""} for of, row in ROWS if "$schema" not in json.dumps(row.get("at", of))]

    assert "://" not in json.dumps(
        [row for row in rows if not str(row.get("value")).endswith(".schema.json")]
    )


def test_every_dialect_has_its_fixes() -> None:
    assert len(PRINTED) == len(DIALECT_ROWS)


def found(rule: str, pointer: str) -> Violation:
    return Violation(rule, "error", pointer, "message", "ours")


def test_the_first_fix_with_a_result_is_applied() -> None:
    row = {"safe": True, "description": "d", "op": "replace", "at": ["/a/*"]}
    recipes = FixRules({"r/a": [{**row, "table": {"x": "X"}}, {**row, "safe": False, "value": 0}]})

    one, other = recipes.attached([found("r/a", "/a/0"), found("r/a", "/a/1")], {"a": ["x", "y"]})

    assert one.fix is not None
    assert other.fix is not None
    assert (one.fix.patch, one.fix.safe) == (({"op": "replace", "path": "/a/0", "value": "X"},), True)
    assert (other.fix.patch, other.fix.safe) == (({"op": "replace", "path": "/a/1", "value": 0},), False)


@pytest.mark.parametrize(
    ("row", "document"),
    [
        ({"op": "remove", "at": ["/b"]}, {"a": 1}),
        ({"op": "remove", "path": "/b"}, {"a": 1}),
        ({"op": "replace", "value": 1}, {"a": 1}),
        ({"op": "replace", "table": {"x": "X"}}, {"a": 1}),
        ({"op": "add", "value": 2}, {"a": 1}),
        ({"op": "add", "value": 2, "path": "/b/c"}, {"a": 1}),
        ({"op": "add", "value": 2, "path": "/a/c"}, {"a": []}),
        ({"op": "add", "path": "/b", "from": ["/c", "/a"]}, {"a": "  "}),
        ({"op": "move", "path": "/b", "from": ["/c"]}, {"a": 1}),
        ({"op": "move", "path": "/b"}, {"a": 1, "b": 2}),
    ],
    ids=json.dumps,
)
def test_without_a_result_there_is_no_fix(row: dict[str, Any], document: dict[str, Any]) -> None:
    recipes = FixRules({"r/a": [{"safe": True, "description": "d", **row}]})

    (violation,) = recipes.attached([found("r/a", "/a")], document)

    assert violation.fix is None


def test_true_is_replaced_by_one() -> None:
    row = {"safe": True, "description": "d", "op": "replace", "value": 1}

    (violation,) = FixRules({"r/a": [row]}).attached([found("r/a", "/a")], {"a": True})

    assert violation.fix is not None


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Find Tides", "find-tides"),
        ("  Überfahrt & Rückkehr!  ", "uberfahrt-ruckkehr"),
        ("潮", ""),
        ("a" * 80, "a" * 64),
        (f"{'a' * 63}-b", "a" * 63),
    ],
)
def test_an_identifier_is_made_of_ascii_characters(text: str, slug: str) -> None:
    assert slugged(text) == slug
