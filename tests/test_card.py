"""Cards: kept as read, validated once, with a typed model on demand."""

from __future__ import annotations

import dataclasses
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cardwright
from cardwright import Card, CardError, check, detect, violations
from cardwright.dialect import older_half
from cardwright.errors import BadArgument, InvalidCard, MalformedDocument, UnknownDialect
from cardwright_models.a2a_v0_3 import AgentCard as AgentCard03
from cardwright_models.a2a_v1_0 import AgentCard
from tests.cards import least_card

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").rglob("*card*.json"))
NEWEST: dict[str, Any] = least_card()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_example_card_is_valid_without_a_warning(path: Path) -> None:
    card = Card.from_bytes(path.read_bytes())
    assert card.violations == ()
    # Those of one example's agents are called after the agents.
    assert path.name.startswith((str(card.dialect), "superx")) or path.parent.name != "examples"


def test_a_card_keeps_unknown_fields() -> None:
    document = {**NEWEST, "x": {"deep": [None, 1.0]}, "icon_url": "kept"}
    card = Card.from_document(document)
    assert card.document == document
    assert card.model.to_wire() == document


def test_a_card_is_frozen_and_independent_of_its_source() -> None:
    document = json.loads(json.dumps(NEWEST))
    card = Card.from_document(document)
    document["skills"].clear()
    assert card.valid
    assert len(card.document["skills"]) == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        card.dialect = card.dialect  # type: ignore[misc] # pyright: ignore[reportAttributeAccessIssue]


def test_an_invalid_card_is_kept_with_all_its_violations() -> None:
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


def test_a_model_of_a_mismatched_document_is_refused() -> None:
    with pytest.raises(InvalidCard, match="skills"):
        _ = Card.from_document({**NEWEST, "skills": "none"}).model


def test_a_hybrid_has_no_model_of_its_own() -> None:
    hybrid = Card.from_bytes((EXAMPLES[0].parent / "a2a-hybrid.card.json").read_bytes())
    with pytest.raises(UnknownDialect, match=r"halves are a2a-1\.0"):
        _ = hybrid.model


@pytest.mark.parametrize("odd", [{1: 2}, {"name": "\ud800"}, {"x": b"1"}, {"x": float("inf")}])
def test_values_that_are_no_json_raise_only_card_errors(odd: dict[Any, Any]) -> None:
    for function in (violations, check, Card.from_document):
        with pytest.raises(MalformedDocument):
            function({**NEWEST, **odd})


def test_excessive_nesting_raises_only_card_errors() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(MalformedDocument, match="levels"):
        violations({**NEWEST, "x": deep})


def test_an_error_survives_a_pickle() -> None:
    for document in ({**NEWEST, "skills": []}, {**NEWEST, "x": float("nan")}, {}):
        with pytest.raises(CardError) as refusal:
            check(document)
        again = pickle.loads(pickle.dumps(refusal.value))  # noqa: S301 - our own
        assert str(again) == str(refusal.value)
        assert vars(again) == vars(refusal.value)


def test_equal_documents_have_equal_digests() -> None:
    reordered = dict(reversed(NEWEST.items()))
    assert Card.from_document(NEWEST).digest == Card.from_document(reordered).digest


def test_a_given_dialect_is_used() -> None:
    card = Card.from_document(NEWEST, dialect="a2a-0.3")
    assert str(card.dialect) == "a2a-0.3"
    assert "/url" in {v.pointer for v in card.violations}


def test_an_unknown_dialect_lists_the_known_ones() -> None:
    with pytest.raises(UnknownDialect, match=r"a2a-0\.1, a2a-0\.2"):
        Card.from_document(NEWEST, dialect="a2a-9.9")


@pytest.mark.parametrize(
    "document",
    [{}, [], "card", None, 7, {"serverInfo": {}, "capabilities": {}, "protocolVersion": "2025-06-18"}],
)
def test_a_document_that_is_no_card_is_reported_as_none(document: Any) -> None:
    with pytest.raises(UnknownDialect):
        detect(document)
    with pytest.raises(UnknownDialect):
        Card.from_document(document)


def test_a_declared_version_wins_over_weaker_evidence() -> None:
    found = detect({"name": "A", "protocolVersion": "0.2.6", "url": "https://a.example.com", "skills": []})
    assert found.sure
    assert found.evidence == ("protocolVersion 0.2",)


