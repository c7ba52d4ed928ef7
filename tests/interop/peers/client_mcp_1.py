"""The client of mcp 1.x."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Any

import mcp_scenario
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from steps import report, settings_from_stdin


class Sdk:
    def __init__(self, session: ClientSession) -> None:
        self.session = session

    async def tools(self) -> list[str]:
        return [one.name for one in (await self.session.list_tools()).tools]

    async def call(self, name: str, arguments: dict[str, Any]) -> tuple[bool, str, Any]:
        result = await self.session.call_tool(name, arguments)
        text = "".join(one.text for one in result.content if one.type == "text")
        return bool(result.isError), text, result.structuredContent

    async def resources(self) -> list[str]:
        return [str(one.uri) for one in (await self.session.list_resources()).resources]

    async def read(self, uri: str) -> str:
        return "".join(one.text for one in (await self.session.read_resource(uri)).contents)

    async def prompts(self) -> list[str]:
        return [one.name for one in (await self.session.list_prompts()).prompts]

    async def prompt(self, name: str, arguments: dict[str, str]) -> str:
        return "".join(one.content.text for one in (await self.session.get_prompt(name, arguments)).messages)


async def main() -> None:
    given = settings_from_stdin()
    async with (
        streamable_http_client(given["url"]) as (read, write, *_),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        steps = await mcp_scenario.run(Sdk(session))
    report(version("mcp"), steps)


if __name__ == "__main__":
    asyncio.run(main())
