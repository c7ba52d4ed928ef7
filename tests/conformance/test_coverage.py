"""The cases and the rules, tied both ways: nothing without a case, no case about nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from cardwright import Checks, fix
from cardwright.card import Document
from cardwright.repair.patch import patched
from cardwright_rules import MESSAGES, ROWS
from cardwright_runtime.violation_limit import in_order
from conformance.schema_cases import schema_cases
from tests.conformance.case_files import UNKNOWN, cases, prose_rules, rule_ids

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright_runtime.violation import Fix, Violation

ROOT = Path(__file__).parents[2]
CASES = cases()
TEXT = Checks(rules=("text",))

# Every keyword by which one of our schemas refuses something.
KEYWORDS = {
    f"schema/{keyword}" for keyword in ("anyOf", "const", "enum", "minItems", "oneOf", "required", "type")
}


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 250


def test_no_case_is_repeated_in_a_file() -> None:
    names = [str(case) for case in CASES]
    assert len(set(names)) == len(names)


def test_cases_name_known_rules_only() -> None:
    own = rule_ids()
    for case in CASES:
        known = (
            set().union(*own.values())
            if case.dialect == "a2a-hybrid"
            else own.get(case.dialect or "", {UNKNOWN})
        )
        named = {rule for _, rule in case.violations} | set(case.near)
        assert named <= known | KEYWORDS, case


def test_violations_are_listed_in_the_order_of_reports() -> None:
    for case in CASES:
        assert list(case.violations) == sorted(set(case.violations), key=in_order), case


def test_a_valid_case_near_a_rule_breaks_none() -> None:
    for case in CASES:
        assert not (case.near and case.violations), case


def test_each_rule_of_each_dialect_refuses_a_card_for_it_alone() -> None:
    alone = {(case.dialect, case.violations[0][1]) for case in CASES if len(case.violations) == 1}

    assert _required() - alone == set()


def test_each_rule_of_each_dialect_accepts_a_nearly_invalid_card() -> None:
    near = {(case.dialect, rule) for case in CASES for rule in case.near}

    assert _required() - near == set()


def test_text_rules_have_cases_too() -> None:
    failing = {rule for case in CASES for _, rule in case.violations}
    passing = {rule for case in CASES for rule in case.near}

    assert prose_rules() <= failing & passing


def test_each_keyword_of_the_schemas_refuses_a_card_for_it_alone() -> None:
    alone = {case.violations[0][1] for case in CASES if len(case.violations) == 1}

    assert alone >= KEYWORDS


def test_most_failing_cases_break_one_rule() -> None:
    failing = [case for case in CASES if case.violations]
    single = [case for case in failing if len({rule for _, rule in case.violations}) == 1]

    assert len(single) >= 0.9 * len(failing)


def test_a_safe_fix_removes_its_violation_and_adds_none() -> None:
    fixed = 0
    for case in CASES:
        for violation, safe in _safe_fixes(case.card, case.dialect):
            after = _places(patched(case.card, [safe.patch]), case.dialect)
            # An item that is taken out moves those behind it: then they are counted.
            moves_items = any(
                step["op"] == "remove" and str(step["path"])[-1].isdigit() for step in safe.patch
            )
            # A field that was not read before, or was no list, may be invalid and is reported when it is read.
            shows = any(step["op"] == "move" or type(step.get("value")) is list for step in safe.patch)
            before = set(case.violations) - {(violation.pointer, violation.rule)}
            assert shows or after <= before or (moves_items and len(after) == len(before)), (case, violation)
            assert (violation.pointer, violation.rule) not in after or moves_items, (case, violation)
            fixed += 1
    assert fixed >= 90


@pytest.mark.bulk
def test_fixing_a_case_adds_no_error_and_leaves_no_safe_fix() -> None:
    for case in CASES:
        if case.dialect is None:
            continue
        card = Document.from_document(case.card, dialect=case.dialect, checks=TEXT)
        counted = Counter(one.rule for one in card.errors)
        for safe_only in (True, False):
            # A fix may change what the card is: it is validated as that.
            better, fixes = fix(card, checks=TEXT, safe_only=safe_only)
            left = Counter(one.rule for one in better.errors)
            assert left <= counted, case
            assert not fixes or better.document != card.document, case
            assert fix(better, checks=TEXT, safe_only=safe_only) == (better, ()), case


def _places(card: Any, dialect: str | None) -> set[tuple[str, str]]:
    return {
        (left.pointer, left.rule)
        for left in Document.from_document(card, dialect=dialect, checks=TEXT).violations
    }


def _required() -> set[tuple[str, str]]:
    """Return each (dialect, rule) that must have cases of its own."""
    return {(dialect, rule) for dialect, rules in rule_ids().items() for rule in rules - prose_rules()}


def _safe_fixes(card: Any, dialect: str | None) -> Iterator[tuple[Violation, Fix]]:
    if dialect is None:
        return
    for violation in Document.from_document(card).violations:
        if violation.fix is not None and violation.fix.safe:
            yield violation, violation.fix


@pytest.mark.parametrize("dialect", [name for name, row in ROWS.items() if row.schema_id])
def test_each_property_and_limit_of_a_schema_has_a_case(dialect: str) -> None:
    engine = jsonschema.Draft202012Validator(ROWS[dialect].schema())
    found = list(schema_cases(dialect, ROOT / "schemas"))

    for case in found:
        document = Document.from_document(case.document, dialect=dialect)
        errors = {(one.pointer, one.rule) for one in document.violations if one.severity == "error"}
        assert engine.is_valid(case.document) is (case.violation is None), case
        assert {case.violation} <= errors if case.violation else not errors, case
    assert len({case.description for case in found}) == len(found)
    # A property that accepts every value, or lists its values, has no case of a wrong type.
    typed = {
        case.violation[0].rpartition("/")[2].replace("~1", "/")
        for case in found
        if case.violation and "of type" in case.description
    }
    schema = ROWS[dialect].schema()
    # A card that a message carries has cases of its own.
    seen = {"AgentCard"} if dialect in MESSAGES else set[str]()
    assert _typed_names(schema, schema.get("$defs", {}), seen) <= typed


def _typed_names(schema: Any, definitions: dict[str, Any], seen: set[str]) -> set[str]:
    """Return the names of the properties with a type of their own, in all that a schema refers to."""
    if isinstance(schema, list):
        return set().union(*(_typed_names(part, definitions, seen) for part in schema))
    if not isinstance(schema, dict):
        return set()
    names = {
        name
        for name, inner in schema.get("properties", {}).items()
        if "type" in inner and not {"const", "enum"} & inner.keys()
    }
    parts = [part for keyword, part in schema.items() if keyword != "$defs"]
    name = schema.get("$ref", "").rpartition("/")[2]
    if name and name not in seen:
        seen.add(name)
        parts.append(definitions[name])
    return names.union(*(_typed_names(part, definitions, seen) for part in parts))
