"""a2a-sdk 0.3 client of an agent that answers by messages: prints what it gets as JSON.

`python message.py BASE STREAMING`, where STREAMING is `yes` or `no`.
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
from a2a.types import TaskQueryParams


async def seen(base: str, *, streaming: bool) -> dict[str, Any]:
    async with httpx.AsyncClient(timeout=30) as http:
        card = await A2ACardResolver(http, base).get_agent_card()
        client = ClientFactory(ClientConfig(httpx_client=http, streaming=streaming)).create(card)
        messages: Any = [
            one async for one in client.send_message(create_text_message_object(content="good day"))
        ]
        try:
            await client.get_task(TaskQueryParams(id="none"))
        except A2AClientError as error:
            refused = str(error)
        return {"messages": [one.parts[0].root.text for one in messages], "refused": refused}


if __name__ == "__main__":
    base, streaming = sys.argv[1:]
    sys.stdout.write(json.dumps(asyncio.run(seen(base, streaming=streaming == "yes"))))
