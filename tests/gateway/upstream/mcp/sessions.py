"""MCP sessions for one test, with servers as processes."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.guard.client import GuardedClient
from cardwright_gateway.backends.backend import Turn
from cardwright_gateway.upstream.mcp import HttpServer, McpSession, StdioServer
from tests.discovery.calling.sdk_agents import serving

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from cardwright.discovery import Part

SERVERS = Path(__file__).parent / "servers"
ROOT = Path(__file__).parents[4]


def raw(**script: Any) -> StdioServer:
    """Return the scripted server."""
    return StdioServer(sys.executable, (str(SERVERS / "raw.py"), json.dumps(script)))


def sdk() -> StdioServer:
    """Return the server on the mcp SDK, as a process."""
    return StdioServer(sys.executable, ("-m", "tests.gateway.upstream.mcp.servers.sdk"), cwd=str(ROOT))


@asynccontextmanager
async def connected_to(server: StdioServer | HttpServer, **more: Any) -> AsyncGenerator[McpSession]:
    """Yield a session that is not started; it is closed afterwards."""
    settings: dict[str, Any] = {"start_seconds": 30.0, **more}
    async with GuardedClient() as client:
        made = McpSession("harbour", server, client=client, **settings)
        try:
            yield made
        finally:
            await made.close()


@asynccontextmanager
async def session(server: StdioServer | HttpServer, **more: Any) -> AsyncGenerator[McpSession]:
    """Yield a session that is not started; it is closed afterwards, and leaves no task."""
    before = asyncio.all_tasks()
    async with connected_to(server, **more) as made:
        yield made
    # One turn of the event loop lets background tasks end.
    await asyncio.sleep(0)
    left = asyncio.all_tasks() - before
    assert not left, left


@asynccontextmanager
async def over_http(application: Any, **more: Any) -> AsyncGenerator[McpSession]:
    """Yield a session with an application that is served on loopback."""
    async with serving(application, lifespan="on") as origin:
        server = HttpServer(f"{origin}/mcp", headers={"X-Key": "k"}, configured=origin)
        async with session(server, **more) as made:
            yield made


async def nothing(*_: object) -> None:
    """Ignore progress."""


async def text(made: McpSession, tool: str, **arguments: Any) -> str:
    """Return the text that a tool gives."""
    result = await made.call(tool, arguments, progress=nothing)
    return "".join(getattr(block, "text", "") for block in getattr(result, "content", ()))


async def until(made: McpSession, changes: Changes, condition: Callable[[McpSession], bool]) -> None:
    """Wait for a condition, which is checked whenever the session changes."""
    while not condition(made):
        await changes.another()


@dataclass
class Changes:
    """Counts the change notifications of a session."""

    count: int = 0
    _event: asyncio.Event = field(default_factory=asyncio.Event)

    def __call__(self) -> None:
        self.count += 1
        self._event.set()

    async def another(self) -> None:
        """Wait for the next change."""
        self._event.clear()
        await self._event.wait()


@dataclass
class RecordingReporter:
    """Records the reports of a backend."""

    reports: list[tuple[str, float | None, float | None]] = field(default_factory=list)

    async def progress(
        self, text: str = "", *, done: float | None = None, total: float | None = None
    ) -> None:
        self.reports.append((text, done, total))

    async def parts(self, parts: Sequence[Part], artifact: object = None) -> None:  # noqa: ARG002 - as `Tell` has it
        raise AssertionError(parts)

    async def left_open(self, *, streamed: bool = False) -> asyncio.Event:  # noqa: ARG002 - as `TurnReporter` has it
        raise AssertionError


def turn(*parts: Part, **metadata: Any) -> Turn:
    return Turn(parts, metadata=metadata)


def runs(pid: int) -> bool:
    """Whether a process exists, also as a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
