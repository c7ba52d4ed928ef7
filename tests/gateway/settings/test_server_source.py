"""An MCP server named by its `server.json` or server card: `source` in the settings."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import BadConfiguration
from cardwright_gateway.settings.agents import Http, Stdio
from cardwright_gateway.settings.config import GatewayConfig, network_agent
from cardwright_gateway.settings.server_source import transport_of

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
BASE = {"$schema": SCHEMA, "name": "com.example/charts", "description": "Finds charts.", "version": "0.2.0"}
NPM: dict[str, Any] = {
    "registryType": "npm",
    "identifier": "@harbour/charts",
    "version": "0.2.0",
    "transport": {"type": "stdio"},
}


def source(folder: Path, inputs: dict[str, str] | None = None, **fields: Any) -> dict[str, Any]:
    file = folder / "server.json"
    file.write_text(json.dumps(BASE | fields))
    return {"server_json": str(file), "inputs": inputs or {}}


def test_a_remote_precedes_a_package_and_its_headers_are_filled(tmp_path: Path) -> None:
    remote = {
        "type": "streamable-http",
        "url": "https://{region}.charts.example.com/mcp",
        "variables": {"region": {"default": "eu", "choices": ["eu", "us"]}},
        "headers": [
            {"name": "Authorization", "value": "Bearer {token}", "variables": {"token": {"isSecret": True}}},
            {"name": "X-Optional"},
        ],
    }
    given = source(tmp_path, {"token": "kanarie", "region": "us"}, remotes=[remote], packages=[NPM])

    assert transport_of(given, "/x") == {
        "type": "http",
        "url": "https://us.charts.example.com/mcp",
        "headers": {"Authorization": "Bearer kanarie"},
    }
    with pytest.raises(BadConfiguration, match='needs a value for "token"'):
        transport_of({**given, "inputs": {}}, "/x")
    with pytest.raises(BadConfiguration, match="one of eu, us"):
        transport_of({**given, "inputs": {"region": "asia", "token": "t"}}, "/x")


@pytest.mark.parametrize(
    ("package", "command", "args"),
    [
        ({"registryType": "npm"}, "npx", ["--yes", "@harbour/charts@0.2.0"]),
        ({"registryType": "pypi", "identifier": "charts"}, "uvx", ["charts@0.2.0"]),
        (
            {"registryType": "oci", "identifier": "registry.example.com/charts:0.2.0"},
            "docker",
            ["run", "-i", "--rm", "-e", "CHARTS_KEY", "registry.example.com/charts:0.2.0"],
        ),
    ],
)
def test_a_package_is_run_by_its_runner(
    tmp_path: Path, package: dict[str, Any], command: str, args: list[str]
) -> None:
    variables = [{"name": "CHARTS_KEY", "isSecret": True, "isRequired": True}]
    given = source(
        tmp_path, {"CHARTS_KEY": "k"}, packages=[NPM | package | {"environmentVariables": variables}]
    )

    assert transport_of(given, "/x") == {
        "type": "stdio",
        "command": command,
        "args": args,
        "env": {"CHARTS_KEY": "k"},
    }


def test_arguments_are_fixed_given_or_left_out(tmp_path: Path) -> None:
    arguments = [
        {"type": "named", "name": "--port", "value": "9"},
        {"type": "named", "name": "--verbose"},
        {"type": "named", "name": "--region", "placeholder": "eu"},
        {"type": "positional", "valueHint": "folder", "isRequired": True},
        {"type": "positional", "valueHint": "more"},
    ]
    given = source(tmp_path, {"folder": "/charts"}, packages=[NPM | {"packageArguments": arguments}])
    assert transport_of(given, "/x")["args"] == [
        "--yes",
        "@harbour/charts@0.2.0",
        "--port",
        "9",
        "--verbose",
        "/charts",
    ]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "neither a remote nor a package"),
        ({"packages": [NPM | {"registryType": "mcpb", "fileSha256": "a" * 64}]}, "'mcpb' are not started"),
        ({"name": "charts", "remotes": []}, "cardwright check"),
    ],
)
def test_a_source_without_a_server_is_reported(tmp_path: Path, fields: dict[str, Any], words: str) -> None:
    with pytest.raises(BadConfiguration, match=words):
        transport_of(source(tmp_path, **fields), "/x")


def test_a_missing_or_invalid_source_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match="No such file"):
        transport_of({"server_json": str(tmp_path / "none.json")}, "/x")
    (tmp_path / "card.json").write_text('{"name": "A", "supportedInterfaces": []}')
    with pytest.raises(BadConfiguration, match="but an agent card"):
        transport_of({"server_json": str(tmp_path / "card.json")}, "/x")
    (tmp_path / "older.json").write_text('{"serverInfo": {"name": "a", "version": "1"}, "tools": []}')
    with pytest.raises(BadConfiguration, match="older server card"):
        transport_of({"server_card": str(tmp_path / "older.json")}, "/x")


def configured(folder: Path, agent: str) -> GatewayConfig:
    (folder / "gateway.yml").write_text(f"agents:\n  charts:\n{agent}")
    return GatewayConfig.from_file(folder / "gateway.yml", environ={"TOKEN": "kanarie-kanarie-kanarie"})


def test_the_settings_file_takes_a_source_with_secrets_from_the_environment(tmp_path: Path) -> None:
    headers = [{"name": "X-Key", "isSecret": True, "isRequired": True}]
    remote = {"type": "streamable-http", "url": "https://charts.example.com/mcp", "headers": headers}
    (tmp_path / "card.json").write_text(json.dumps(BASE | {"$schema": CARD_SCHEMA, "remotes": [remote]}))
    config = configured(
        tmp_path, "    source:\n      server_card: card.json\n      inputs:\n        X-Key: ${TOKEN}\n"
    )

    agent = config.agents["charts"]
    assert agent.protocol == "mcp"
    assert isinstance(agent.connection, Http)
    assert agent.connection.headers == {"X-Key": "kanarie-kanarie-kanarie"}
    assert agent.connection.configured == "https://charts.example.com"
    assert "kanarie" not in repr(config)


def test_a_package_of_the_settings_file_is_a_process(tmp_path: Path) -> None:
    source(tmp_path, packages=[NPM])
    agent = configured(tmp_path, "    source: {server_json: server.json}\n").agents["charts"]

    assert isinstance(agent.connection, Stdio)
    assert agent.connection.command == "npx"
    assert sys.executable not in agent.connection.args


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("    source: {}\n", "Give `server_json` or `server_card`"),
        ("    source: {server_json: a.json, server_card: b.json}\n", "says how to reach the server"),
        ("    source: {server_json: a.json}\n    command: npx\n", "says how to reach the server"),
        ("    protocol: a2a\n    url: https://a.example\n    source: {server_json: a.json}\n", "A2A agent"),
    ],
)
def test_contradictory_settings_are_reported(tmp_path: Path, agent: str, words: str) -> None:
    with pytest.raises(BadConfiguration, match=words):
        configured(tmp_path, agent)


def test_settings_from_the_network_have_no_source(tmp_path: Path) -> None:
    given = {"source": source(tmp_path, packages=[NPM])}
    with pytest.raises(BadConfiguration, match="/source"):
        network_agent("charts", given, {})
