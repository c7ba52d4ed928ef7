"""Unmodified SDK clients in front of a gateway with A2A agents, MCP servers and a function."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.helpers import get_message_text, new_data_part, new_message, new_text_message
from a2a.types import (
    AgentCard,
    CancelTaskRequest,
    GetExtendedAgentCardRequest,
    GetTaskRequest,
    ListTasksRequest,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskState,
)
from a2a.utils.errors import A2AError, MethodNotFoundError, TaskNotFoundError

from tests.gateway.processes import AGENTS, OLD_SDK, ROOT, Process, before, old_python, process
from tests.oracles.signers import JS
from tests.oracles.signers import peer as js_peer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from a2a.client import Client

EXAMPLES = ROOT / "examples" / "gateway"
SUPPORTED = [(binding, version) for binding in ("JSONRPC", "HTTP+JSON") for version in ("1.0", "0.3")]


@pytest.fixture(scope="module")
def modern() -> Iterator[Process]:
    with process(AGENTS / "all_features.py") as peer:
        yield peer


@pytest.fixture(scope="module")
def old() -> Iterator[Process]:
    with process(OLD_SDK / "agent.py", python=old_python()) as peer:
        yield peer


@pytest.fixture(scope="module")
def weather() -> Iterator[Process]:
    with process(EXAMPLES / "weather.py") as peer:
        yield peer


async def client_of(
    url: str, http: httpx.AsyncClient, binding: str, version: str, *, streaming: bool
) -> Client:
    """Return the client for a card as it is served, with all interfaces but one left out."""
    card = await A2ACardResolver(http, url).get_agent_card()
    kept = [
        one
        for one in card.supported_interfaces
        if one.protocol_binding == binding and one.protocol_version.startswith(version)
    ]
    assert [one.url for one in kept] == [url]
    only = AgentCard()
    only.CopyFrom(card)
    del only.supported_interfaces[:]
    only.supported_interfaces.extend(kept)
    config = ClientConfig(httpx_client=http, streaming=streaming, supported_protocol_bindings=[binding])
    return ClientFactory(config).create(only)


async def forwarded_header(client: Client, text: str, task_id: str = "", context_id: str = "") -> list[Any]:
    message = new_text_message(
        text, role=Role.ROLE_USER, task_id=task_id or None, context_id=context_id or None
    )
    return [one async for one in client.send_message(SendMessageRequest(message=message))]


async def check_calls(client: Client, *, streaming: bool) -> None:
    """Send, stream, read, continue, cancel, and request an unknown task."""
    [message] = await forwarded_header(client, "good day")
    assert get_message_text(message.message) == "you said good day"
    updates = await forwarded_header(client, "task")
    assert len(updates) == (6 if streaming else 1)
    task = await client.get_task(GetTaskRequest(id=updates[0].task.id))
    assert task.status.state == TaskState.TASK_STATE_COMPLETED
    assert [part.text for one in task.artifacts for part in one.parts][:2] == ["high ", "water"]
    [waiting, *_] = await forwarded_header(client, "ask")
    last = (await forwarded_header(client, "Husum", waiting.task.id, waiting.task.context_id))[-1]
    status = last.status_update.status if streaming else last.task.status
    assert status.state == TaskState.TASK_STATE_COMPLETED
    assert get_message_text(status.message) == "so it is Husum"
    [waiting, *_] = await forwarded_header(client, "ask")
    cancelled = await client.cancel_task(CancelTaskRequest(id=waiting.task.id))
    assert cancelled.status.state == TaskState.TASK_STATE_CANCELED
    # Its 0.3 REST client reads only the status.
    with pytest.raises((TaskNotFoundError, MethodNotFoundError)):
        await client.get_task(GetTaskRequest(id="none"))


async def check_resubscribes(client: Client) -> None:
    """Leave a stream, resubscribe to its task, and cancel it by another call."""
    message = new_text_message("wait", role=Role.ROLE_USER)
    stream = client.send_message(SendMessageRequest(message=message))
    first = await anext(stream)
    task_id = first.task.id
    await stream.aclose()  # type: ignore[attr-defined] # it is a generator
    again = client.subscribe(SubscribeToTaskRequest(id=task_id))
    assert (await anext(again)).task.id == task_id
    cancelled = await client.cancel_task(CancelTaskRequest(id=task_id))
    assert cancelled.status.state == TaskState.TASK_STATE_CANCELED
    events = await _all(again)
    assert events[-1].status_update.status.state == TaskState.TASK_STATE_CANCELED


async def _all(stream: Any) -> list[Any]:
    return [one async for one in stream]


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(("binding", "version"), SUPPORTED)
@pytest.mark.process
async def test_a2a_sdk_1_3_client_calls_a_1_3_agent(
    modern: Process, binding: str, version: str, *, streaming: bool
) -> None:
    async with before({"tides": {"url": modern.origin}}) as gateway, httpx.AsyncClient() as http:
        client = await client_of(gateway.at("tides"), http, binding, version, streaming=streaming)
        await check_calls(client, streaming=streaming)
        if streaming:
            await check_resubscribes(client)
        if version == "1.0":
            listed = await client.list_tasks(ListTasksRequest(page_size=2))
            assert len(listed.tasks) == 2
        else:
            with pytest.raises((A2AError, NotImplementedError)):
                await client.list_tasks(ListTasksRequest())


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("binding", ["JSONRPC", "HTTP+JSON"])
@pytest.mark.process
async def test_a2a_sdk_1_3_client_calls_a_0_3_agent(old: Process, binding: str, *, streaming: bool) -> None:
    async with before({"tides": {"url": old.origin}}) as gateway, httpx.AsyncClient() as http:
        client = await client_of(gateway.at("tides"), http, binding, "0.3", streaming=streaming)
        # Its agents send no further events to a new subscriber.
        await check_calls(client, streaming=streaming)


@pytest.mark.parametrize(("binding", "version"), SUPPORTED)
@pytest.mark.process
async def test_the_extended_card_has_the_gateways_url(modern: Process, binding: str, version: str) -> None:
    async with before({"tides": {"url": modern.origin}}) as gateway, httpx.AsyncClient() as http:
        client = await client_of(gateway.at("tides"), http, binding, version, streaming=False)
        card = await client.get_extended_agent_card(GetExtendedAgentCardRequest())
        assert [skill.id for skill in card.skills] == ["high", "low"]
        assert {one.url for one in card.supported_interfaces} == {gateway.at("tides")}


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(("binding", "version"), SUPPORTED)
@pytest.mark.process
async def test_a2a_sdk_1_3_client_calls_mcp_servers_and_a_function(
    weather: Process, binding: str, version: str, *, streaming: bool
) -> None:
    backend = {"type": "stdio", "command": sys.executable, "args": [str(EXAMPLES / "harbour.py")]}
    agents = {
        "harbour": {"protocol": "mcp", "transport": backend, "start_seconds": 30},
        "weather": {"protocol": "mcp", "url": f"{weather.origin}/mcp", "start_seconds": 30},
        "greeter": {
            "protocol": "managed",
            "card": json.loads((EXAMPLES / "greeter.card.json").read_bytes()),
            "backend": {"python": "examples.gateway.greeter:answer"},
        },
    }

    async with before(agents) as gateway, httpx.AsyncClient(timeout=30) as http:
        for name, text, answer in (
            ("weather", "German Bight", "German Bight: west 4, good."),
            ("greeter", "one two three", "Good day! You wrote 3 words."),
        ):
            client = await client_of(gateway.at(name), http, binding, version, streaming=streaming)
            assert answer in str(await forwarded_header(client, text))
        client = await client_of(gateway.at("harbour"), http, binding, version, streaming=streaming)
        part = new_data_part({"skill": "berth", "arguments": {"ship": "Anna"}})
        message = new_message([part], role=Role.ROLE_USER)
        responses = await _all(client.send_message(SendMessageRequest(message=message)))
        task = await client.get_task(GetTaskRequest(id=responses[0].task.id))
        assert task.status.state == TaskState.TASK_STATE_COMPLETED
        assert "Anna lies at berth 12." in str(task.artifacts)


async def _run(*command: str, stdin: bytes = b"", cwd: Any = None) -> Any:
    """Run a program that prints its results as JSON."""
    program = await asyncio.create_subprocess_exec(
        *command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, errors = await program.communicate(stdin)
    assert program.returncode == 0, errors.decode()
    return json.loads(out)


@pytest.mark.parametrize(
    ("agent", "binding", "streaming"),
    [
        ("old", "JSONRPC", "yes"),
        ("old", "HTTP+JSON", "yes"),
        ("old", "HTTP+JSON", "no"),
        ("modern", "JSONRPC", "yes"),
        ("modern", "JSONRPC", "no"),
    ],
)
@pytest.mark.process
async def test_a2a_sdk_0_3_client_gets_the_same_responses_through_the_gateway(
    request: pytest.FixtureRequest, agent: str, binding: str, streaming: str
) -> None:
    python = str(old_python())
    origin = request.getfixturevalue(agent).origin
    program = str(OLD_SDK / "client.py")

    async with before({"tides": {"url": origin}}) as gateway:
        straight = await _run(python, program, origin, binding, streaming)
        through = await _run(python, program, gateway.at("tides"), binding, streaming)
    assert through.pop("urls") == [gateway.at("tides")]
    for url in sorted(straight.pop("urls"), key=len, reverse=True):
        straight["unknown"] = straight["unknown"].replace(url.rstrip("/"), gateway.at("tides"))
    assert through == straight
    assert (through["state"], through["cancelled"]) == ("completed", "canceled")


@pytest.mark.parametrize("binding", ["JSONRPC", "HTTP+JSON"])
@pytest.mark.parametrize("agent", ["old", "modern"])
@pytest.mark.process
async def test_the_javascript_client_calls_agents_through_a_gateway(
    request: pytest.FixtureRequest, agent: str, binding: str
) -> None:
    js_peer()
    origin = request.getfixturevalue(agent).origin
    version = "1.0" if agent == "modern" else "0.3"

    async with before({"tides": {"url": origin}}) as gateway:
        settings = json.dumps({"base": gateway.at("tides"), "binding": binding, "version": version}).encode()
        seen = await _run("node", "call.mjs", stdin=settings, cwd=JS)
    assert seen == {
        "message": "you said good day",
        "events": 6,
        "state": "TASK_STATE_COMPLETED",
        "cancelled": "TASK_STATE_CANCELED",
        "refused": seen["refused"],
    }
    assert "not found" in seen["refused"].lower()
