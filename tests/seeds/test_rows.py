"""Each row of the five documents names tests and rules that exist; `make seeds` runs them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.seeds.rows import DOCUMENTS, Row, rows, wrong_cases
from tests.seeds.table import PAGE, written

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.id)
def test_a_row_is_shown_by_something_that_exists(row: Row) -> None:
    assert row.tests or row.rules
    for test in row.tests:
        file, _, name = test.partition("::")
        source = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"^(async )?def {name or 'test_'}", source, re.MULTILINE), test


def test_the_rules_of_the_rows_are_applied() -> None:
    assert [line for row in rows() for rule in row.rules for line in wrong_cases(*rule)] == []


def test_a_rule_that_no_case_breaks_shows_nothing() -> None:
    assert wrong_cases("beach-1.0", "no/rule") == ["no case of beach-1.0 breaks no/rule"]


def test_all_documents_have_rows() -> None:
    assert {row.document for row in rows()} == set(DOCUMENTS.values())


def test_the_page_has_every_row() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == written(rows())
