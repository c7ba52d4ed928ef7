"""The client of a2a-sdk 1.x; `version` is the version of A2A that it uses."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import httpx
import scenario
from a2a.client import A2ACardResolver, ClientCallContext, ClientConfig, ClientFactory
from a2a.helpers import get_message_text, new_text_message
from a2a.types import (
    AgentCard,
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetExtendedAgentCardRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
    TaskState,
)


def state(value: int) -> str:
    return TaskState.Name(value).removeprefix("TASK_STATE_").lower()


def request(text: str) -> SendMessageRequest:
    return SendMessageRequest(message=new_text_message(text, role=Role.ROLE_USER))


class Sdk:
    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.http = httpx.AsyncClient(timeout=30)
        # A2A 0.3 has no method for it over JSON-RPC.
        self.absent = ("list tasks",) if given["version"] == "0.3" else ()

    async def client(self, binding: str = "JSONRPC", *, streaming: bool = False, url: str = "") -> Any:
        card = await A2ACardResolver(self.http, url or self.given["base"]).get_agent_card()
        only = AgentCard()
        only.CopyFrom(card)
        del only.supported_interfaces[:]
        only.supported_interfaces.extend(
            one
            for one in card.supported_interfaces
            if one.protocol_binding == binding and one.protocol_version.startswith(self.given["version"])
        )
        config = ClientConfig(
            httpx_client=self.http,
            streaming=streaming,
            supported_protocol_bindings=[binding],
            grpc_channel_factory=grpc.aio.insecure_channel,
        )
        return ClientFactory(config).create(only)

    def key(self) -> ClientCallContext:
        return ClientCallContext(service_parameters={"X-Agent-API-Key": self.given["key"]})

    async def card(self) -> str:
        return (await A2ACardResolver(self.http, self.given["base"]).get_agent_card()).name

    async def send(self, text: str, binding: str = "JSONRPC") -> str:
        client = await self.client(binding)
        [reply] = [one async for one in client.send_message(request(text))]
        if binding == "GRPC":
            await client.close()
        return get_message_text(reply.message)

    async def stream(self, text: str) -> list[str]:
        updates = []
        async for one in (await self.client(streaming=True)).send_message(request(text)):
            match one.WhichOneof("payload"):
                case "task":
                    updates += [one.task.id, state(one.task.status.state)]
                case "status_update":
                    updates.append(state(one.status_update.status.state))
                case "artifact_update":
                    updates += [part.text for part in one.artifact_update.artifact.parts]
        return updates

    async def open(self) -> str:
        [reply] = [one async for one in (await self.client()).send_message(request("ask"))]
        return reply.task.id

    async def get(self, task_id: str) -> tuple[str, str]:
        task = await (await self.client()).get_task(GetTaskRequest(id=task_id))
        return state(task.status.state), "".join(p.text for one in task.artifacts for p in one.parts)

    async def list(self) -> tuple[str, list[str]]:
        client = await self.client(url=self.given["kept"])
        [reply] = [one async for one in client.send_message(request("ask"), context=self.key())]
        listed = await client.list_tasks(ListTasksRequest(), context=self.key())
        return reply.task.id, [one.id for one in listed.tasks]

    async def cancel(self, task_id: str) -> str:
        return state((await (await self.client()).cancel_task(CancelTaskRequest(id=task_id))).status.state)

    async def resubscribe(self) -> str:
        client = await self.client(streaming=True)
        stream = client.send_message(request("wait"))
        task_id = (await anext(stream)).task.id
        await stream.aclose()
        again = client.subscribe(SubscribeToTaskRequest(id=task_id))
        assert (await anext(again)).task.id == task_id, "no snapshot of the task"
        await self.cancel(task_id)
        *_, last = [one async for one in again]
        return state(last.status_update.status.state)

    async def push_set(self, task_id: str, url: str) -> str:
        stored = await (await self.client()).create_task_push_notification_config(
            TaskPushNotificationConfig(task_id=task_id, id="hook", url=url)
        )
        return stored.id

    async def push_get(self, task_id: str, config_id: str) -> str:
        stored = await (await self.client()).get_task_push_notification_config(
            GetTaskPushNotificationConfigRequest(task_id=task_id, id=config_id)
        )
        return stored.url

    async def push_list(self, task_id: str) -> list[str]:
        stored = await (await self.client()).list_task_push_notification_configs(
            ListTaskPushNotificationConfigsRequest(task_id=task_id)
        )
        return [one.url for one in stored.configs]

    async def push_delete(self, task_id: str, config_id: str) -> None:
        await (await self.client()).delete_task_push_notification_config(
            DeleteTaskPushNotificationConfigRequest(task_id=task_id, id=config_id)
        )

    async def extended(self) -> str:
        client = await self.client(url=self.given["kept"])
        card = await client.get_extended_agent_card(GetExtendedAgentCardRequest(), context=self.key())
        return card.description


if __name__ == "__main__":
    asyncio.run(scenario.main("a2a-sdk", Sdk))
