"""Broken streams: the last event has the form of each binding and version."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from a2a.compat.v0_3.a2a_v0_3_pb2 import StreamResponse
from google.protobuf.json_format import Parse  # type: ignore[import-untyped] # it has no stubs

from cardwright_gateway.a2a_server.memory_store import MemoryTaskStore
from cardwright_gateway.a2a_server.stores import TaskStores
from tests.gateway.a2a_server.endpoints import a2a_endpoint, events, message, old_message, posted
from tests.gateway.faulty_agents import CARD, card
from tests.gateway.processes import OLD_SDK, before, in_process, old_python
from tests.peers import raw_peer
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from a2a.server.context import ServerCallContext
    from a2a.types.a2a_pb2 import Task

IDS = {"id": "t-1", "contextId": "c-1"}
TASKS: dict[bool, dict[str, Any]] = {
    True: {"jsonrpc": "2.0", "id": "of the agent", "result": {**IDS, "kind": "task", "status": {"state": "working"}}},
    False: {"task": {**IDS, "status": {"state": "TASK_STATE_WORKING"}}},
}  # fmt: skip
ERRORS: dict[bool, dict[str, Any]] = {
    True: {"jsonrpc": "2.0", "id": "of the agent", "error": {"code": -32001, "message": "at db.internal"}},
    False: {"code": -32001, "message": "at db.internal"},
}


def agent(*, breaks: bool) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    """An agent whose streams break after the first event, or go on with an error."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if CARD.encode() in head:
            host = head.lower().split(b"host: ")[1].split(b"\r\n")[0].decode()
            body, kind = json.dumps(card(f"http://{host}")).encode(), b"application/json"
        else:
            rpc = b" /v1/" not in head
            error = (
                (b"" if rpc else b"event: error\n") + b"data: " + json.dumps(ERRORS[rpc]).encode() + b"\n\n"
            )
            body, kind = b"data: " + json.dumps(TASKS[rpc]).encode() + b"\n\n", b"text/event-stream"
            body += b"" if breaks else error
        length = len(body) + (9 if breaks and kind == b"text/event-stream" else 0)
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: " + kind)
        writer.write(b"\r\nContent-Length: %d\r\n\r\n" % length + body)
        await writer.drain()

    return serve


@pytest.mark.parametrize(
    ("breaks", "text", "code", "reason"),
    [
        (True, "the agent cannot be reached", 502, "UPSTREAM_UNREACHABLE"),
        (False, "Task not found", -32001, None),
    ],
)
def test_the_last_event_of_rest_0_3_is_a_final_update_of_the_task(
    breaks: bool,  # noqa: FBT001 - of the parametrization
    text: str,
    code: int,
    reason: str | None,
) -> None:
    async def run() -> bytes:
        async with (
            raw_peer(agent(breaks=breaks)) as there,
            in_process({"tides": {"url": there.origin}}) as gateway,
        ):
            path, body = "/agents/tides/v1/message:stream", b"{}"
            return (await call(gateway, "POST", path, {"A2A-Version": "0.3"}, body=body)).body

    first, last = asyncio.run(run()).decode().removesuffix("\n\n").split("\n\n")
    assert json.loads(first.removeprefix("data: ")) == TASKS[False]
    name, _, data = last.partition("\n")
    assert name == "event: error"
    # The client of a2a-sdk 0.3 fails on any unknown field.
    Parse(data.removeprefix("data: "), StreamResponse())
    update = json.loads(data.removeprefix("data: "))["statusUpdate"]
    assert (update["taskId"], update["contextId"], update["final"]) == ("t-1", "c-1", True)
    assert update["status"]["state"] == "TASK_STATE_UNSPECIFIED"
    assert update["status"]["message"]["content"] == [{"text": text}]
    assert update["metadata"] == {"code": code, **({"reason": reason} if reason else {})}


@pytest.mark.process
@pytest.mark.parametrize("breaks", [True, False])
async def test_the_client_of_a2a_sdk_0_3_reads_the_end_of_a_stream(*, breaks: bool) -> None:
    python = str(old_python())
    text = "the agent cannot be reached" if breaks else "Task not found"

    async with (
        raw_peer(agent(breaks=breaks)) as there,
        before({"tides": {"url": there.origin}}) as gateway,
    ):
        client = await asyncio.create_subprocess_exec(
            python, str(OLD_SDK / "streaming.py"), gateway.at("tides"), stdout=asyncio.subprocess.PIPE
        )
        out, _ = await client.communicate()
        assert client.returncode == 0
        seen: list[Any] = json.loads(out)
    over_rpc, over_rest = (update[at : at + 2] for update in [seen] for at in (0, 2))
    for update in over_rpc:
        assert update["kinds"] == ["task"]
        assert text in update["error"]
    for update in over_rest:
        assert update == {
            "kinds": ["task", "status-update"], "ids": ["t-1", "c-1"], "state": "unknown", "final": True, "text": text,
        }  # fmt: skip


class Failing(MemoryTaskStore):
    """A store that fails when a task is saved for the second time."""

    def __init__(self) -> None:
        super().__init__(10, 60.0, lambda: 0.0)
        self.saved = 0

    async def save(self, task: Task, context: ServerCallContext) -> None:
        self.saved += 1
        if self.saved > 1:
            raise RuntimeError("the disk is at /srv/internal")
        await super().save(task, context)


STREAMS: dict[str, tuple[str, dict[str, str], Any]] = {
    "JSONRPC 1.0": ("/", {"A2A-Version": "1.0"}, {"jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage", "params": {"message": message("pieces")}}),
    "JSONRPC 0.3": ("/", {}, {"jsonrpc": "2.0", "id": 1, "method": "message/stream", "params": {"message": old_message("pieces")}}),
    "HTTP+JSON 1.0": ("/message:stream", {"A2A-Version": "1.0"}, {"message": message("pieces")}),
    "HTTP+JSON 0.3": ("/v1/message:stream", {}, {"message": {"messageId": "m-1", "role": "ROLE_USER", "content": [{"text": "pieces"}]}}),
}  # fmt: skip


@pytest.mark.parametrize("kind", STREAMS)
def test_a_stream_of_a_managed_agent_that_breaks_ends_with_an_error(kind: str) -> None:
    url, headers, body = STREAMS[kind]

    async def run() -> list[Any]:
        stores = TaskStores(Failing(), check_size=None)
        async with a2a_endpoint(keeping=lambda: stores) as endpoint:
            reply = await posted(endpoint, json.dumps(body).encode(), headers, url=url)
            assert b"internal" not in reply.body
            return events(reply)

    last = asyncio.run(run())[-1]
    if kind == "HTTP+JSON 0.3":
        assert last["statusUpdate"]["final"] is True
        assert last["statusUpdate"]["metadata"]["reason"] == "INTERNAL_ERROR"
    else:
        error = last["error"]
        assert error.get("data", error.get("details"))[0]["reason"] == "INTERNAL_ERROR"
