"""A card at another place."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from cardwright import Card
from cardwright.rewrite import endpoints, seen_from, with_base_url
from tests.serve.cards import DIALECTS, both, example, newer

BASE = "https://agents.example.net/team"


def urls(card: Card) -> list[str]:
    return [url for _, url in endpoints(card)]


@pytest.mark.parametrize("name", DIALECTS)
def test_every_endpoint_at_the_cards_own_origin_moves_and_the_card_stays_valid(name: str) -> None:
    card = example(name)
    before = deepcopy(card.document)
    moved = with_base_url(card, BASE)
    assert moved.valid
    assert card.document == before
    origin = "/".join(urls(card)[0].split("/")[:3])
    for old, new in zip(urls(card), urls(moved), strict=True):
        assert new == (BASE + old.removeprefix(origin) if old.startswith(origin) else old)


@pytest.mark.parametrize("name", DIALECTS)
def test_rewriting_is_idempotent(name: str) -> None:
    once = with_base_url(example(name), BASE)
    assert with_base_url(once, BASE) is once


def test_other_origins_and_other_urls_are_unchanged() -> None:
    interfaces = [
        {"url": "http://localhost:9000/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
        {"url": "http://LOCALHOST:9000", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"},
        {"url": "http://localhost:9001/a2a", "protocolBinding": "GRPC", "protocolVersion": "1.0"},
        {
            "url": "https://eu.seeds.example.com/a2a?x=1",
            "protocolBinding": "JSONRPC",
            "protocolVersion": "1.0",
        },
    ]
    card = newer(supportedInterfaces=interfaces, documentationUrl="http://localhost:9000/docs")
    moved = with_base_url(card, "https://agents.example.net/")
    assert urls(moved) == [
        "https://agents.example.net/a2a",
        "https://agents.example.net",
        "http://localhost:9001/a2a",
        "https://eu.seeds.example.com/a2a?x=1",
    ]
    assert moved.document["documentationUrl"] == "http://localhost:9000/docs"


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("https://AGENTS.example.com/travel", "https://agents.example.com/travel/a2a"),
        ("HTTPS://agents.example.com:443/travel/", "https://agents.example.com/travel/a2a"),
        ("https://agents.example.com/travel", "https://agents.example.com:443/travel/a2a"),
        ("https://agents.example.com/travel", "https://agents.example.com/travel?x=1"),
        ("https://agents.example.com", "https://agents.example.com/a2a"),
    ],
)
def test_no_path_is_doubled_however_the_base_is_written(base: str, url: str) -> None:
    interface = {"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    card = newer(supportedInterfaces=[interface])
    assert with_base_url(card, base) is card


def test_a_prefix_ends_at_a_slash() -> None:
    card = newer(
        supportedInterfaces=[{**both().document["supportedInterfaces"][0], "url": f"{BASE}work/a2a"}]
    )
    assert urls(with_base_url(card, BASE)) == [f"{BASE}/teamwork/a2a"]


@pytest.mark.parametrize(
    "url", ["stdio://orchard", "localhost:9000", "//x", "https://", "ftp://a.example/", 7, None]
)
def test_a_card_without_an_http_endpoint_is_unchanged(url: Any) -> None:
    card = type(both()).from_document({**both().document, "supportedInterfaces": [{"url": url}, url, [url]]})
    assert with_base_url(card, BASE) is card


@pytest.mark.parametrize(
    ("place", "pointers"),
    [
        ("http://127.0.0.1:9/agent-card.json", ["/documentationUrl"]),
        ("http://127.0.0.1/agent-card.json", []),
        ("http://localhost/", ["/documentationUrl"]),
        ("https://agents.example.com/", ["/documentationUrl", "/supportedInterfaces/0/url"]),
        ("no URL", ["/documentationUrl", "/supportedInterfaces/0/url"]),
    ],
)
def test_an_endpoint_on_this_machine_is_no_warning_where_the_card_is_on_it(
    place: str, pointers: list[str]
) -> None:
    document = deepcopy(newer().document)
    document["supportedInterfaces"] = document["supportedInterfaces"][:1]
    document["supportedInterfaces"][0]["url"] = "http://127.0.0.1:4000/a2a"
    document["documentationUrl"] = "http://127.0.0.1/docs"

    found = seen_from(Card.from_document(document), place).violations

    assert sorted(one.pointer for one in found if one.rule == "url/loopback-host") == pointers
