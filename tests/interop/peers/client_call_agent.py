"""cardwright's client, `call_agent`, for one version of A2A."""

from __future__ import annotations

import asyncio
from typing import Any

import scenario

from cardwright import call_agent, fetch_card

LOOPBACK = ("127.0.0.0/8",)


class Own:
    # It sends messages and reads replies; `Reply.raw` is the task, and a caller that gives up cancels it.
    absent = (
        "get task", "list tasks", "cancel", "resubscribe", "push set", "push get", "push list", "push delete",
        "extended card",
    )  # fmt: skip

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given

    async def called(self, text: str, binding: str, *, stream: bool) -> Any:
        found = await fetch_card(self.given["base"], allow=LOOPBACK)
        only = [f"a2a/{self.given['version']}+{binding}"]
        return await call_agent(found, text, allow=LOOPBACK, supported=only, stream=stream)

    async def card(self) -> str:
        return str((await fetch_card(self.given["base"], allow=LOOPBACK)).card.document["name"])

    async def send(self, text: str, binding: str = "JSONRPC") -> str:
        return str((await self.called(text, binding, stream=False)).text)

    async def stream(self, text: str) -> list[str]:
        reply = await self.called(text, "JSONRPC", stream=True)
        return [reply.task_id, *(part.value for part in reply.parts), reply.state]


if __name__ == "__main__":
    asyncio.run(scenario.main("cardwright", Own))
