"""Every rule of version bumps, on hand-made pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardwright.difference
from cardwright.difference import compare, diff
from cardwright_rules.changes import CHANGES
from tests.difference.patched_pairs import Pairing, at, dialect_pairings, edits, pairings

PAIRS = pairings()
DIALECT_PAIRS = dialect_pairings()


def test_the_table_is_no_smaller_than_promised() -> None:
    assert len(PAIRS) >= 80
    assert len({pair.name for pair in PAIRS}) == len(PAIRS)
    assert {pair.bump for pair in PAIRS} == {"none", "patch", "minor", "major"}


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_a_pair_requires_the_bump_of_its_reasons(pair: Pairing) -> None:
    comparison = compare(*pair.cards())

    assert (comparison.bump, sorted(change.kind for change in comparison.changes)) == (pair.bump, pair.kinds)


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_a_change_has_the_pointer_of_its_value(pair: Pairing) -> None:
    for change in diff(*pair.cards()):
        if change.after is not None:
            assert at(pair.new, change.pointer) == change.after
        else:
            assert at(pair.old, change.pointer) == change.before


@pytest.mark.parametrize("pair", DIALECT_PAIRS, ids=str)
def test_a_pair_of_other_dialects_requires_the_bump_of_its_reasons(pair: Pairing) -> None:
    comparison = compare(*pair.cards())

    kinds = sorted(change.kind for change in comparison.changes)
    pointers = sorted(change.pointer for change in comparison.changes)
    assert comparison.bump == pair.bump, kinds
    assert pair.kinds in (None, kinds)
    assert pair.pointers in (None, pointers)


@pytest.mark.parametrize("pair", edits(), ids=str)
def test_one_edit_requires_the_bump_of_its_effect_on_callers(pair: Pairing) -> None:
    comparison = compare(*pair.cards())

    assert comparison.bump == pair.bump, comparison.changes


def test_each_row_of_the_table_of_changes_is_used() -> None:
    source = "".join(file.read_text() for file in Path(cardwright.difference.__file__).parent.glob("*.py"))

    assert [case for case in CHANGES if f'"{case}"' not in source] == []
