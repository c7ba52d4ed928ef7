"""Settings of a gateway: valid forms, defaults, and errors with their pointers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import BadConfiguration
from cardwright_gateway import Gateway
from cardwright_gateway.a2a.problems import SourceFailed
from cardwright_gateway.factory.resources import card_checks
from cardwright_gateway.settings.agents import Function, Http, Stdio
from cardwright_gateway.settings.config import GatewayConfig, network_agent
from cardwright_gateway_models.settings.gateway import Queue

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://gateway.example.com"


def read(agent: Any, *, name: str = "one", **more: Any) -> Any:
    return GatewayConfig.from_value(
        {"agents": {name: agent}, "base_url": BASE, **more}, environ={"T": "secret"}
    ).agents[name]


def test_the_agents_file_of_superx_is_read_unchanged(tmp_path: Path) -> None:
    # The fields and their nesting are those of SuperX's samples/agents.yml and its loader.
    file = tmp_path / "agents.yml"
    file.write_text("""\
agents:
  prime:
    version: 1.0.0
    url: http://localhost:8001/a2a/prime
    bearer: ""
    protocol: a2a
    protocolVersion: 0.3.0
    metadata:
      agentCard:
        url: "http://localhost:8001/a2a/prime/.well-known/agent-card.json"
        name: prime
        capabilities: {}
        skills:
          - id: prime_checking
            tags:
              - math
  other:
    name: Another Agent
    url: http://localhost:4002/rpc
    bearer: test-bearer-token
  exa_search:
    protocol: mcp
    protocolVersion: 2024-11-05
    transport:
      type: streamable-http
      url: https://mcp.exa.ai/mcp
      headers:
        Authorization: Bearer ${EXA}
  files:
    protocol: mcp
    transport:
      type: stdio
      command: npx
      args: ["-y", "server-filesystem", "/srv"]
  registry_form:
    command: uvx
    args: [server]
    env:
      KEY: ${EXA}
