"""The calls of every MCP client; `peers/server_*.py` implement them."""

from __future__ import annotations

from typing import Any, Final, Protocol

from steps import Steps, expect

URI: Final = "tides://oban"


class Adapter(Protocol):
    """The connected client of an SDK."""

    async def tools(self) -> list[str]:
        """Return the names of the tools."""

    async def call(self, name: str, arguments: dict[str, Any]) -> tuple[bool, str, Any]:
        """Call a tool; return whether it failed, its text, and its structured result."""

    async def resources(self) -> list[str]:
        """Return the URIs of the resources."""

    async def read(self, uri: str) -> str:
        """Return the text of a resource."""

    async def prompts(self) -> list[str]:
        """Return the names of the prompts."""

    async def prompt(self, name: str, arguments: dict[str, str]) -> str:
        """Return the text of a prompt."""


async def run(adapter: Adapter) -> Steps:
    """Make all calls; return the results."""
    steps = Steps()

    async def tools() -> None:
        expect(sorted(await adapter.tools()), ["broken", "high_water"])

    async def call() -> None:
        failed, text, _ = await adapter.call("high_water", {"port": "Oban"})
        expect((failed, "14" in text), (False, True))

    async def structured() -> None:
        _, _, structured = await adapter.call("high_water", {"port": "Oban", "days": 2})
        expect(structured, {"Oban": 28})

    async def failed() -> None:
        failed, text, _ = await adapter.call("broken", {})
        assert failed, "the result is no error"
        assert "no such port" in text, f"the text of the error is {text!r}"

    async def resources() -> None:
        expect(await adapter.resources(), [URI])

    async def read() -> None:
        expect(await adapter.read(URI), "high water at 14:20")

    async def prompts() -> None:
        expect(await adapter.prompts(), ["ask"])

    async def prompt() -> None:
        expect(await adapter.prompt("ask", {"port": "Oban"}), "When is high water in Oban?")

    for feature, step in {
        "list tools": tools,
        "call a tool": call,
        "structured result": structured,
        "error of a tool": failed,
        "list resources": resources,
        "read a resource": read,
        "list prompts": prompts,
        "get a prompt": prompt,
    }.items():
        await steps.run(feature, step)
    return steps
