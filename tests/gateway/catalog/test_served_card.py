"""Served cards: validation, conversion and security schemes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardwright import Card
from cardwright import card as card_module
from cardwright_gateway.catalog.served_card import ServedCard, served_card
from cardwright_gateway.catalog.sources import UpstreamCard
from cardwright_gateway.settings.config import GatewayConfig

ROOT = Path(__file__).parents[3]
PUBLIC = "https://gateway.example.com/agents/one"
OWNED = {"owner": "ada", "access": "keys", "tasks": "own", "invoke": True}
SIGNATURES = [{"protected": "e30", "signature": "AA"}]


@pytest.mark.parametrize("dialect", ["a2a-0.1", "a2a-0.2", "a2a-0.3", "a2a-1.0", "a2a-hybrid"])
@pytest.mark.parametrize("signatures", [[], SIGNATURES], ids=["unsigned", "signed"])
@pytest.mark.parametrize("settings", [{}, OWNED])
def test_a_card_is_validated_once_after_all_edits(
    dialect: str, signatures: list[Any], settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    document = json.loads((ROOT / f"examples/{dialect}.card.json").read_bytes())
    card = Card.from_document(
        {**document, **({"signatures": signatures} if signatures else {})}, dialect=dialect
    )
    config = GatewayConfig.from_value(
        {
            "owners": {"ada": {"name": "Ada"}},
            "agents": {"one": {"url": "https://agent.example.com/a2a", "invalid_cards": "pass", **settings}},
        }
    )
    source = UpstreamCard(card, "1", signature="unverified" if signatures else "unsigned")
    violations_of: Any = vars(card_module)["violations_of"]
    validated: list[Any] = []

    def counted(document: Any, *arguments: Any, **named: Any) -> Any:
        validated.append(document)
        return violations_of(document, *arguments, **named)

    monkeypatch.setattr(card_module, "violations_of", counted)
    served = served_card(config.agents["one"], source, PUBLIC)

    assert validated == [served.card.document]
    assert Card.from_document(served.card.document).violations == served.card.violations


def made(document: dict[str, Any], **settings: Any) -> ServedCard:
    """Return the served card of an agent with this card."""
    agent = {"url": "https://agent.example.com/a2a", **settings}
    config = GatewayConfig.from_value({"agents": {"one": agent}}).agents["one"]
    return served_card(config, UpstreamCard(Card.from_document(document), "1"), PUBLIC)


def example(dialect: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((ROOT / f"examples/{dialect}.card.json").read_bytes())
    return document


def test_a_0_1_agent_is_converted_and_a_newer_interface_is_forwarded() -> None:
    older = made(example("a2a-0.1"))
    assert older.answered
    assert older.versions == ("1.0", "0.3")
    assert list(older.routes) == [("JSONRPC", "0.1")]
    newer = {"url": "https://agent.example.com/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    both = {**example("a2a-0.1"), "protocolVersion": "0.1.0", "supportedInterfaces": [newer]}
    hybrid = made(both)
    assert not hybrid.answered
    assert list(hybrid.routes) == [("JSONRPC", "1.0")]


@pytest.mark.parametrize("dialect", ["a2a-0.1", "a2a-0.3", "a2a-1.0"])
def test_the_security_of_a_managed_agent_is_not_required_of_callers(dialect: str) -> None:
    document = example(dialect)
    assert {"authentication", "securitySchemes"} & document.keys()
    for extends in (True, False):
        if not extends:
            document.pop("supportsAuthenticatedExtendedCard", None)
            document["capabilities"].pop("extendedAgentCard", None)
        served = made(document, tasks="own")
        assert served.answered
        text = json.dumps(served.card.document)
        assert not any(name in text for name in ("authentication", "securityRequirements"))
        # They authenticate to the agent for its extended card only (A2A 1.0 §13.3).
        extended = served.card.document["capabilities"]["extendedAgentCard"]
        assert extended == (extends and dialect != "a2a-0.1")
        assert ("securitySchemes" in text) == extended
        assert served.card.valid


@pytest.mark.parametrize("dialect", ["a2a-0.1", "a2a-0.3", "a2a-1.0", "a2a-hybrid", "beach-1.0", "superx"])
@pytest.mark.parametrize("backend", [{"python": "json:loads"}, {"queue": {"token": "a-token-of-20-letters"}}])
def test_the_card_of_an_open_function_or_queue_names_no_security(
    dialect: str, backend: dict[str, Any]
) -> None:
    config = GatewayConfig.from_value({"agents": {"one": {"card": example(dialect), "backend": backend}}})
    source = UpstreamCard(Card.from_document(example(dialect)), "1")
    served = served_card(config.agents["one"], source, PUBLIC).card
    assert not any(name in json.dumps(served.document) for name in ("authentication", "security"))
    assert served.valid
