"""`assert_valid_card`: arguments, result and messages."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from cardwright import Card
from cardwright.errors import BadArgument
from cardwright.testing import agent_cards, assert_valid_card
from tests.cli.command_line import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

PATH = EXAMPLES / "a2a-1.0.card.json"
DOCUMENT = json.loads(PATH.read_text())


@pytest.mark.parametrize("card", [PATH, str(PATH), PATH.read_bytes(), DOCUMENT, Card.from_document(DOCUMENT)])
def test_a_valid_card_in_any_form_is_returned(card: object) -> None:
    assert assert_valid_card(card).document["name"] == DOCUMENT["name"]  # type: ignore[arg-type] # each is one of its forms


def test_an_invalid_card_fails_with_each_violation_and_its_fix(tmp_path: Path) -> None:
    broken = {**DOCUMENT, "version": 1, "defaultInputModes": ["text"]}
    with pytest.raises(AssertionError) as caught:
        assert_valid_card(broken)
    assert str(caught.value).splitlines() == [
        "the agent card is not valid (a2a-1.0, 1 violations):",
        "  error: /version: expected a string, found the number 1 [schema/type] Fix: replaces the number by a string.",
    ]
    with pytest.raises(AssertionError, match="2 violations") as caught:
        assert_valid_card(broken, strict=True)
    assert "warning: /defaultInputModes/0" in str(caught.value)
    file = tmp_path / "x.json"
    file.write_text(json.dumps(broken))
    with pytest.raises(AssertionError, match=re.escape(f"{file} is not valid")):
        assert_valid_card(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "cannot be read: the document is not JSON"), ("{}", "not an agent card"), (None, "No such file")],
)
def test_a_document_that_is_no_card_fails_with_the_reason(
    tmp_path: Path, text: str | None, message: str
) -> None:
    file = tmp_path / "x.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(AssertionError, match=message):
        assert_valid_card(file)


def test_a_strategy_needs_a_dialect_with_a_schema() -> None:
    with pytest.raises(BadArgument, match=r"use one of a2a-0\.1"):
        agent_cards("a2a-hybrid")


@given(card=agent_cards("a2a-1.0"))
@settings(max_examples=10)
def test_a_strategy_draws_cards_that_the_schema_accepts(card: dict[str, object]) -> None:
    found = Card.from_document(card, dialect="a2a-1.0").violations
    assert not [one for one in found if one.rule.startswith("schema/")]
