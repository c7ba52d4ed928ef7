"""The extension about a removed signature, which no agent can forge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from cardwright import Card
from cardwright.conversion.extensions import declared
from cardwright_gateway.catalog.served_card import PROVENANCE_URI, served_card
from cardwright_gateway.catalog.sources import UpstreamCard
from cardwright_gateway.settings.config import GatewayConfig

if TYPE_CHECKING:
    from cardwright_gateway.settings.agents import AgentConfig

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "schemas/extensions/provenance-params.schema.json").read_bytes())
BACKEND = "https://agent.example.com/a2a"
PUBLIC = "https://gateway.example.com/agents/one"
FORGED = {"uri": PROVENANCE_URI, "params": {"signature": "verified", "digest": "sha256:" + "0" * 64}}


def agent() -> AgentConfig:
    return GatewayConfig.from_value({"agents": {"one": {"url": BACKEND}}}).agents["one"]


def card(dialect: str, *extensions: Any) -> Card:
    document = json.loads((ROOT / f"examples/{dialect}.card.json").read_bytes())
    capabilities = {**document["capabilities"], "extensions": list(extensions)}
    if not extensions:
        del capabilities["extensions"]
    return Card.from_document({**document, "capabilities": capabilities})


def params_of_removed_signature(read: Card, signature: str, signed_by: str = "") -> list[Any]:
    """Return the params of all entries that the served card has under the gateway's name."""
    served = served_card(
        agent(), UpstreamCard(read, "1", signature=signature, signed_by=signed_by), PUBLIC
    ).card
    served.check()
    entries = [one for one in declared(dict(served.document)) if one["uri"] == PROVENANCE_URI]
    return [one["params"] for one in entries]


@pytest.mark.parametrize("dialect", ["a2a-0.3", "a2a-1.0", "a2a-hybrid"])
@pytest.mark.parametrize(("signature", "signed_by"), [("verified", "thumb"), ("unverified", "")])
def test_the_signature_extension_matches_its_schema(dialect: str, signature: str, signed_by: str) -> None:
    read = card(dialect)
    (params,) = params_of_removed_signature(read, signature, signed_by)
    Draft202012Validator(SCHEMA).validate(params)
    assert params == {
        "signature": signature,
        "digest": read.digest,
        **({"signedBy": signed_by} if signed_by else {}),
    }


@pytest.mark.parametrize("dialect", ["a2a-0.3", "a2a-1.0", "a2a-hybrid"])
def test_a_card_without_a_signature_has_no_signature_extension(dialect: str) -> None:
    assert params_of_removed_signature(card(dialect), "unsigned") == []


@pytest.mark.parametrize("dialect", ["a2a-0.2", "a2a-0.3", "a2a-1.0", "a2a-hybrid"])
def test_an_agent_cannot_claim_that_its_signature_was_verified(dialect: str) -> None:
    assert params_of_removed_signature(card(dialect, FORGED), "unsigned") == []
    other = {"uri": "https://example.com/ext/v1"}
    served = served_card(
        agent(), UpstreamCard(card(dialect, FORGED, other), "1", signature="unsigned"), PUBLIC
    ).card
    assert [one["uri"] for one in declared(dict(served.document))] == [other["uri"]]


def test_the_gateways_extension_replaces_one_that_the_agent_declares() -> None:
    (params,) = params_of_removed_signature(card("a2a-1.0", FORGED, FORGED), "unverified")
    assert params["signature"] == "unverified"
