"""A server for this machine alone: which names it answers, and which pages may read what it publishes."""

from __future__ import annotations

from typing import Any

import pytest

from cardwright.serve import well_known_agent_card
from tests.serve.cards import newer
from tests.serve.client import ask

ALLOWED = "access-control-allow-origin"
INSIDE: dict[str, Any] = {
    "supportedInterfaces": [
        {"url": "http://10.0.0.7/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    ]
}


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST:1", "dev.example", "public.example"]
)
def test_local_host_names_are_accepted(host: str) -> None:
    app = well_known_agent_card(newer(), local_hosts=["Dev.example"], base_url="https://public.example")

    assert ask(app, headers=[("Host", host)]).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.2",
        "10.0.0.1",
        "dev.example.evil",
    ],
)
@pytest.mark.parametrize(
    "path", ["/.well-known/agent-card.json", "/.well-known/ai-catalog.json", "/", "/none"]
)
def test_another_host_name_is_refused_also_after_a_valid_request(host: str, path: str) -> None:
    app = well_known_agent_card(newer(), local_hosts=["dev.example"], index_path="/")
    ask(app, url=path, headers=[("Host", "localhost")])

    reply = ask(app, url=path, headers=[("Host", host)])

    assert (reply.status, reply.reason) == (403, "FORBIDDEN")
    assert "--allow-host" in reply.json["error"]["message"]
    assert "seeds" not in reply.body.decode()


def test_without_the_setting_any_host_is_accepted_and_cors_is_open() -> None:
    reply = ask(well_known_agent_card(newer()), headers=[("Host", "any.example")])

    assert (reply.status, reply.headers[ALLOWED]) == (200, "*")


@pytest.mark.parametrize(
    "path", ["/.well-known/agent-card.json", "/.well-known/ai-catalog.json", "/", "/openapi.json"]
)
@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("https://evil.example", None),
        ("null", None),
        ("https://localhost.evil.example", None),
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://dev.example", "http://dev.example"),
        (None, None),
    ],
)
def test_only_local_origins_may_read_cards_with_internal_hosts(
    path: str, origin: str | None, allowed: str | None
) -> None:
    app = well_known_agent_card(
        newer(**INSIDE),
        publish_sensitive="hosts",
        local_hosts=["dev.example"],
        index_path="/",
        openapi_path="/openapi.json",
    )
    # In any order: no response to one origin is sent to another.
    for _ in range(2):
        ask(app, url=path, headers=[("Host", "localhost"), ("Origin", "http://localhost:3000")])
        reply = ask(app, url=path, headers=[("Host", "localhost"), *([("Origin", origin)] if origin else [])])
        assert reply.status == 200
        assert reply.headers.get(ALLOWED) == allowed
        assert "Origin" in reply.headers["vary"]


def test_cards_with_internal_hosts_have_no_cors_on_a_public_server() -> None:
    app = well_known_agent_card(newer(**INSIDE), publish_sensitive="all")

    reply = ask(app, headers=[("Origin", "http://localhost:3000")])

    assert reply.status == 200
    assert ALLOWED not in reply.headers
