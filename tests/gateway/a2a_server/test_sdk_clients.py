"""The unmodified a2a-sdk client in front of a listening A2A endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest
from a2a.client import ClientConfig, ClientFactory
from a2a.client.errors import A2AClientError
from a2a.helpers import new_text_message
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    CancelTaskRequest,
    GetTaskRequest,
    Role,
    SendMessageRequest,
    TaskState,
)
from a2a.utils.errors import A2AError, InvalidParamsError, MethodNotFoundError, TaskNotFoundError

from tests.discovery.calling.sdk_agents import serving
from tests.gateway.a2a_server.endpoints import a2a_endpoint

if TYPE_CHECKING:
    from a2a.client import Client

SUPPORTED = [(binding, version) for binding in ("JSONRPC", "HTTP+JSON") for version in ("1.0", "0.3")]


def mounted(endpoint: Any) -> Any:
    """The application at a path of its own, as a gateway mounts it."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await endpoint({**scope, "path": scope["path"].removeprefix("/agents/harbour")}, receive, send)

    return app


def client_of(
    origin: str, binding: str, version: str, client: httpx.AsyncClient, *, streaming: bool
) -> Client:
    interface = AgentInterface(
        url=f"{origin}/agents/harbour", protocol_binding=binding, protocol_version=version
    )
    published = AgentCard(
        name="Harbour",
        version="1.0.0",
        capabilities=AgentCapabilities(streaming=True),
        supported_interfaces=[interface],
    )
    config = ClientConfig(httpx_client=client, streaming=streaming, supported_protocol_bindings=[binding])
    return ClientFactory(config).create(published)


async def forwarded_header(client: Client, text: str) -> list[Any]:
    request = SendMessageRequest(message=new_text_message(text, role=Role.ROLE_USER))
    return [one async for one in client.send_message(request)]


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(("binding", "version"), SUPPORTED)
async def test_an_unmodified_client_sends_streams_reads_and_cancels(
    binding: str, version: str, *, streaming: bool
) -> None:
    async with (
        a2a_endpoint() as endpoint,
        serving(mounted(endpoint)) as origin,
        httpx.AsyncClient() as http,
    ):
        client = client_of(origin, binding, version, http, streaming=streaming)
        received = await forwarded_header(client, "pieces")
        if streaming:
            assert received[0].task.status.state == TaskState.TASK_STATE_WORKING
            assert received[-1].status_update.status.state == TaskState.TASK_STATE_COMPLETED
            task_id = received[0].task.id
        else:
            [only] = received
            task_id = only.task.id
        task = await client.get_task(GetTaskRequest(id=task_id))
        assert task.status.state == TaskState.TASK_STATE_COMPLETED
        assert [part.text for part in task.artifacts[0].parts][:2] == ["berth ", "7"]
        waiting = await forwarded_header(client, "ask")
        waiting_id = waiting[0].task.id
        cancelled = await client.cancel_task(CancelTaskRequest(id=waiting_id))
        assert cancelled.status.state == TaskState.TASK_STATE_CANCELED
        # Its 0.3 REST client reads only the status.
        with pytest.raises((TaskNotFoundError, MethodNotFoundError)):
            await client.get_task(GetTaskRequest(id="none"))
        # By REST it goes by the reasons that A2A itself names.
        with pytest.raises(InvalidParamsError if binding == "JSONRPC" else (A2AError, A2AClientError)):
            await forwarded_header(client, "refuse")


async def test_a_line_separator_in_a_text_does_not_break_a_stream() -> None:
    text = "one\u2028two\u2029three\x85four"

    async with (
        a2a_endpoint() as endpoint,
        serving(mounted(endpoint)) as origin,
        httpx.AsyncClient() as http,
    ):
        client = client_of(origin, "JSONRPC", "1.0", http, streaming=True)
        received = await forwarded_header(client, text)
        [update] = [one.artifact_update for one in received if one.HasField("artifact_update")]
        assert update.artifact.parts[0].text == f"you said {text}"


async def test_a_response_over_http_equals_one_in_process() -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "none"}}
    async with (
        a2a_endpoint() as endpoint,
        serving(mounted(endpoint)) as origin,
        httpx.AsyncClient() as http,
    ):
        for path in ("/agents/harbour", "/agents/harbour/"):
            answer = await http.post(origin + path, json=body, headers={"A2A-Version": "1.0"})
            assert answer.json()["error"]["code"] == -32001
