"""Fixes of real cards: what safe fixes guarantee, how far guesses go, and which errors stay and why."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cardwright import violations
from tests.oracles.fix_table import WIDE, Outcome, outcomes, table
from tests.repair.fixed_documents import fixed
from tests.shared import shared

EXCEPTIONS: dict[str, str] = json.loads(
    (Path(__file__).parent / "fix-exceptions.json").read_text(encoding="utf-8")
)["cards"]


@pytest.fixture(scope="module")
def rows() -> tuple[Outcome, ...]:
    shared("corpus")
    return outcomes()


def test_safe_fixes_make_every_card_valid_whose_errors_all_have_one(rows: tuple[Outcome, ...]) -> None:
    fixable = [row for row in rows if not row.before.valid and row.is_safely_fixable]

    assert [row.file for row in fixable if not row.safe.valid] == []
    assert len(fixable) >= 25


def test_with_guesses_every_card_becomes_valid_but_those_with_a_reason(rows: tuple[Outcome, ...]) -> None:
    left = {row.file for row in rows if not row.all.valid}

    assert left - EXCEPTIONS.keys() == set()
    assert EXCEPTIONS.keys() - left == set(), "they are fixed now: remove them from the list"
    assert all(EXCEPTIONS.values())


def test_an_exception_lacks_a_value_that_cannot_be_derived(rows: tuple[Outcome, ...]) -> None:
    """Of the cards with an endpoint, more than nine in ten are fixed."""
    unreachable = {file for file, reason in EXCEPTIONS.items() if "invented" in reason}
    invalid = [row for row in rows if not row.before.valid and row.file not in unreachable]

    assert sum(row.all.valid for row in invalid) >= 0.9 * len(invalid)


@pytest.mark.parametrize("row", outcomes(), ids=lambda row: row.file)
def test_fixing_a_real_card_obeys_the_laws(row: Outcome) -> None:
    for safe_only, card in ((True, row.safe), (False, row.all)):
        assert _errors(card.document) <= _errors(row.before.document)
        assert fixed(card.document, safe_only=safe_only, checks=WIDE) == (card.document, ())


def test_the_table_counts_every_stage(rows: tuple[Outcome, ...]) -> None:
    shown = table().splitlines()

    counts = [sum(not row.card(stage).valid for row in rows) for stage in ("before", "safe", "all")]
    assert shown[0] == f"{len(rows)} cards"
    assert [int(number) for number in shown[3].split()[2:]] == counts
    assert counts == sorted(counts, reverse=True)


def _errors(document: Any) -> Counter[str]:
    found = violations(document, checks=WIDE)
    return Counter(violation.rule for violation in found if violation.severity == "error")
