"""a2a-sdk 0.3 client: calls an agent and prints the results as JSON.

`python client.py BASE BINDING STREAMING [message]`, where STREAMING is `yes` or `no`; `message` makes only the calls of an
agent that answers by messages.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientError
from a2a.client.helpers import create_text_message_object
from a2a.types import Message, TaskIdParams, TaskQueryParams


async def complete_task(client: Any, text: str) -> list[Any]:
    events = client.send_message(create_text_message_object(content=text))
    return [one if isinstance(one, Message) else one[0] async for one in events]


async def refused(call: Any) -> str:
    try:
        await call
    except A2AClientError as error:
        return str(error)
    return ""


async def seen(base: str, binding: str, *, streaming: bool, alone: bool) -> dict[str, Any]:
    async with httpx.AsyncClient(timeout=30) as http:
        card = await A2ACardResolver(http, base).get_agent_card()
        config = ClientConfig(
            httpx_client=http, streaming=streaming, supported_transports=[binding], use_client_preference=True
        )
        client = ClientFactory(config).create(card)
        [message] = await complete_task(client, "good day")
        unknown = await refused(client.get_task(TaskQueryParams(id="none")))
        if alone:
            return {"messages": [message.parts[0].root.text], "refused": unknown}
        tasks = await complete_task(client, "task")
        # Its servers take no length of history over REST without a number.
        kept = await client.get_task(TaskQueryParams(id=tasks[-1].id))
        turn = await complete_task(client, "ask")
        cancelled = await client.cancel_task(TaskIdParams(id=turn[-1].id))
        return {
            "name": card.name,
            "urls": sorted({card.url, *(one.url for one in card.additional_interfaces or [])}),
            "message": message.parts[0].root.text,
            "events": len(tasks),
            "kept": [part.root.model_dump() for one in kept.artifacts or [] for part in one.parts],
            "state": kept.status.state.value,
            "asked": turn[-1].status.state.value,
            "cancelled": cancelled.status.state.value,
            "unknown": unknown,
        }


if __name__ == "__main__":
    base, binding, streaming, *alone = sys.argv[1:]
    calls = seen(base, binding, streaming=streaming == "yes", alone=bool(alone))
    sys.stdout.write(json.dumps(asyncio.run(calls)))
