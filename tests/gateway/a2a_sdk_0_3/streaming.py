"""a2a-sdk 0.3 streaming clients: print the kinds of the events and the last text or error.

`python streaming.py URL`, the URL of the agent at the gateway; JSON on standard output.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

import httpx
from a2a.client.errors import A2AClientError
from a2a.client.helpers import create_text_message_object
from a2a.client.transports.jsonrpc import JsonRpcTransport
from a2a.client.transports.rest import RestTransport
from a2a.types import MessageSendParams, TaskIdParams, TaskStatusUpdateEvent

if TYPE_CHECKING:
    from collections.abc import AsyncIterable


async def seen(stream: AsyncIterable[Any]) -> dict[str, Any]:
    kinds: list[str] = []
    last = None
    try:
        async for event in stream:
            kinds.append(event.kind)
            last = event
    except A2AClientError as error:
        return {"kinds": kinds, "error": str(error)}
    if not isinstance(last, TaskStatusUpdateEvent):
        return {"kinds": kinds}
    text = last.status.message.parts[0].root.text if last.status.message else ""
    ids = [last.task_id, last.context_id]
    return {"kinds": kinds, "ids": ids, "state": last.status.state.value, "final": last.final, "text": text}


async def main(url: str) -> list[dict[str, Any]]:
    async with httpx.AsyncClient(timeout=30) as http:
        transports = JsonRpcTransport(http, url=url), RestTransport(http, url=url)
        received = []
        for transport in transports:
            message = MessageSendParams(message=create_text_message_object(content="go"))
            received.append(await seen(transport.send_message_streaming(message)))
            received.append(await seen(transport.resubscribe(TaskIdParams(id="t-1"))))
        return received


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(main(sys.argv[1]))))
