"""Every case, through the API in four spellings and through the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.card import Document
from cardwright.checks import Checks
from cardwright.registries import Registries
from cardwright.validator import violations_of
from cardwright_rules import ROWS
from cardwright_runtime.engine import compile_schema, load
from cardwright_runtime.violation_limit import in_order
from tests.conformance.case_files import Case, CaseResult, cases, expected, result_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardwright_runtime.violation import Violation

CASES = cases()
RECOGNISED = [case for case in CASES if case.dialect is not None]

SPELLINGS: dict[str, dict[str, Any]] = {
    "compact": {"separators": (",", ":"), "ensure_ascii": False},
    "two spaces": {"indent": 2},
    "four spaces": {"indent": 4, "separators": (" ,", " : ")},
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_card_gets_the_result_of_its_case(case: Case) -> None:
    assert result_of(case) == expected(case)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_spelling_of_a_card_changes_nothing(spelling: str) -> None:
    for case in CASES:
        body = json.dumps(case.card, **SPELLINGS[spelling]).encode()
        assert result_of(case, body) == expected(case), case


def test_the_canonical_registries_are_used_for_validation() -> None:
    for case in RECOGNISED:
        given = Document.from_document(
            case.card, checks=Checks(registries=Registries()), found_at=case.found_at
        )
        assert given.violations == Document.from_document(case.card, found_at=case.found_at).violations, case


def test_text_filters_never_change_a_result() -> None:
    for case in RECOGNISED:
        card = Document.from_bytes(json.dumps(case.card).encode(), found_at=case.found_at)
        assert violations_of(card.document, str(card.dialect), text=None) == list(card.violations), case


def test_validating_a_card_does_not_change_it() -> None:
    for case in CASES:
        before = json.dumps(case.card)
        result_of(case)
        assert json.dumps(case.card) == before, case


@pytest.mark.process
def test_the_command_line_gives_the_results_of_the_cases(tmp_path: Path) -> None:
    for index, case in enumerate(CASES):
        file = tmp_path / f"{index:05}{case.found_at or '.card.json'}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(case.card, ensure_ascii=False), encoding="utf-8")

    status, report = _checked(tmp_path)

    results = [_result_of(result) for result in report["results"]]
    assert results == [expected(case) for case in CASES]
    valid = sum(case.valid for case in CASES)
    assert status == 1
    assert report["summary"] == {
        "documents": len(CASES),
        "valid": valid,
        "invalid": len(CASES) - valid,
        "unreadable": 0,
    }


@pytest.mark.process
def test_the_command_line_exits_with_0_for_valid_cards(tmp_path: Path) -> None:
    valid = [case for case in CASES if case.valid]
    for index, case in enumerate(valid):
        (tmp_path / f"{index:05}.card.json").write_text(json.dumps(case.card), encoding="utf-8")

    status, report = _checked(tmp_path)

    assert status == 0
    assert report["summary"]["valid"] == len(valid)


def _checked(folder: Path) -> tuple[int, dict[str, Any]]:
    arguments = [
        sys.executable, "-m", "cardwright", "check", "--rules", "text", "--format", "json", str(folder),
    ]  # fmt: skip
    ran = subprocess.run(arguments, capture_output=True, check=False, timeout=120)
    assert not ran.stderr, ran.stderr.decode()
    return ran.returncode, json.loads(ran.stdout)


def _result_of(result: dict[str, Any]) -> CaseResult:
    # The command line reports by line and column.
    found = tuple(sorted(((one["pointer"], one["rule"]) for one in result["violations"]), key=in_order))
    assert all(
        {"rule", "severity", "pointer", "message", "spec"} <= row.keys() for row in result["violations"]
    )
    assert result["valid"] == all(row["severity"] != "error" for row in result["violations"])
    return CaseResult(result["dialect"], valid=result["valid"], violations=found)


def _misspelt(value: Any) -> Iterator[Any]:
    """Yield copies of a document in which the names of one object are in capitals, or with an underscore."""
    if isinstance(value, dict):
        yield {name.upper(): inner for name, inner in value.items()}
        yield {f"{name[:1]}_{name[1:]}": inner for name, inner in value.items()}
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        for changed in _misspelt(inner):
            copy = value.copy()
            copy[key] = changed
            yield copy


@pytest.mark.parametrize("dialect", ROWS)
def test_the_schema_of_names_hides_no_violation(dialect: str) -> None:
    package = ROWS[dialect].package
    accepts = compile_schema(load(package, "lints.json")["rules"]["names"]).is_valid
    names = import_module(f"{package}.validators").names
    own = [case.card for case in RECOGNISED if case.dialect == dialect and isinstance(case.card, dict)][:40]
    found = 0
    for card in own:
        for document in (card, *_misspelt(card)):
            violations: list[Violation] = []
            names(document, violations)
            found += bool(violations)
            assert not violations or not accepts(document), (violations, document)
    assert found
