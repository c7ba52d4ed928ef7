"""Requirements, rules and tests, each linked to the others; what does not hold is a gap with a reason."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cardwright.canonical import decode
from cardwright.card import Card
from tests.conformance.case_files import UNKNOWN, bodies, cases, rule_ids

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CASES = "tests/conformance/cases/"
_REFUSAL = "tests/conformance/test_malformed.py::test_a_malformed_document_is_refused_by_its_rule"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One sentence of a source, its validation rules and its tests."""

    id: str
    source: str
    sentence: str
    rules: tuple[str, ...]
    tests: tuple[str, ...]


ROWS: list[dict[str, Any]] = json.loads((HERE / "requirements.json").read_text(encoding="utf-8"))
REQUIREMENTS = [
    Requirement(row["id"], row["source"], row["sentence"], tuple(row["rules"]), tuple(row["tests"]))
    for row in ROWS
]
GAPS: list[dict[str, Any]] = json.loads((HERE / "gaps.json").read_text(encoding="utf-8"))


def test_each_requirement_id_is_unique_and_has_a_source_and_a_sentence() -> None:
    rows = [*ROWS, *GAPS]
    ids = [row["id"] for row in rows]

    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[A-Z0-9]+(-[A-Za-z0-9.]+)+", identifier) for identifier in ids)
    assert all(row["source"] and row["sentence"].endswith(".") for row in rows)
    assert len(REQUIREMENTS) >= 100


def test_a_requirement_names_tests_that_exist() -> None:
    faults = [f"{requirement.id} has no test" for requirement in REQUIREMENTS if not requirement.tests]
    faults += [
        f"{requirement.id}: {test}"
        for requirement in REQUIREMENTS
        for test in requirement.tests
        if not _exists(test)
    ]

    assert faults == []


def _exists(test: str) -> bool:
    path, _, function = test.partition("::")
    return (ROOT / path).is_file() and (path.startswith(CASES) or function in _functions(ROOT / path))


def test_a_requirement_names_rules_that_its_tests_break() -> None:
    faults = [
        f"{requirement.id}: no test breaks {rule}"
        for requirement in REQUIREMENTS
        for rule in set(requirement.rules) - _broken_rules(requirement)
    ]

    assert faults == []


def _broken_rules(requirement: Requirement) -> set[str]:
    """Return the rules that the cases of a requirement break, and the decode rules that its tests expect."""
    files = {test.removeprefix("tests/conformance/") for test in requirement.tests if test.startswith(CASES)}
    broken = {rule for case in cases() if case.file in files for _, rule in case.violations}
    if _REFUSAL in requirement.tests:
        return broken | {body.rule for body in bodies() if body.rule}
    return broken | _quoted(requirement.tests)


def test_each_rule_belongs_to_a_requirement() -> None:
    named = {rule for requirement in REQUIREMENTS for rule in requirement.rules}
    known = set().union(*rule_ids().values()) | _decode_rules() | {UNKNOWN}

    assert known - named == set()
    assert {rule for rule in named - known if not rule.startswith("schema/")} == set()


def test_each_case_file_belongs_to_a_requirement() -> None:
    named = {test for requirement in REQUIREMENTS for test in requirement.tests if test.startswith(CASES)}
    files = {file.relative_to(ROOT).as_posix() for file in (ROOT / CASES).rglob("*.json")}

    assert files == named


def test_each_gap_has_a_reason_and_is_no_requirement() -> None:
    held = {requirement.id for requirement in REQUIREMENTS}

    for gap in GAPS:
        assert gap["reason"].endswith("."), gap["id"]
        assert gap["id"] not in held, f"{gap['id']} is held now: take it off the list of gaps"


def test_a_gap_is_still_open() -> None:
    closed = [gap["id"] for gap in GAPS if "card" in gap and Card.from_document(gap["card"]).violations]
    for gap in GAPS:
        if "text" in gap:
            decode(gap["text"].encode())

    assert closed == [], "make each a requirement, and its card a case"


@cache
def _functions(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _decode_rules() -> set[str]:
    sources = (ROOT / "src" / "cardwright").rglob("*.py")
    return {
        rule for source in sources for rule in re.findall(r'"(decode/[a-z-]+)"', source.read_text("utf-8"))
    }


def _quoted(tests: tuple[str, ...]) -> set[str]:
    """Return the decode rules that the files of tests write out."""
    files = {ROOT / test.partition("::")[0] for test in tests}
    return {rule for file in files for rule in re.findall(r'"(decode/[a-z-]+)"', file.read_text("utf-8"))}