""")
    config = GatewayConfig.from_file(file, environ={"EXA": "k"})
    prime, other, exa = (config.agents[name] for name in ("prime", "other", "exa_search"))
    assert prime.protocol == "a2a"
    assert prime.card_url == "http://localhost:8001/a2a/prime/.well-known/agent-card.json"
    assert prime.connection == Http("http://localhost:8001/a2a/prime", {}, "http://localhost:8001")
    assert isinstance(other.connection, Http)
    assert other.connection.headers == {"Authorization": "Bearer test-bearer-token"}
    assert isinstance(exa.connection, Http)
    assert exa.connection.headers == {"Authorization": "Bearer k"}
    assert config.agents["files"].connection == Stdio("npx", ("-y", "server-filesystem", "/srv"))
    assert config.agents["registry_form"].connection == Stdio("uvx", ("server",), {"KEY": "k"})
    assert config.store == str(tmp_path / "gateway.db")


def test_managed_agents_require_a_card_and_a_backend() -> None:
    card = {"name": "A"}
    assert read({"card": card}).connection is None
    assert read({"card": card, "backend": {"python": "a.b:c"}}).connection == Function("a.b:c")
    assert read({"card": card, "backend": {"queue": {"token": "x" * 16}}}).connection == Queue(token="x" * 16)
    called = read({"card": card, "backend": {"url": "http://10.0.0.5:8000/a"}, "bearer": "${T}"}).connection
    assert called == Http(
        "http://10.0.0.5:8000/a", {"Authorization": "Bearer secret"}, "http://10.0.0.5:8000"
    )


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        ({"protocol": "a2a"}, '/agents/one/url: "url" is required and missing. Add it. An A2A agent needs `url`.'),
        ({"protocol": "mcp"}, "An MCP server needs `url`, `command`, `transport` or `source`."),
        ({"protocol": "managed"}, "A managed agent needs `card`"),
        ({"url": "http://a.example", "card": "x.json"}, "/agents/one/url: A managed agent does not have this field: remove it."),
        ({"url": "http://a.example", "comand": "x"}, "/agents/one"),
        ({"url": "ftp://a.example"}, "/agents/one/url: the URL has the scheme"),
        ({"url": "http://user:pw@a.example"}, "user@host"),
        ({"transport": {"type": "stdio"}}, '/agents/one/transport/command: "command" is required and missing. Add it. The stdio transport needs `command`.'),
        ({"transport": {"type": "http", "url": "http://a.example", "command": "x"}}, "/agents/one/transport/command"),
        ({"transport": {"type": "http", "url": "http://a.example"}, "url": "http://b.example"}, "/agents/one/url: This field belongs in `transport`"),
        ({"transport": {"type": "carrier-pigeon"}}, "/agents/one/transport/type"),
        ({"url": "http://a.example", "bearer": "${NOPE}"}, "uses the environment variable NOPE, which is not set"),
        ({"url": "http://a.example", "headers": {"Host": "b"}}, "remove the header Host; the HTTP client sets it"),
        ({"url": "http://a.example", "bearer": "x", "headers": {"authorization": "y"}}, "already have an Authorization"),
        ({"card": {}, "backend": {"queue": {"token": "short"}}}, "16 or more"),
        ({"card": {}, "backend": {"python": "a:b", "url": "http://a.example"}}, "/agents/one/backend"),
        ({"url": "http://a.example", "invalid_cards": "mend"}, "/agents/one/invalid_cards"),
        ({"url": "http://a.example", "backend": {"python": "a:b"}}, "/agents/one/backend: An A2A agent does not have this field"),
        ({"command": "x", "card_url": "http://a.example"}, "/agents/one/card_url: An MCP server does not have this field"),
        ({"card": {}, "bearer": "hush-hush"}, "/agents/one/bearer: The gateway sends no request to this agent"),
        ({"transport": {"type": "http", "url": "http://a.example", "env": {}}}, "/agents/one/transport/env: An HTTP transport"),
        ({"transport": {"type": "stdio", "command": "x", "url": "http://a"}}, "/agents/one/transport/url: The stdio transport"),
        ({"url": "http://a.example", "access": "keys"}, '/agents/one/owner: "owner" is required and missing. Add it. Only the owner of an agent can issue keys'),
        ({"url": "http://a.example", "visibility": "unlisted"}, "An agent that is not public needs an owner"),
        ({"url": "http://a.example", "visibility": "private", "access": "open", "owner": "o"}, "/agents/one/access"),
        ({"card": {}, "visibility": "unlisted", "owner": "o"}, "/agents/one/backend"),
        ({"card": {}, "tasks": "own"}, "/agents/one/backend"),
        ({"url": "http://a.example", "owner": "nobody"}, "/agents/one/owner: unknown owner"),
    ],
)  # fmt: skip
def test_a_violation_is_reported_with_its_pointer(agent: Any, expected: str) -> None:
    with pytest.raises(BadConfiguration) as caught:
        read(agent)
    assert expected in str(caught.value)


def test_an_invalid_agent_id_is_reported_with_the_allowed_pattern() -> None:
    with pytest.raises(
        BadConfiguration,
        match=r'/agents: "rpc" is not a valid field name here.* is not a path of the gateway',
    ):
        read({"url": "http://a.example"}, name="rpc")


def test_a_misplaced_secret_is_not_quoted() -> None:
    with pytest.raises(BadConfiguration) as caught:
        read({"card": {}, "bearer": "hush-hush"})
    assert "hush" not in str(caught.value)


def test_an_integer_may_have_a_fraction_of_zero() -> None:
    # As JSON Schema has it (2020-12 Core §4.2.3).
    config = GatewayConfig.from_value(
        {"agents": {}, "ports": [8080.0], "limits": {"requests": 5.0}, "concurrency": 2.0}
    )
    assert (config.ports, config.limits.requests, config.concurrency) == ([8080], 5, 2)


def test_as_many_agents_are_read_as_the_schema_allows() -> None:
    agents = {f"a{number}": {"url": "http://a.example"} for number in range(5_000)}
    assert len(GatewayConfig.from_value({"agents": agents}).agents) == 5_000


@pytest.mark.parametrize(
    "name",
    ["agents", "rpc", "api", "health", "healthz", "readyz", "metrics", "-a", "a b", "a/b", "a" * 65, ""],
)
def test_an_agent_id_is_no_route_name_and_fits_a_path(name: str) -> None:
    with pytest.raises(BadConfiguration):
        read({"url": "http://a.example"}, name=name)


def test_top_level_settings_are_defaults_of_every_agent() -> None:
    top: dict[str, Any] = {"invalid_cards": "refuse", "stale_seconds": 60, "concurrency": 3}
    assert read({"url": "http://a.example"}, **top).concurrency == 3
    own = read({"url": "http://a.example", "invalid_cards": "pass", "stale_seconds": 0}, **top)
    assert (own.invalid_cards, own.stale_seconds) == ("pass", 0)


@pytest.mark.parametrize(
    "agent",
    [
        {"transport": {"type": "stdio", "command": "sh"}},
        {"protocol": "mcp", "command": "sh"},
        {"protocol": "mcp", "url": "http://a.example", "args": ["-c"]},
        {"protocol": "mcp", "url": "http://a.example", "env": {"A": "b"}},
        {"transport": {"type": "http", "url": "http://a.example", "command": "sh"}},
        {"transport": {"type": "http", "url": "http://a.example", "env": {}}},
        {"transport": {"type": "http", "url": "http://a.example", "cwd": "/"}},
        {"card": {"name": "A"}, "backend": {"python": "os:system"}},
        {"card": {"name": "A"}, "backend": {"queue": {"token": "${HOME}"}}},
        {"card": "/etc/passwd"},
        {"url": "http://a.example", "bearer": "${HOME}"},
        {"url": "http://a.example", "headers": {"X-A": "${HOME}"}},
        {"transport": {"type": "http", "url": "http://a.example/${HOME}"}},
    ],
)  # fmt: skip
def test_settings_from_the_network_cannot_run_code_or_read_files(agent: Any) -> None:
    with pytest.raises(BadConfiguration):
        network_agent("one", agent, {})


def test_settings_from_the_network_cannot_allow_private_addresses() -> None:
    backend = network_agent("one", {"url": "http://10.0.0.5:8000"}, {}).connection
    assert isinstance(backend, Http)
    assert backend.configured is None


@pytest.mark.parametrize(
    ("name", "value", "limit"), [("concurrency", 100_000, 8), ("timeout_seconds", 3600, 5)]
)
def test_settings_from_the_network_have_the_gateways_limits(name: str, value: int, limit: int) -> None:
    defaults = {"concurrency": 8, "timeout_seconds": 5}
    agent = {"url": "http://a.example"}
    with pytest.raises(
        BadConfiguration, match=f"/{name}: {value} is more than the gateway's {name}, {limit}"
    ):
        network_agent("one", {**agent, name: value}, defaults)
    assert getattr(network_agent("one", {**agent, name: limit}, defaults), name) == limit
    # The gateway's limits were higher when it was added.
    assert getattr(network_agent("one", {**agent, name: value}, defaults, stored=True), name) == limit
    file = GatewayConfig.from_value({**defaults, "agents": {"one": {**agent, name: value}}})
    assert getattr(file.agents["one"], name) == value


def test_no_repr_contains_a_secret() -> None:
    config = GatewayConfig.from_value(
        {"agents": {"one": {"url": "http://a.example", "bearer": "hush-hush"}, "two": {"command": "x", "env": {"K": "hush-hush"}}},
         "admin_token": "hush-hush-hush-hush"},
    )  # fmt: skip
    assert "hush" not in repr(config)


def test_the_root_agent_does_not_take_gateway_paths() -> None:
    with pytest.raises(BadConfiguration, match="path of the agent at the root"):
        GatewayConfig.from_value(
            {"agents": {"a": {"url": "http://a.example"}, "tasks": {"url": "http://b.example"}}, "root": "a"}
        )
    with pytest.raises(BadConfiguration, match="unknown agent 'b'"):
        GatewayConfig.from_value({"agents": {"a": {"url": "http://a.example"}}, "root": "b"})


def test_the_store_and_its_password_may_come_from_the_environment() -> None:
    config = {"agents": {}, "store": "${STORE_URL}"}
    read = GatewayConfig.from_value(config, environ={"STORE_URL": "postgresql://a:secret@db/cards"})
    assert read.store == "postgresql://a:secret@db/cards"


@pytest.mark.parametrize("key", ["+/" * 21 + "8=", "-_" * 21 + "8=", "-_" * 21 + "8"])
def test_a_webhook_encryption_key_may_be_base64_or_base64url(key: str) -> None:
    read = GatewayConfig.from_value({"agents": {}, "webhooks": {"encryption_key": key}})
    assert read.webhooks.encryption_key == "-_" * 21 + "8="


def test_the_lost_replica_timeout_is_read() -> None:
    assert GatewayConfig.from_value({"agents": {}}).tasks.lost_seconds == 45
    assert GatewayConfig.from_value({"agents": {}, "tasks": {"lost_seconds": 9}}).tasks.lost_seconds == 9


@pytest.mark.parametrize(
    "settings",
    [
        {"agents": {"a": {"url": "https://a.example", "bearer": "SECRET\u00e9"}}},
        {"agents": {"a": {"url": "https://a.example", "headers": {"X-Key": "SECRET\n"}}}},
        {"agents": {}, "limits": {"redis": "SECRETredis"}},
        {"agents": {}, "admin_token": 7_777_777},
    ],
)
def test_a_possible_secret_is_not_quoted(settings: dict[str, Any]) -> None:
    with pytest.raises(BadConfiguration) as caught:
        GatewayConfig.from_value({"base_url": "https://gw.example", **settings})
    assert "SECRET" not in str(caught.value)
    assert "7777777" not in str(caught.value)


def test_the_names_of_a_file_are_known_to_the_gateway(tmp_path: Path) -> None:
    (tmp_path / "names.yml").write_text("transports: {websocket: {}}")
    (tmp_path / "gateway.yml").write_text("agents: {}\nregistries: names.yml\nstore: ':memory:'")
    config = GatewayConfig.from_file(tmp_path / "gateway.yml")

    registries = card_checks(config).registries

    assert registries is not None
    assert "websocket" in registries.transports


def test_a_card_in_the_settings_may_use_the_names_of_the_file(tmp_path: Path) -> None:
    names = tmp_path / "names.yml"
    names.write_text("authTypes: {hmac-signed: {}}")
    card = {
        "schemaVersion": "1.0",
        "id": "g",
        "name": "G",
        "description": "Does one thing.",
        "version": "1.0.0",
        "capabilities": [{"id": "c", "description": "Does one thing."}],
        "transports": [
            {"protocol": "a2a", "endpoint": "https://g.example.com/a2a", "auth": {"type": "hmac-signed"}}
        ],
    }

    async def served(**more: Any) -> str:
        agents = {"g": {"card": card, "card_version": "as-written"}}
        settings = {"base_url": "https://gw.example", "store": ":memory:", "invalid_cards": "refuse", **more}
        async with Gateway({**settings, "agents": agents}) as gateway:
            return (await gateway.card("g")).dialect.family

    assert asyncio.run(served(registries=str(names))) == "beach"
    with pytest.raises(SourceFailed):
        asyncio.run(served())


def test_an_unreadable_registries_file_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "gateway.yml").write_text(
        "agents: {}\nbase_url: https://g.example\nregistries: names.yml\nstore: ':memory:'"
    )

    with pytest.raises(BadConfiguration, match=r"names\.yml: cannot be read"):
        Gateway(GatewayConfig.from_file(tmp_path / "gateway.yml"))
