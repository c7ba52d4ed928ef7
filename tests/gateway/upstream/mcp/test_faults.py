"""Upstream MCP servers that are killed or whose tools change."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import MCPServer

from cardwright import Card
from tests.discovery.calling.sdk_agents import serving
from tests.gateway.faulty_agents import CARD
from tests.gateway.processes import ROOT, in_process
from tests.serve.client import call

if TYPE_CHECKING:
    from cardwright_gateway import Gateway
    from tests.serve.client import Reply

SERVER = {
    "protocol": "mcp",
    "start_seconds": 30,
    "transport": {
        "type": "stdio",
        "command": sys.executable,
        "args": ["-m", "tests.gateway.upstream.mcp.servers.sdk"],
        "cwd": str(ROOT),
    },
}
NEWER = (("A2A-Version", "1.0"), ("Content-Type", "application/json"))


async def tool(gateway: Gateway, name: str, **arguments: Any) -> Reply:
    """Call a tool by a data part."""
    part = {"data": {"skill": name, "arguments": arguments}}
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [part]}
    body = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    return await call(gateway, "POST", "/agents/changing", NEWER, body=json.dumps(body).encode())


def text(answer: Reply) -> str:
    return str(answer.json["result"]["task"]["artifacts"][0]["parts"][0]["text"])


async def card(gateway: Gateway) -> Any:
    answer = await call(gateway, "GET", f"/agents/changing{CARD}")
    assert answer.status == 200
    return answer.json


async def comes_back(gateway: Gateway) -> str:
    """Call until the server is back; every response until then reports the outage."""
    async with asyncio.timeout(60):
        while True:
            answer = await tool(gateway, "pid")
            response = answer.json
            state = response["result"]["task"]["status"]["state"] if answer.status == 200 else ""
            if state == "TASK_STATE_COMPLETED":
                return text(answer)
            if answer.status == 200:
                # It was sent before the end of the server was seen.
                assert state == "TASK_STATE_FAILED"
            else:
                assert (answer.status, response["error"]["data"][0]["reason"]) == (503, "SESSION_NOT_READY")
                assert int(answer.headers["retry-after"]) >= 1
            await asyncio.sleep(0.1)


async def test_a_server_killed_while_idle_is_reported_and_restarts() -> None:
    async with in_process({"changing": SERVER}) as gateway:
        pid = text(await tool(gateway, "pid"))
        os.kill(int(pid), signal.SIGKILL)
        assert await comes_back(gateway) != pid
        assert (await call(gateway, "GET", f"/agents/changing{CARD}")).status == 200


async def test_a_server_killed_during_a_call_fails_the_call_and_restarts() -> None:
    async with in_process({"changing": SERVER}) as gateway:
        pid = text(await tool(gateway, "pid"))
        waiting = asyncio.create_task(tool(gateway, "wait"))
        while not gateway.agent("changing").running_calls:  # noqa: ASYNC110 - no event exists for it
            await asyncio.sleep(0)
        os.kill(int(pid), signal.SIGKILL)
        answer = await waiting
        state = answer.json.get("result", {}).get("task", {}).get("status", {}).get("state", "error")
        assert state in ("TASK_STATE_FAILED", "error")
        assert str(ROOT) not in answer.body.decode()
        assert await comes_back(gateway) != pid


async def test_the_card_of_a_server_that_cannot_start_is_a_503() -> None:
    agent = {"protocol": "mcp", "transport": {"type": "stdio", "command": "/no/such"}}
    async with in_process({"changing": agent}) as gateway:
        answer = await call(gateway, "GET", f"/agents/changing{CARD}")
        assert (answer.status, answer.reason) == (503, "SESSION_NOT_READY")


async def test_a_card_changes_with_the_tools_and_mixes_no_two_lists() -> None:
    async with in_process({"changing": SERVER}) as gateway:
        seen: dict[str, set[tuple[str, ...]]] = {}
        done = asyncio.Event()

        async def look() -> None:
            while not done.is_set():
                found = await card(gateway)
                names = tuple(sorted(one["id"] for one in found["skills"]))
                seen.setdefault(found["version"], set()).add(names)
                await asyncio.sleep(0)

        first = await card(gateway)
        looking = [asyncio.create_task(look()) for _ in range(4)]
        for grown in range(1, 6):
            assert text(await tool(gateway, "grow")) == str(grown)
        last = await card(gateway)
        while f"echo-{5}" not in {one["id"] for one in last["skills"]}:
            last = await card(gateway)
            await asyncio.sleep(0)
        done.set()
        await asyncio.gather(*looking)
        assert text(await tool(gateway, "echo-5", text="a")) == "5: a"

    assert first["version"] != last["version"]
    for names in seen.values():
        # One version, one set of tools, and both tools of one generation.
        [only] = names
        kinds = {kind: [name for name in only if name.startswith(kind)] for kind in ("echo-", "twin-")}
        [echo], [second] = kinds["echo-"], kinds["twin-"]
        assert echo.removeprefix("echo-") == second.removeprefix("twin-")


async def test_a_server_without_tools_has_cards_and_says_that_nothing_can_be_called() -> None:
    server = MCPServer("empty", log_level="CRITICAL")

    def tide() -> str:
        return "high"

    server.resource("test://tide")(tide)

    async with serving(server.streamable_http_app(), lifespan="on") as origin:
        agent = {
            "protocol": "mcp",
            "start_seconds": 30,
            "transport": {"type": "http", "url": f"{origin}/mcp"},
        }
        async with in_process({"changing": agent}) as gateway:
            paths = (CARD, f"{CARD}?form=mcp", "/report")
            answers = [await call(gateway, "GET", f"/agents/changing{path}") for path in paths]
            (a2a, own, report), called = answers, await tool(gateway, "tide")
    assert [answer.status for answer in (a2a, own, report)] == [200, 200, 200]
    assert (a2a.json["skills"], own.json["skills"]) == ([], [])
    assert a2a.json["description"].endswith("Its resources and prompts are available over MCP.")
    assert Card.from_document(own.json).valid
    errors = [one for one in report.json["served"]["violations"] if one["severity"] == "error"]
    assert [one["pointer"] for one in errors] == ["/skills"]
    assert "the agent has no skills" in called.json["error"]["message"]
