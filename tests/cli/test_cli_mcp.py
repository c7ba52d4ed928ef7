"""`cardwright mcp`, used by the client of the MCP SDK."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any, Final

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from cardwright.testing import LoopbackAgent
from tests.cli.command_line import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.command_line import Run

pytestmark = pytest.mark.process
NEWER: Final = (EXAMPLES / "a2a-1.0.card.json").read_text()
OLDER: Final = (EXAMPLES / "a2a-0.3.card.json").read_text()


def called(root: Path, *calls: tuple[str, dict[str, Any]], options: tuple[str, ...] = ()) -> list[Any]:
    """Call tools of a server for one folder; return the structured result of each, or the text of its error."""

    async def run() -> list[Any]:
        arguments = ["-m", "cardwright", "mcp", "--root", str(root), *options]
        results: list[Any] = []
        async with Client(
            stdio_client(StdioServerParameters(command=sys.executable, args=arguments))
        ) as client:
            for name, given in calls:
                result = await client.call_tool(name, given)
                text = getattr(result.content[0], "text", "") if result.content else ""
                results.append(text if result.is_error else result.structured_content)
        return results

    return asyncio.run(run())


def test_the_tools_do_what_the_commands_do(tmp_path: Path) -> None:
    wrong = json.dumps({**json.loads(NEWER), "version": 1})
    (tmp_path / "wrong.json").write_text(wrong)
    checked, by_text, fixed, converted, changed, explained = called(
        tmp_path,
        ("check", {"card": "wrong.json"}),
        ("check", {"card": wrong, "dialect": "a2a-1.0"}),
        ("fix", {"card": "wrong.json"}),
        ("convert", {"card": OLDER, "to": "a2a-1.0"}),
        ("diff", {"old": NEWER, "new": json.dumps({**json.loads(NEWER), "description": "Other."})}),
        ("explain", {"rule": "schema/type"}),
    )
    assert (checked["dialect"], checked["valid"]) == ("a2a-1.0", False)
    assert [one["rule"] for one in checked["violations"]] == ["schema/type"]
    assert by_text["violations"] == checked["violations"]
    assert (fixed["valid"], fixed["card"]["version"]) == (True, "1")
    assert fixed["fixes"] == [{"pointer": "/version", "rule": "schema/type"}]
    assert (tmp_path / "wrong.json").read_text() == wrong
    assert converted["valid"]
    assert converted["card"]["supportedInterfaces"]
    assert [one["pointer"] for one in changed["changes"]] == ["/description"]
    assert explained["result"].startswith("# schema/type")


def test_guesses_are_applied_only_on_request(tmp_path: Path) -> None:
    card = json.loads(NEWER)
    del card["skills"][0]["tags"]
    safe, unsafe = called(
        tmp_path, ("fix", {"card": json.dumps(card)}), ("fix", {"card": json.dumps(card), "unsafe": True})
    )
    assert (safe["valid"], unsafe["valid"]) == (False, True)


@pytest.mark.parametrize(
    ("tool", "given", "message"),
    [
        ("check", {"card": "../secret.json"}, "the file is outside of the folder of this server"),
        ("check", {"card": "/etc/passwd"}, "the file is outside of the folder of this server"),
        ("check", {"card": "link.json"}, "the file is outside of the folder of this server"),
        ("check", {"card": "missing.json"}, "the file cannot be read: No such file"),
        ("check", {"card": "a\0b"}, "has a character that no path has"),
        ("check", {"card": "{"}, "the document is not JSON"),
        ("check", {"card": "{}"}, "not an agent card"),
        ("check", {"card": "[1]"}, "expected a JSON object"),
        ("check", {"card": NEWER, "dialect": "a2a-9"}, "a2a-9"),
        ("convert", {"card": NEWER, "to": "a2a-9"}, "a2a-9"),
        ("explain", {"rule": "no/rule"}, 'unknown rule "no/rule"'),
        ("discover", {"url": "http://127.0.0.1:9/"}, "the address is this machine"),
        ("check", {"card": "https://10.0.0.1/card.json"}, "refused"),
        ("check", {}, "card"),
    ],
)
def test_a_failure_is_a_tool_error_with_its_message(
    tmp_path: Path, tool: str, given: dict[str, Any], message: str
) -> None:
    (tmp_path / "secret.json").write_text(NEWER)
    (tmp_path / "root").mkdir()
    (tmp_path / "root/link.json").symlink_to(tmp_path / "secret.json")
    (text,) = called(tmp_path / "root", (tool, given))
    assert message in text
    assert "Traceback" not in text


def test_an_agent_is_discovered_where_the_guard_allows_it(tmp_path: Path) -> None:
    with LoopbackAgent(replies=["x"]) as agent:
        (found, checked) = called(
            tmp_path,
            ("discover", {"url": agent.url}),
            ("check", {"card": agent.url}),
            options=("--allow-private",),
        )
    assert (found["valid"], found["card"]["name"]) == (True, "Scripted agent")
    assert checked["valid"]


def test_a_root_that_is_no_folder_is_refused(run: Run, tmp_path: Path) -> None:
    result = run("mcp", "--root", tmp_path / "none")
    assert result.exit_code == 2
    assert "is not a folder" in result.stderr
