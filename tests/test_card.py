"""Cards: held as they were read, judged once, viewed on demand."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cardwright
from cardwright import Card, check, detect, violations
from cardwright.errors import InvalidCard, MalformedDocument, UnknownDialect
from cardwright_models.a2a_v1_0.models import AgentCard

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").rglob("*card*.json"))
NEWEST: dict[str, Any] = {
    "name": "Ferry desk",
    "description": "Says when boats leave.",
    "version": "1.0.0",
    "supportedInterfaces": [
        {"url": "https://ferry.example.com/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    ],
    "capabilities": {},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [{"id": "times", "name": "Times", "description": "Finds times.", "tags": ["sea"]}],
}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_example_card_is_valid_without_a_warning(path: Path) -> None:
    card = Card.from_bytes(path.read_bytes())
    assert card.violations == ()
    assert path.name.startswith((str(card.dialect), "superx"))


def test_a_card_keeps_what_it_read_unknown_members_and_all() -> None:
    document = {**NEWEST, "x": {"deep": [None, 1.0]}, "icon_url": "kept"}
    card = Card.from_document(document)
    assert card.document == document
    assert card.model.to_wire() == document


def test_a_card_is_frozen_and_apart_from_its_source() -> None:
    document = json.loads(json.dumps(NEWEST))
    card = Card.from_document(document)
    document["skills"].clear()
    assert card.valid
    assert len(card.document["skills"]) == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        card.dialect = card.dialect  # type: ignore[misc] # pyright: ignore[reportAttributeAccessIssue]


def test_an_invalid_card_is_held_and_told_in_full() -> None:
    broken = {
        **NEWEST,
        "skills": [],
        "supportedInterfaces": [{"url": "localhost:1", "protocolBinding": "jsonrpc"}],
    }
    card = Card.from_document(broken)
    assert not card.valid
    with pytest.raises(InvalidCard) as refusal:
        card.check()
    assert refusal.value.violations == card.violations
    assert {v.severity for v in card.violations} == {"error", "warning"}


def test_a_card_without_skills_names_the_missing_pointer() -> None:
    broken = {name: value for name, value in NEWEST.items() if name != "skills"}
    assert [(v.rule, v.pointer) for v in violations(broken)] == [("schema/required", "/skills")]


def test_the_model_is_a_typed_view() -> None:
    model = Card.from_document(NEWEST).model
    assert isinstance(model, AgentCard)
    assert model.supported_interfaces[0].protocol_binding == "JSONRPC"


def test_a_view_of_what_has_not_its_shape_is_refused() -> None:
    with pytest.raises(InvalidCard, match="skills"):
        _ = Card.from_document({**NEWEST, "skills": "none"}).model


def test_a_hybrid_has_no_model_of_its_own() -> None:
    hybrid = Card.from_bytes((EXAMPLES[0].parent / "a2a-hybrid.card.json").read_bytes())
    with pytest.raises(InvalidCard):
        _ = hybrid.model


def test_equal_documents_have_equal_digests() -> None:
    reordered = dict(reversed(NEWEST.items()))
    assert Card.from_document(NEWEST).digest == Card.from_document(reordered).digest


def test_a_given_dialect_is_taken() -> None:
    card = Card.from_document(NEWEST, dialect="a2a-0.3")
    assert str(card.dialect) == "a2a-0.3"
    assert "/url" in {v.pointer for v in card.violations}


def test_an_unknown_dialect_lists_the_known_ones() -> None:
    with pytest.raises(UnknownDialect, match=r"a2a-0\.1, a2a-0\.2"):
        Card.from_document(NEWEST, dialect="a2a-9.9")


@pytest.mark.parametrize(
    "document", [{}, [], "card", None, 7, {"serverInfo": {}, "capabilities": {}, "protocol": "mcp"}]
)
def test_what_is_no_card_is_said_to_be_none(document: Any) -> None:
    with pytest.raises(UnknownDialect):
        detect(document)
    with pytest.raises(UnknownDialect):
        Card.from_document(document)


def test_bytes_that_are_no_json_are_refused() -> None:
    with pytest.raises(MalformedDocument):
        Card.from_bytes(b"{")


def test_check_raises_what_violations_returns() -> None:
    check(NEWEST)
    broken = {**NEWEST, "name": None}
    with pytest.raises(InvalidCard) as refusal:
        check(broken)
    assert refusal.value.violations == violations(broken)


def test_a_null_comes_with_a_safe_fix() -> None:
    (violation,) = violations({**NEWEST, "iconUrl": None})
    assert violation.fix is not None
    assert violation.fix.safe
    assert violation.fix.patch == ({"op": "remove", "path": "/iconUrl"},)


def test_a_secret_is_found_and_not_repeated() -> None:
    secret = "sk-" + "a1B2" * 8
    (violation,) = violations({**NEWEST, "description": f"Call with {secret}."})
    assert violation.rule == "secrets/token"
    assert secret not in violation.message


def test_the_public_names_are_those_that_are_listed() -> None:
    assert sorted(cardwright.__all__) == dir(cardwright)
    for name in cardwright.__all__:
        assert getattr(cardwright, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        _ = cardwright.nothing


def test_reading_a_card_imports_neither_pydantic_nor_the_command_line() -> None:
    code = (
        "import sys, cardwright; cardwright.Card.from_document({'name': 'A', 'supportedInterfaces': []});"
        "print([m for m in ('pydantic', 'typer', 'rich', 'rfc8785') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
