"""Sensitive text that is not published."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from cardwright import Card, well_known_agent_card
from cardwright.errors import InvalidCard, UnknownDialect
from cardwright.serve import ApiKeys, Caller, SensitiveCard, Views, sensitive
from tests.serve.cards import NEWER, example, newer
from tests.serve.client import ask
from tests.shared import corpus_index, shared

SECRET = "ghp_" + "a1B2" * 9
KEYS = ApiKeys.of({"a-key-of-some-length": Caller("a")})


def at(url: str) -> list[dict[str, str]]:
    return [{"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"supportedInterfaces": at("http://localhost:9000/a2a")}, "/supportedInterfaces/0/url"),
        ({"supportedInterfaces": at("https://10.1.2.3/a2a")}, "/supportedInterfaces/0/url"),
        ({"supportedInterfaces": at("https://[fd00::7]:8443/")}, "/supportedInterfaces/0/url"),
        ({"supportedInterfaces": at("https://billing.svc.cluster.local/")}, "/supportedInterfaces/0/url"),
        ({"supportedInterfaces": at("https://internal-agent:8001/")}, "/supportedInterfaces/0/url"),
        ({"supportedInterfaces": at("https://0x7f.1/")}, "/supportedInterfaces/0/url"),
        ({"documentationUrl": "https://wiki.corp/agents"}, "/documentationUrl"),
        ({"description": "See http://wiki.internal/agents for more."}, "/description"),
        ({"x-note": {"deep": ["https://169.254.169.254/latest"]}}, "/x-note/deep/0"),
        ({"description": f"Uses {SECRET}."}, "/description"),
        ({"x": {"http://10.0.0.5/": 1}}, "/x/http:~1~110.0.0.5~1"), ({"x": "http://１２７.0.0.1/"}, "/x"),
        ({"x": "http://%31%30.0.0.5/"}, "/x"), ({"x": "http:/10.0.0.1/x"}, "/x"), ({"x": "http:10.0.0.1"}, "/x"),
        ({"x": "http:\\\\10.0.0.1"}, "/x"), ({"x": "//10.0.0.5/x"}, "/x"), ({"x": "http://192.168.1.1\u3002/"}, "/x"),
        ({"x": "10.0.0.5:8080"}, "/x"), ({"x": "postgres://u:p4ss@db.example.com/cards"}, "/x"),
        ({"x": "https://a.example/?api_key=0123456789abcdef"}, "/x"),
    ],
)  # fmt: skip
def test_sensitive_text_is_refused_by_its_pointer(changes: dict[str, Any], pointer: str) -> None:
    card = Card.from_document({**NEWER, **changes})
    with pytest.raises(SensitiveCard) as caught:
        well_known_agent_card(card)
    assert [one.pointer for one in caught.value.findings] == [pointer]
    assert pointer in str(caught.value)
    assert SECRET not in str(caught.value)
    allows = "hosts" if caught.value.findings[0].internal_host else "all"
    assert str(caught.value).endswith(f'publish_sensitive="{allows}"')


@pytest.mark.parametrize(
    "changes",
    [
        {"description": "Tests what runs at http://localhost:3000 on your machine."},
        {"documentationUrl": "https://docs.example.com/local"},
        {"x-when": "12:30://", "x-urn": "urn:a:b", "x-empty": "https://"},
        {"x-ratio": "1.2.3.4.5", "x-version": "1.2.3", "x-time": "at 10:30", "x-path": "/v1/card", "x-note": "a: b"},
        {"x-query": "https://a.example/?token={your-token}&api_key=YOUR_API_KEY_HERE"},
        {"x-mail": "mailto:ada@example.com", "x-user": "https://ada@example.com/"},
    ],
)  # fmt: skip
def test_text_that_only_looks_sensitive_is_published(changes: dict[str, Any]) -> None:
    assert ask(well_known_agent_card(newer(**changes))).status == 200


def test_a_publisher_may_allow_sensitive_text() -> None:
    inside = newer(supportedInterfaces=at("https://10.1.2.3/a2a"))
    card = Card.from_document({**NEWER, "description": f"Uses {SECRET}."})
    assert ask(well_known_agent_card(inside, publish_sensitive="hosts")).status == 200
    with pytest.raises(SensitiveCard):
        well_known_agent_card(card, publish_sensitive="hosts")
    assert ask(well_known_agent_card(card, publish_sensitive="all")).status == 200


def test_an_authenticated_view_may_have_sensitive_text() -> None:
    inside = newer(supportedInterfaces=[*at("https://10.1.2.3/a2a"), *NEWER["supportedInterfaces"]])
    views = Views(fields={"/supportedInterfaces/0": "authenticated"})
    app = well_known_agent_card(inside, views=views, authenticate=KEYS)
    assert b"10.1.2.3" not in ask(app).body
    assert b"10.1.2.3" in ask(app, headers={"X-API-Key": "a-key-of-some-length"}).body
    whole = well_known_agent_card(inside, views=Views(fields={"": "authenticated"}), authenticate=KEYS)
    assert ask(whole).status == 401


def test_a_card_with_errors_is_never_published() -> None:
    bad = Card.from_document({**NEWER, "skills": [{"id": "x"}]})
    for allowed in (None, "hosts", "all"):
        with pytest.raises(InvalidCard, match="/skills/0/description"):
            well_known_agent_card(bad, publish_sensitive=allowed)


def test_a_command_of_a_beach_card_is_no_host() -> None:
    document = {**example("beach-1.0").document}
    local = {"protocol": "mcp", "version": "stable", "endpoint": "stdio://orchard-mcp"}
    document["transports"] = [*document["transports"], local]
    assert sensitive(Card.from_document(document)) == []


def test_few_valid_real_cards_are_refused_as_sensitive_except_for_endpoints() -> None:
    valid: list[Card] = []
    shared("corpus")
    for row in corpus_index():
        if row["file"].startswith("cards/"):
            with suppress(UnknownDialect):
                card = Card.from_bytes(shared("corpus", row["file"]).read_bytes())
                valid += [card] if card.valid else []
    assert len(valid) > 100
    elsewhere = [
        finding.pointer
        for card in valid
        for finding in sensitive(card)
        if not finding.pointer.endswith(("/url", "/endpoint"))
    ]
    assert len(elsewhere) <= len(valid) // 50
