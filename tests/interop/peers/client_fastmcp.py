"""The client of fastmcp."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Any

import mcp_scenario
from fastmcp import Client
from steps import report, settings_from_stdin


class Sdk:
    def __init__(self, client: Client) -> None:
        self.client = client

    async def tools(self) -> list[str]:
        return [one.name for one in await self.client.list_tools()]

    async def call(self, name: str, arguments: dict[str, Any]) -> tuple[bool, str, Any]:
        result = await self.client.call_tool(name, arguments, raise_on_error=False)
        text = "".join(one.text for one in result.content if one.type == "text")
        return bool(result.is_error), text, result.structured_content

    async def resources(self) -> list[str]:
        return [str(one.uri) for one in await self.client.list_resources()]

    async def read(self, uri: str) -> str:
        return "".join(one.text for one in await self.client.read_resource(uri))

    async def prompts(self) -> list[str]:
        return [one.name for one in await self.client.list_prompts()]

    async def prompt(self, name: str, arguments: dict[str, str]) -> str:
        return "".join(one.content.text for one in (await self.client.get_prompt(name, arguments)).messages)


async def main() -> None:
    given = settings_from_stdin()
    async with Client(given["url"]) as client:
        steps = await mcp_scenario.run(Sdk(client))
    report(version("fastmcp"), steps)


if __name__ == "__main__":
    asyncio.run(main())
