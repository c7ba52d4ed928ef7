"""`cardwright convert` for MCP servers: from their descriptions, and from a session with one."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from cardwright import Card
from tests.cli.command_line import EXAMPLES, Run

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
SERVER = '{"$schema": "SCHEMA", "name": "com.example/charts", "description": "Finds charts.", "version": "0.2.0", "packages": []}'.replace(
    "SCHEMA", SCHEMA
)
MCP_SERVER = """
from mcp.server.mcpserver import MCPServer
server = MCPServer("charts", version="0.2.0", log_level="CRITICAL")
@server.tool(title="Find a chart")
def find_chart(harbour: str) -> str:
    "Finds the chart of a harbour."
    return harbour
server.run()
"""
ENDPOINT = "https://agents.example.com/charts"


@pytest.fixture
def server(here: Path) -> str:
    (here / "server.json").write_text(SERVER)
    return "server.json"


@pytest.fixture
def command(here: Path) -> str:
    (here / "charts.py").write_text(MCP_SERVER)
    return f"'{sys.executable}' '{here / 'charts.py'}'"


def test_server_json_becomes_a_server_card(server: str, run: Run) -> None:
    result = run("convert", "--to", "mcp-server-card-1", server)

    assert result.exit_code == 0
    assert json.loads(result.stdout)["name"] == "com.example/charts"
    assert "/packages  array" in result.stderr


def test_the_card_of_a_server_without_endpoint_and_tools_is_printed_and_fails(server: str, run: Run) -> None:
    result = run("convert", "--to", "a2a-1.0", server)

    assert result.exit_code == 1
    assert json.loads(result.stdout)["supportedInterfaces"] == []
    assert "an MCP server has no A2A endpoint" in result.stderr


@pytest.mark.process
def test_a_session_with_a_command_makes_a_valid_card(command: str, run: Run) -> None:
    result = run("convert", "--to", "a2a-1.0", "--from-mcp", command, "--endpoint", ENDPOINT)

    assert result.exit_code == 0, result.stderr
    card = Card.from_bytes(result.stdout.encode())
    assert card.valid
    assert [skill.name for skill in card.view.skills] == ["Find a chart"]
    assert ENDPOINT in result.stdout


@pytest.mark.process
def test_a_session_without_an_endpoint_makes_a_card_without_one(command: str, run: Run) -> None:
    result = run("convert", "--to", "a2a-1.0", "--from-mcp", command)

    assert result.exit_code == 1
    assert json.loads(result.stdout)["supportedInterfaces"] == []
    assert "/supportedInterfaces" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(
            ("--from-mcp", "no-such-command-at-all"),
            "its command or working directory does not exist",
            marks=pytest.mark.process,
        ),
        (("--from-mcp", "'"), "--from-mcp: not a command"),
        (("--from-mcp", " "), "the URL of an MCP server, or the command"),
        (("--from-mcp", "http://127.0.0.1:9/mcp"), "allow it with --allow-private"),
        (("--from-mcp", "http://127.0.0.1:9/mcp", "--allow-private"), "the connection failed"),
        (("--from-mcp", "echo", EXAMPLES / "a2a-1.0.card.json"), "either a file or URL, or --from-mcp"),
        ((), "either a file or URL, or --from-mcp"),
        ((EXAMPLES / "a2a-1.0.card.json", "--endpoint", "agents"), "is not a URL"),
    ],
)
def test_an_unreadable_file_is_reported_in_one_line(
    arguments: tuple[str | Path, ...], words: str, run: Run
) -> None:
    result = run("convert", "--to", "a2a-1.0", *arguments)

    assert result.exit_code == 2
    assert words in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr


def test_a_server_card_has_no_carry_extension(server: str, run: Run) -> None:
    result = run("convert", "--to", "mcp-server-card-1", "--carry", server)

    assert result.exit_code == 2
    assert "mcp-server-card-1 has no extensions to store fields in" in result.stderr
