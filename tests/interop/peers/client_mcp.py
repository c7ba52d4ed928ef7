"""The MCP clients of mcp 1.x, mcp 2.x and fastmcp, by `package` and `version`.

mcp 2.x has a version: `legacy`, with the handshake, or the version of MCP without it.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from steps import Steps, expect, report, settings_from_stdin

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

URI: Final = "tides://oban"


@asynccontextmanager
async def connected(given: dict[str, Any]) -> AsyncGenerator[Any]:
    if given["package"] == "fastmcp":
        from fastmcp import Client

        client = Client(given["url"])
    elif given["version"]:
        from mcp import Client

        client = Client(given["url"], mode=given["version"], cache=None)
    else:
        from mcp import ClientSession
        from mcp.client.streamable_http import streamable_http_client

        async with streamable_http_client(given["url"]) as (read, write, *_):
            client = ClientSession(read, write)
            async with client:
                await client.initialize()
                yield client
        return
    async with client:
        yield client


async def run(client: Any, **call: Any) -> Steps:
    """Make all calls; return the results. fastmcp returns lists, the others objects that have them."""
    steps = Steps()

    async def called(name: str, arguments: dict[str, Any]) -> tuple[bool, str, Any]:
        result = await client.call_tool(name, arguments, **call)
        text = "".join(one.text for one in result.content if one.type == "text")
        # The names of mcp 1.x, or of mcp 2.x and fastmcp.
        fields = vars(result)
        failed = fields.get("isError", fields.get("is_error"))
        return bool(failed), text, fields.get("structuredContent", fields.get("structured_content"))

    async def lists(kind: str, *wanted: str, field: str = "name") -> None:
        found = await getattr(client, f"list_{kind}")()
        expect(sorted(str(getattr(one, field)) for one in getattr(found, kind, found)), [*wanted])

    async def succeeds() -> None:
        failed, text, _ = await called("high_water", {"port": "Oban"})
        expect((failed, "14" in text), (False, True))

    async def structured() -> None:
        expect((await called("high_water", {"port": "Oban", "days": 2}))[2], {"Oban": 28})

    async def fails() -> None:
        failed, text, _ = await called("broken", {})
        assert failed, "the result is no error"
        assert "no such port" in text, f"the text of the error is {text!r}"

    async def read() -> None:
        found = await client.read_resource(URI)
        expect("".join(one.text for one in getattr(found, "contents", found)), "high water at 14:20")

    async def prompt() -> None:
        found = await client.get_prompt("ask", {"port": "Oban"})
        expect("".join(one.content.text for one in found.messages), "When is high water in Oban?")

    for feature, step in {
        "list tools": lambda: lists("tools", "broken", "high_water"),
        "call a tool": succeeds, "structured result": structured, "error of a tool": fails,
        "list resources": lambda: lists("resources", URI, field="uri"), "read a resource": read,
        "list prompts": lambda: lists("prompts", "ask"), "get a prompt": prompt,
    }.items():  # fmt: skip
        await steps.run(feature, step)
    return steps


async def main() -> None:
    given = settings_from_stdin()
    call = {"raise_on_error": False} if given["package"] == "fastmcp" else {}
    async with connected(given) as client:
        steps = await run(client, **call)
    report(version(given["package"]), steps.cells)


if __name__ == "__main__":
    asyncio.run(main())
