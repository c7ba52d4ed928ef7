"""An MCP server on the mcp SDK whose tools change, report progress, hang and crash; over stdio or HTTP."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context, MCPServer

if TYPE_CHECKING:
    from collections.abc import Callable


class Changing(MCPServer):
    """The server: its tools are those of one generation, `echo-N` and `twin-N`.

    Attributes:
        generation: How often its tools changed.
        waiting: Set when a call waits.
        cancelled: Set when such a call is cancelled.
    """

    def __init__(self) -> None:
        super().__init__("changing", instructions="Changes.\n\nNothing else.")
        self.generation = 0
        self.waiting = asyncio.Event()
        self.cancelled = asyncio.Event()
        for tool in (self.grow, self.slow, self.wait, self.pid, self.boom, self.wrong):
            self.add_tool(tool)
        self._put()

    def _put(self) -> None:
        for kind in ("echo", "twin"):
            if self.generation:
                self.remove_tool(f"{kind}-{self.generation - 1}")
            self.add_tool(self._echo(), name=f"{kind}-{self.generation}")

    def _echo(self) -> Callable[[str], str]:
        generation = self.generation

        def echo(text: str) -> str:
            return f"{generation}: {text}"

        return echo

    async def grow(self, ctx: Context[Any, Any]) -> str:
        self.generation += 1
        self._put()
        await ctx.session.send_tool_list_changed()
        await ctx.notify_tools_changed()
        return str(self.generation)

    async def slow(self, ctx: Context[Any, Any]) -> str:
        for done in range(3):
            await ctx.report_progress(done, 2, f"step {done}")
        return "done"

    async def wait(self) -> str:
        self.waiting.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled.set()
        return ""

    async def pid(self) -> str:
        return str(os.getpid())

    async def boom(self) -> str:
        raise ValueError("no berth")

    async def wrong(self) -> dict[str, int]:
        return {"berth": 7}


if __name__ == "__main__":
    Changing().run("stdio")
