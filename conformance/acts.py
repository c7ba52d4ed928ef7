"""Cards of the kit as client tests of the A2A Conformance Test Specification (ACTS 0.1.0 §10).

ACTS has no operation that validates or verifies a card: a client test gives a response to parse. So these are the valid cards of A2A 1.0,
signed ones among them; what must be refused stays in the kit's own form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LEVELS: Final = {"MUST": "must", "SHOULD": "should", "project decision": "may"}
_PARSED: Final = ("name", "description", "version")
_COUNTED: Final = ("supportedInterfaces", "skills", "signatures")


def acts_document(cases: Iterable[dict[str, Any]], version: str) -> bytes:
    """Return the document as YAML.

    Args:
        cases: The cases of the kit.
        version: The version of the kit.
    """
    cases = list(cases)
    document = {
        "acts_version": "1.0",
        "spec_version": "1.0",
        "metadata": {"title": "Agent cards", "description": f"Valid cards of the conformance kit {version}", "license": "Apache-2.0"},
        "suites": [
            {
                "id": "agent-cards",
                "name": "Clients parse valid agent cards",
                "tags": ["client", "parsing", "agent-card"],
                "tests": list(_tests("CLIENT-CARD", _valid(cases))),
            },
            {
                "id": "signed-agent-cards",
                "name": "Clients parse signed agent cards, and keep their signatures",
                "tags": ["client", "parsing", "agent-card", "signature"],
                "tests": list(_tests("CLIENT-SIGNED", _signed(cases))),
            },
        ],
    }  # fmt: skip
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=120).encode()


def _valid(cases: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Any]]:
    for case in cases:
        given = case["input"]
        if case["operation"] == "validate" and given["dialect"] == "a2a-1.0" and case["expect"]["valid"]:
            yield case, given["document"]


def _signed(cases: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Any]]:
    for case in cases:
        if case["operation"] == "verify" and case["expect"].get("verified") and "card" in case["input"]:
            yield case, case["input"]["card"]


def _tests(prefix: str, cards: Iterable[tuple[dict[str, Any], Any]]) -> Iterator[dict[str, Any]]:
    for number, (case, card) in enumerate(cards, 1):
        parsed: dict[str, Any] = {name: card[name] for name in _PARSED if isinstance(card.get(name), str)}
        parsed |= {name: {"count": len(card[name])} for name in _COUNTED if isinstance(card.get(name), list)}
        yield {
            "id": f"{prefix}-{number:03}",
            "name": case["description"],
            "description": f"Case {case['id']} of the conformance kit.",
            "spec_ref": "; ".join(case["spec"]),
            "level": _LEVELS[case["level"]],
            "steps": [
                {
                    "id": "parse",
                    "client_response": {"operation": "get_agent_card", "wire_payload": card},
                    "expect_parsed": parsed,
                }
            ],
        }
