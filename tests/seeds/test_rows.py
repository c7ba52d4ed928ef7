"""Each row of the five documents names tests and rules that exist; `make seeds` runs them."""

from __future__ import annotations

import re
from pathlib import Path

from tests.seeds.rows import DOCUMENTS, rows, wrong_cases
from tests.seeds.table import PAGE, written

ROOT = Path(__file__).parents[2]


def test_a_row_names_tests_that_exist() -> None:
    faults = [f"{row.id} has no test and no rule" for row in rows() if not (row.tests or row.rules)]
    faults += [f"{row.id}: {test}" for row in rows() for test in row.tests if not _exists(test)]

    assert faults == []


def _exists(test: str) -> bool:
    file, _, name = test.partition("::")
    source = (ROOT / file).read_text(encoding="utf-8")
    return bool(name) and re.search(rf"^(async )?def {name}\(", source, re.MULTILINE) is not None


def test_the_rules_of_the_rows_are_applied() -> None:
    assert [line for row in rows() for rule in row.rules for line in wrong_cases(*rule)] == []


def test_a_rule_that_no_case_breaks_shows_nothing() -> None:
    assert wrong_cases("beach-1.0", "no/rule") == ["no case of beach-1.0 breaks no/rule"]


def test_all_documents_have_rows() -> None:
    assert {row.document for row in rows()} == set(DOCUMENTS.values())


def test_the_page_has_every_row() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == written(rows())
