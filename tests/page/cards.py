"""Cards and pages for several tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cardwright.card import Card
from cardwright.dialect import detect
from cardwright.page import Home, IndexEntry, Link, PageFacts, card_page, error_page, index_page
from cardwright.signing import KeySet, new_key, sign, verify
from tests.page.agents import gateway_pages

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CARDS: dict[str, dict[str, Any]] = {
    path.name.removesuffix(".card.json"): json.loads(path.read_bytes())
    for path in sorted(EXAMPLES.glob("*.card.json"))
}
DIALECTS_OF = {name: str(detect(document).dialect) for name, document in CARDS.items()}
FACTS = PageFacts(
    url="https://parcels.example.com/.well-known/agent-card.json",
    forms=(Link("A2A 1.0 JSON", "?version=1.0"), Link("A2A 0.3 JSON", "https://parcels.example.com/0.3")),
    view="public",
    served_version="1.0",
    home=Home("/agents", search=True),
    actions=(Link("Try it", "try"), Link("Report", "report")),
)
# Of every kind of error: fields of other types, unknown ones, unknown bindings, nothing where something must be.
WRONG: dict[str, Any] = {
    "name": 7,
    "description": ["not", "text"],
    "version": None,
    "supportedInterfaces": ["https://example.com", {"url": "javascript:alert(1)"}, 3],
    "provider": "Somebody",
    "capabilities": {"streaming": "True", "extensions": ["x", {"uri": {}}]},
    "skills": ["one", {"id": 3, "inputSchema": 5, "outputSchema": []}, None],
    "securitySchemes": {"a": 1, "b": {"type": "oauth2", "flows": {"x": 1}}},
    "securityRequirements": [{"schemes": {"a": {"list": ["read"]}}}, {}],
    "signatures": [{"protected": "x"}, 1],
    "shadow": True,
}


def card_of(name: str, document: Any = None) -> Card:
    """Return an example, or another document as if it were of that example's dialect."""
    return Card.from_document(CARDS[name] if document is None else document, dialect=DIALECTS_OF[name])


def signed_pages() -> dict[str, bytes]:
    """Return the page of a signed card: checked with the right key, with another, and not at all."""
    key = new_key("ES256", kid="2026-11")
    card = sign(card_of("a2a-1.0"), key=key, kid="2026-11", alg="ES256")
    stripped = sign(
        card_of("a2a-1.0", {**CARDS["a2a-1.0"], "shadow": 1}),
        key=key,
        kid="2026-11",
        alg="ES256",
        profile="sdk",
    )
    right, wrong = KeySet.of([key]), KeySet.of([new_key("ES256", kid="2026-11")])
    return {
        "verified": card_page(card, facts=PageFacts(signatures=verify(card, keys=right))),
        "uncovered": card_page(stripped, facts=PageFacts(signatures=verify(stripped, keys=right))),
        "failed": card_page(card, facts=PageFacts(signatures=verify(card, keys=wrong))),
        "unchecked": card_page(card),
    }


def pages() -> dict[str, bytes]:
    """Return a page of each kind."""
    cards = {name: card_of(name) for name in CARDS}
    entries = [IndexEntry.of(card, f"/agents/{name}") for name, card in cards.items()]
    return {
        **{name: card_page(card, facts=FACTS) for name, card in cards.items()},
        **signed_pages(),
        "wrong": card_page(Card.from_document(WRONG, dialect="a2a-1.0")),
        **gateway_pages(),
        "index": index_page(entries, title="Agents of Example Growers"),
        "empty index": index_page([]),
        "error": error_page(
            404, "No such agent", "There is no card here.\nIt may have moved.", [Link("All", "/")]
        ),
    }
