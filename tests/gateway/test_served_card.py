"""How often a card is validated between its agent and its readers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardwright import Card
from cardwright import card as card_module
from cardwright_gateway.catalog.served_card import served_card
from cardwright_gateway.catalog.sources import UpstreamCard
from cardwright_gateway.settings.config import GatewayConfig

ROOT = Path(__file__).parents[2]
PUBLIC = "https://gateway.example.com/agents/one"
OWNED = {"owner": "ada", "access": "keys", "tasks": "own", "invoke": True}
SIGNATURES = [{"protected": "e30", "signature": "AA"}]


@pytest.mark.parametrize("dialect", ["a2a-0.2", "a2a-0.3", "a2a-1.0", "a2a-hybrid"])
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