def test_the_version_of_the_older_half_ignores_the_fields_of_the_newer() -> None:
    older = {"name": "A", "url": "https://a.example.com", "skills": [], "security": []}
    assert older_half({**older, "supportedInterfaces": [], "protocolVersion": "1.0"}) == "a2a-0.2"
    assert older_half({**older, "supportedInterfaces": [], "protocolVersion": "0.3.0"}) == "a2a-0.3"


def test_bytes_that_are_no_json_are_refused() -> None:
    with pytest.raises(MalformedDocument):
        Card.from_bytes(b"{")


def test_check_raises_what_violations_returns() -> None:
    check(NEWEST)
    broken = {**NEWEST, "name": None}
    with pytest.raises(InvalidCard) as refusal:
        check(broken)
    assert refusal.value.violations == violations(broken)


def test_a_null_has_a_safe_fix() -> None:
    (violation,) = violations({**NEWEST, "iconUrl": None})
    assert violation.fix is not None
    assert violation.fix.safe
    assert violation.fix.patch == ({"op": "remove", "path": "/iconUrl"},)


def test_a_secret_is_detected_and_not_quoted() -> None:
    secret = "sk-" + "a1B2" * 8
    (violation,) = violations({**NEWEST, "description": f"Call with {secret}."})
    assert violation.rule == "secrets/token"
    assert secret not in violation.message


def test_the_public_names_are_those_that_are_listed() -> None:
    assert sorted(cardwright.__all__) == dir(cardwright)
    for name in cardwright.__all__:
        assert getattr(cardwright, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        _ = cardwright.nothing  # type: ignore[attr-defined] # there is no such name


@pytest.mark.process
def test_reading_a_card_imports_neither_pydantic_nor_the_command_line() -> None:
    code = (
        "import sys, cardwright; cardwright.Card.from_document({'name': 'A', 'supportedInterfaces': []});"
        "print([m for m in ('pydantic', 'typer', 'rich', 'rfc8785') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_message_repeats_a_credential() -> None:
    secrets = ("hunter2", "ghp_" + "a" * 36)
    document = {
        **NEWEST,
        "iconUrl": f"https://user:{secrets[0]}@a.example.com",
        "documentationUrl": f"//user:{secrets[0]}@a",
        "supportedInterfaces": [
            {
                "url": f"http://me:{secrets[0]}@a.example.com",
                "protocolBinding": "JSONRPC",
                "protocolVersion": "1.0",
            }
        ],
        "securitySchemes": {"key": secrets[1]},
    }
    found = violations(document)
    assert {"url/https", "url/userinfo", "schema/type", "secrets/token"} <= {v.rule for v in found}
    for violation in found:
        assert not any(secret in violation.message for secret in secrets[1:]), violation
        assert f"me:{secrets[0]}" not in violation.message, violation


def test_a_scheme_in_the_older_form_is_reported_with_the_newer_form() -> None:
    required: list[Any] = [{"schemes": {"key": {"list": []}}}]
    card = {**NEWEST, "securitySchemes": {"key": {"type": "http", "scheme": "Bearer"}}}
    (violation,) = violations({**card, "securityRequirements": required})
    assert "httpAuthSecurityScheme" in violation.message


def test_too_many_violations_are_cut_with_a_note() -> None:
    found = violations({**NEWEST, "skills": [{}] * 600})
    assert "limits/violations" in {v.rule for v in found}
    assert len(found) < 1_100


def test_hybrid_halves_with_equivalent_urls_agree() -> None:
    hybrid = json.loads((EXAMPLES[0].parent / "a2a-hybrid.card.json").read_bytes())
    hybrid["url"] = hybrid["url"].replace("https://", "https://").replace("example.com/", "EXAMPLE.com:443/")
    assert not [v for v in violations(hybrid) if v.rule == "hybrid/interfaces"]


def test_a_card_is_read_as_a_model_of_its_version() -> None:
    card = Card.from_document(NEWEST)

    assert card.model_as(AgentCard).name == NEWEST["name"]
    with pytest.raises(BadArgument, match="AgentCard is not a model of a2a-1"):
        card.model_as(AgentCard03)
    with pytest.raises(InvalidCard):
        Card.from_document({**NEWEST, "name": 5}).model_as(AgentCard)
