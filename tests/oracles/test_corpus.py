"""Real cards from public repositories: every one is validated with the right dialect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardwright.canonical import Limits
from cardwright.card import Card
from cardwright.checks import Checks
from cardwright.errors import MalformedDocument, UnknownDialect
from tests.shared import corpus_index, shared

DISAGREEMENTS = Path(__file__).parent / "corpus-disagreements.json"
# One MCP server's list of tools is 1.9 MB.
WIDE = Checks(limits=Limits(max_bytes=4 * 1024 * 1024))
INDEXES = ("index.jsonl", "index-2026-11.jsonl")
GUESSES = {"hybrid": "a2a-hybrid", "other": None}
NAMED_FAULTS = {"invalid-url": "url/absolute", "invalid-version": "protocol-version/form"}


def result_of(file: str) -> tuple[str | None, Card | None]:
    body = shared("corpus", file).read_bytes()
    try:
        card = Card.from_bytes(body, checks=WIDE)
    except UnknownDialect:
        return None, None
    return str(card.dialect), card


def rows(kind: str) -> list[Any]:
    return [pytest.param(row, id=row["file"]) for row in documents() if row["file"].startswith(kind)]


def documents() -> list[dict[str, Any]]:
    """Return the rows of all indexes."""
    return [row for index in INDEXES for row in corpus_index(index)]


@pytest.mark.parametrize("row", rows("cards"))
def test_a_real_card_is_recognised_as_what_it_is(row: dict[str, Any]) -> None:
    dialect, _ = result_of(row["file"])
    guess = GUESSES.get(row["dialect_guess"], row["dialect_guess"])
    known = json.loads(DISAGREEMENTS.read_text(encoding="utf-8"))["documents"].get(row["file"])
    if known is None:
        assert dialect == guess
    else:
        assert (dialect, guess) == (known["dialect"], known["guess"])
        assert known["reason"]
        assert dialect != guess, "the disagreement is gone: take it off the list"


@pytest.mark.parametrize("row", rows("mcp/"))
def test_an_mcp_result_is_validated(row: dict[str, Any]) -> None:
    body = shared("corpus", row["file"]).read_bytes()
    try:
        card = Card.from_bytes(body, checks=WIDE)
    except (MalformedDocument, UnknownDialect) as refusal:
        assert str(refusal)
    else:
        assert str(card.dialect)


@pytest.mark.parametrize("row", [r for r in rows("cards") if r.values[0]["meant_invalid"]])
def test_intentionally_invalid_cards_are_invalid(row: dict[str, Any]) -> None:
    _, card = result_of(row["file"])
    assert card is None or not card.valid
    for name, rule in NAMED_FAULTS.items():
        if name in row["path"] and card is not None:
            assert rule in {violation.rule for violation in card.violations}


def test_a_real_card_survives_parse_and_dump() -> None:
    shared("corpus")
    for row in documents():
        _, card = result_of(row["file"]) if row["file"].startswith("cards") else (None, None)
        if card is None or not card.valid or str(card.dialect) == "a2a-hybrid":
            continue
        assert card.model.to_wire() == card.document, row["file"]
