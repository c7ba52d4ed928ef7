"""Calls through `cardwright gateway`: a function, its task in memory and in a database, an MCP tool, an agent behind it.

`python -m benchmarks.calling` starts the command as an operator does, on one core, and sends calls from the other one.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
import uuid
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import aiohttp

from benchmarks.gateway import command as agent_command
from benchmarks.gateway_apps import AGENT_URL
from benchmarks.load import LOAD_CORE, free_port, gateway_command, missing, running
from benchmarks.measure import machine
from benchmarks.postgresql import temporary_database

if TYPE_CHECKING:
    from benchmarks.load import Running

CALLS: Final = 320
AT_ONCE: Final = 16
ROUNDS: Final = 5
# By agent: what it is, and the minimum number of calls per second of CPU time of the gateway.
AGENTS: Final = {
    "message": ("function, a message", 600),
    "task": ("function, a task", 600),
    "stored": ("function, a stored task", 200),
    "shared": ("the same in PostgreSQL", 200),
    "tool": ("MCP tool", 400),
    "agent": ("agent, passed through", 1_900),
}
_FUNCTIONS: Final = """
from cardwright.discovery import Part
from cardwright_gateway import Turn, TurnResult


def message(turn: Turn) -> TurnResult:
    '''Return the text of the request.'''
    return TurnResult(message=str(turn.parts[0].value))


def task(text: str) -> str:
    '''Return the text of the request.'''
    return text
"""
_SERVER: Final = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("echo")


@server.tool()
def echo(text: str) -> str:
    '''Return the text of the request.'''
    return text


server.run()
"""
_HEADERS: Final = {"Content-Type": "application/json", "A2A-Version": "1.0"}


def calling() -> None:
    """Print the table."""
    print(
        "Calls through the gateway, 16 at once (medians; per second of CPU time of the gateway; ! over the limit)\n"
    )
    print(machine())
    if reason := missing():
        print(f"skipped: {reason}\n")
        return
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        agent, port = free_port(), free_port()
        os.environ[AGENT_URL] = f"http://127.0.0.1:{agent}/"
        stack.enter_context(
            running(agent_command("agent", agent, "uvicorn, httptools"), agent, "/", core=LOAD_CORE)
        )
        config = _written(Path(folder))
        gateway = stack.enter_context(running(gateway_command(config, port), port, "/healthz"))
        gateways: dict[str, Running] = dict.fromkeys(("message", "task", "tool", "agent"), gateway)
        stores = {
            "stored": str(Path(folder) / "stored.db"),
            "shared": stack.enter_context(temporary_database()),
        }
        for name, store in stores.items():
            if store:
                port = free_port()
                command = gateway_command(_written(Path(folder), stored=(name, store)), port)
                gateways[name] = stack.enter_context(running(command, port, "/healthz"))
        asyncio.run(_table(gateways))


def _written(folder: Path, *, stored: tuple[str, str] | None = None) -> Path:
    """Write the configuration of a gateway, and what it runs; `stored` names an agent whose tasks are in a database."""
    (folder / "functions.py").write_text(_FUNCTIONS, encoding="utf-8")
    (folder / "server.py").write_text(_SERVER, encoding="utf-8")
    agents: dict[str, dict[str, Any]] = {
        "message": {"backend": {"python": "functions:message"}},
        "task": {"backend": {"python": "functions:task"}},
        "tool": {"command": sys.executable, "args": [str(folder / "server.py")]},
        "agent": {"url": os.environ[AGENT_URL]},
    }
    settings: dict[str, Any] = {"store": str(folder / "tasks.db"), "agents": agents}
    if stored is not None:
        name, store = stored
        settings = {
            "store": store,
            "agents": {name: {**agents["task"], "tasks": "own"}},
            "webhooks": {"encryption_key": "A" * 43},
        }
    config = folder / (f"{stored[0]}.json" if stored else "gateway.json")
    config.write_text(json.dumps(settings), encoding="utf-8")
    return config


async def _table(gateways: dict[str, Running]) -> None:
    made: dict[str, list[tuple[float, float]]] = {name: [] for name in AGENTS if name in gateways}
    async with aiohttp.ClientSession(headers=_HEADERS) as session:
        for name in made:
            await _called(session, gateways[name], name, 32)
        for _ in range(ROUNDS):
            for name, rows in made.items():
                rows.append(await _called(session, gateways[name], name, CALLS))
    print(f"{'':24} {'calls/s of CPU':>15} {'µs a call':>10} {'limit':>7} {'ms, one at a time':>18}")
    for name, rows in made.items():
        what, bound = AGENTS[name]
        rate = statistics.median(rate for rate, _ in rows)
        alone = statistics.median(alone for _, alone in rows)
        print(
            f"{what:24} {rate:15,.0f} {1e6 / rate:10,.0f} {bound:6,}{'!' if rate < bound else ' '} {alone:18.2f}"
        )
    print()


async def _called(
    session: aiohttp.ClientSession, gateway: Running, name: str, calls: int
) -> tuple[float, float]:
    """Return the calls per second of CPU time, and the median milliseconds of one call at a time."""
    url = f"http://127.0.0.1:{gateway.port}/agents/{name}"
    before = gateway.cpu_seconds()
    left = iter(range(calls))

    async def caller() -> None:
        for _ in left:
            await _call(session, url)

    await asyncio.gather(*(caller() for _ in range(AT_ONCE)))
    used = gateway.cpu_seconds() - before
    times: list[float] = []
    for _ in range(calls // 16):
        start = time.perf_counter()
        await _call(session, url)
        times.append((time.perf_counter() - start) * 1_000)
    return calls / used, statistics.median(times)


async def _call(session: aiohttp.ClientSession, url: str) -> None:
    message: dict[str, Any] = {
        "messageId": uuid.uuid4().hex,
        "role": "ROLE_USER",
        "parts": [{"text": "hello"}],
    }
    request = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    async with session.post(url, data=json.dumps(request)) as response:
        value = await response.json()
    if "result" not in value:
        raise RuntimeError(f"{url} returned {value}")


if __name__ == "__main__":
    calling()
