"""Platform profiles: their rules, each with a card that breaks it alone, and the URLs of their cards."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cardwright import Card
from cardwright.discovery.candidates import candidates
from cardwright.errors import BadArgument
from cardwright.guard import target_of
from cardwright.profiles import objections, profile, profiles

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "schemas" / "profiles").glob("*.json"))
OLDER: dict[str, Any] = json.loads((ROOT / "examples" / "a2a-0.3.card.json").read_bytes())
NEWER: dict[str, Any] = json.loads((ROOT / "examples" / "a2a-1.0.card.json").read_bytes())
HYBRID: dict[str, Any] = json.loads((ROOT / "examples" / "a2a-hybrid.card.json").read_bytes())


def without(document: dict[str, Any], *names: str, **changes: Any) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in names} | changes


# (platform, rule, card that breaks it)
BROKEN = [
    ("a2a-inspector", "required", without(NEWER, "supportedInterfaces")),
    ("a2a-inspector", "interfaces", without(NEWER, supportedInterfaces=[{"url": "https://a.example.com"}])),
    ("a2a-inspector", "url", without(OLDER, url="grpc.example.com:443")),
    ("a2a-inspector", "capabilities", without(OLDER, capabilities=[])),
    ("a2a-inspector", "modes", without(OLDER, defaultOutputModes=[7])),
    ("a2a-inspector", "skills", without(OLDER, skills=[])),
    ("ans", "version", without(OLDER, version="2026.1")),
    ("aws-agent-registry", "form", json.loads((ROOT / "examples" / "beach-1.0.card.json").read_bytes())),
    ("aws-agent-registry", "size", without(OLDER, description="x" * 102_400)),
    ("aws-agent-registry", "schema", without(OLDER, capabilities=[])),
    ("azure-foundry", "form", OLDER),
    ("copilot-studio", "form", json.loads((ROOT / "examples" / "beach-1.0.card.json").read_bytes())),
    ("copilot-studio", "valid", without(OLDER, capabilities=[])),
    ("copilot-studio", "described", without(OLDER, description="")),
    ("gemini-enterprise", "form", NEWER),
    ("gemini-enterprise", "protocol-version", without(OLDER, "protocolVersion")),
    ("gemini-enterprise", "url", without(OLDER, url="grpc.example.com:443")),
    ("servicenow", "form", NEWER),
    ("servicenow", "transport", without(OLDER, preferredTransport="GRPC")),
    ("servicenow", "url", without(OLDER, url="http://agents.example.com/a2a")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("platform", "rule", "document"), BROKEN, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_card_that_breaks_a_platform_rule_gets_its_violation(
    platform: str, rule: str, document: dict[str, Any]
) -> None:
    found = objections(Card.from_document(document, dialect=None if rule == "form" else "a2a-0.3"), platform)

    assert [one.rule for one in found] == [rule]
    assert found[0].source.startswith("https://")


def test_each_rule_of_each_profile_has_a_card_that_breaks_it() -> None:
    known = {(name, rule) for name, one in profiles().items() for rule in one.rules}
    known |= {(name, "form") for name, one in profiles().items() if one.forms}

    assert known == {(platform, rule) for platform, rule, _ in BROKEN}


@pytest.mark.parametrize("name", profiles())
def test_a_hybrid_card_is_accepted_by_every_platform(name: str) -> None:
    assert objections(Card.from_document(HYBRID), name) == ()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_profile_has_rules_or_names_what_no_source_states(file: Path) -> None:
    entry = json.loads(file.read_text("utf-8"))

    assert entry["rules"] or entry["forms"] or entry["unknown"]
    assert profile(entry["name"]).read == entry["read"]


def test_an_unknown_platform_names_the_known_ones() -> None:
    with pytest.raises(BadArgument, match="there is no profile 'none'; known: a2a-inspector, ans, "):
        objections(Card.from_document(HYBRID), "none")


@pytest.mark.parametrize(
    ("url", "first"),
    [
        (
            "https://a.services.ai.azure.com/api/projects/p/agents/x/endpoint/protocols/a2a/",
            "https://a.services.ai.azure.com/api/projects/p/agents/x/endpoint/protocols/a2a/agentCard/v1.0",
        ),
        (
            "https://l-aiplatform.googleapis.com/v1beta1/projects/1/locations/l/reasoningEngines/7",
            "https://l-aiplatform.googleapis.com/v1beta1/projects/1/locations/l/reasoningEngines/7/a2a/v1/card",
        ),
        (
            "https://l-aiplatform.googleapis.com/v1/projects/1/locations/l/reasoningEngines/7/a2a",
            "https://l-aiplatform.googleapis.com/v1/projects/1/locations/l/reasoningEngines/7/a2a/v1/card",
        ),
        (
            "https://k.example.com/s/ops/api/agent_builder/a2a/tides",
            "https://k.example.com/s/ops/api/agent_builder/a2a/tides.json",
        ),
        ("https://l.example.com/a2a/7b{0}c", "https://l.example.com/a2a/7b{0}c/.well-known/agent-card.json"),
    ],
)
def test_the_card_of_a_platform_is_looked_up_at_its_own_paths(url: str, first: str) -> None:
    assert candidates(target_of(url))[0] == first


def test_a_langgraph_agent_is_looked_up_after_the_well_known_urls() -> None:
    found = candidates(target_of("https://l.example.com/a2a/7b{0}c"))

    assert found[-1] == "https://l.example.com/.well-known/agent-card.json?assistant_id=7b{0}c"
    assert len(found) == 5


def test_a_statement_about_a_repository_names_the_commit_that_was_read() -> None:
    files = [*(ROOT / "schemas" / "profiles").glob("*.json"), ROOT / "schemas" / "places.json"]
    links = [
        link for file in files for link in re.findall(r"https://github\.com/[^\"]+", file.read_text("utf-8"))
    ]
    assert links
    assert [link for link in links if not re.search(r"/blob/[0-9a-f]{40}/", link)] == []
