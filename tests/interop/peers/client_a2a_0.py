"""The client of a2a-sdk 0.3."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import httpx
import scenario
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.helpers import create_text_message_object
from a2a.types import (
    GetTaskPushNotificationConfigParams,
    Message,
    PushNotificationConfig,
    TaskArtifactUpdateEvent,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
    TaskStatusUpdateEvent,
)


class Sdk:
    # Its client has no methods for them.
    absent = ("list tasks", "push list", "push delete")

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.http = httpx.AsyncClient(timeout=30)

    async def client(
        self, binding: str = "JSONRPC", *, streaming: bool = False, url: str = "", http: Any = None
    ) -> Any:
        used = http or self.http
        card = await A2ACardResolver(used, url or self.given["base"]).get_agent_card()
        config = ClientConfig(
            httpx_client=used,
            streaming=streaming,
            supported_transports=[binding],
            use_client_preference=True,
            grpc_channel_factory=grpc.aio.insecure_channel,
        )
        return ClientFactory(config).create(card)

    async def send_text(self, client: Any, text: str) -> list[Any]:
        return [one async for one in client.send_message(create_text_message_object(content=text))]

    async def card(self) -> str:
        return (await A2ACardResolver(self.http, self.given["base"]).get_agent_card()).name

    async def send(self, text: str, binding: str = "JSONRPC") -> str:
        client = await self.client(binding)
        [reply] = await self.send_text(client, text)
        if binding == "GRPC":
            await client.close()
        assert isinstance(reply, Message), "no message"
        return reply.parts[0].root.text

    async def stream(self, text: str) -> list[str]:
        updates: list[str] = []
        client = await self.client(streaming=True)
        # It appends later chunks to the objects of earlier events.
        async for task, update in client.send_message(create_text_message_object(content=text)):
            updates = updates or [task.id]
            if isinstance(update, TaskStatusUpdateEvent):
                updates.append(update.status.state.value)
            elif isinstance(update, TaskArtifactUpdateEvent):
                updates += [part.root.text for part in update.artifact.parts]
            else:
                updates.append(task.status.state.value)
        return updates

    async def open(self) -> str:
        [(task, _)] = await self.send_text(await self.client(), "ask")
        return task.id

    async def get(self, task_id: str) -> tuple[str, str]:
        task = await (await self.client()).get_task(TaskQueryParams(id=task_id))
        parts = [part.root.text for one in task.artifacts or [] for part in one.parts]
        return task.status.state.value, "".join(parts)

    async def cancel(self, task_id: str) -> str:
        return (await (await self.client()).cancel_task(TaskIdParams(id=task_id))).status.state.value

    async def resubscribe(self) -> str:
        client = await self.client(streaming=True)
        stream = client.send_message(create_text_message_object(content="wait"))
        task_id = (await anext(stream))[0].id
        await stream.aclose()
        again = client.resubscribe(TaskIdParams(id=task_id))
        assert (await anext(again))[0].id == task_id, "no snapshot of the task"
        await self.cancel(task_id)
        *_, (task, _) = [one async for one in again]
        return task.status.state.value

    async def push_set(self, task_id: str, url: str) -> str:
        stored = await (await self.client()).set_task_callback(
            TaskPushNotificationConfig(
                task_id=task_id, push_notification_config=PushNotificationConfig(id="hook", url=url)
            )
        )
        return stored.push_notification_config.id

    async def push_get(self, task_id: str, config_id: str) -> str:
        stored = await (await self.client()).get_task_callback(
            GetTaskPushNotificationConfigParams(id=task_id, push_notification_config_id=config_id)
        )
        return stored.push_notification_config.url

    async def extended(self) -> str:
        async with httpx.AsyncClient(timeout=30, headers={"X-Agent-API-Key": self.given["key"]}) as http:
            client = await self.client(url=self.given["kept"], http=http)
            return (await client.get_card()).description


if __name__ == "__main__":
    asyncio.run(scenario.main("a2a-sdk", Sdk))
