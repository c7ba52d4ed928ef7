"""A turn that outlives its request keeps the memory budget of the request's body."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from cardwright_gateway.a2a_server import endpoint
from cardwright_gateway.a2a_server.endpoint import A2aServer
from tests.gateway.gateways import JSON, rpc
from tests.gateway.tasks.gateways import Owned, function, message, owned
from tests.gateway.waiting import wait_until
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_gateway.a2a.calls import Call
    from cardwright_gateway.api.bodies import RequestBodies
    from tests.gateway.tasks.gateways import Caller

AGENTS: dict[str, Any] = {
    "slow": function("forever", tasks="own"),
    "memory": function("forever", tasks="pass"),
    "stubborn": function("stubborn", tasks="own"),
    "quick": function("answer", tasks="own", invoke=True),
}
# One caller may take a fourth: one large body, but not two.
FEW_BYTES = {"max_body_bytes": 250_000, "max_bodies_bytes": 1024 * 1024}
LARGE = "a" * 150_000


def _bodies(of: Owned) -> RequestBodies:
    return of.gateway.application.bodies


def _immediate(text: str) -> dict[str, Any]:
    return {**message(text, messageId="m"), "configuration": {"returnImmediately": True}}


def _older(text: str) -> dict[str, Any]:
    sent = {"kind": "message", "messageId": "m", "role": "user", "parts": [{"kind": "text", "text": text}]}
    return {"message": sent, "configuration": {"blocking": False}}


async def _newer_rpc(caller: Caller) -> str:
    reply = await caller.rpc("SendMessage", _immediate(LARGE))
    return str(reply["result"]["task"]["id"])


async def _older_rpc(caller: Caller) -> str:
    reply = await caller.rpc("message/send", _older(LARGE), **{"A2A-Version": "0.3"})
    return str(reply["result"]["id"])


async def _newer_rest(caller: Caller) -> str:
    reply = await caller.at("message:send", _immediate(LARGE))
    return str(reply.json["task"]["id"])


async def _older_rest(caller: Caller) -> str:
    sent = {"messageId": "m", "role": "ROLE_USER", "content": [{"text": LARGE}]}
    reply = await caller.at("v1/message:send", {"request": sent, "configuration": {"blocking": False}})
    return str(reply.json["task"]["id"])


async def _free(bodies: RequestBodies) -> None:
    await wait_until(lambda: not bodies.taken)


@pytest.mark.parametrize("agent_id", ["slow", "memory"])
@pytest.mark.parametrize("begin", [_newer_rpc, _older_rpc, _newer_rest, _older_rest])
async def test_a_running_turn_keeps_the_memory_of_its_body(begin: Callable[..., Any], agent_id: str) -> None:
    async with owned(AGENTS, **FEW_BYTES) as of:
        caller = await of.key(agent_id)
        task_id = await begin(caller)
        assert _bodies(of).taken > len(LARGE)
        text = (await call(of.gateway, "GET", "/metrics")).body.decode()
        assert f"\ncardwright_gateway_body_bytes {float(_bodies(of).taken)}\n" in text
        refused = await caller.at("message:send", _immediate(LARGE))
        assert (refused.status, refused.reason) == (503, "OVERLOADED")
        await caller.rpc("CancelTask", {"id": task_id})
        await _free(_bodies(of))
        assert (await caller.at("message:send", _immediate(LARGE))).status == 200


async def test_a_turn_whose_caller_disconnects_keeps_the_memory_of_its_body() -> None:
    async with owned(AGENTS, **FEW_BYTES) as of:
        caller = await of.key("slow")
        for at_once in (True, False):
            sending = asyncio.ensure_future(caller.send(LARGE, messageId="m"))
            while not _bodies(of).taken or (not at_once and not of.gateway.agent("slow").running):  # noqa: ASYNC110
                await asyncio.sleep(0)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            running = of.gateway.agent("slow").running
            assert bool(_bodies(of).taken) == bool(running)
            assert running or at_once
            for task_id in running:
                await caller.rpc("CancelTask", {"id": task_id})
            await _free(_bodies(of))


async def test_the_memory_is_free_when_a_cancelled_turn_has_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "A2aServer", partial(endpoint.A2aServer, stop_seconds=0.02))

    async with owned(AGENTS, **FEW_BYTES) as of:
        caller = await of.key("stubborn")
        await caller.rpc("CancelTask", {"id": await _newer_rpc(caller)})
        bodies = _bodies(of)
        await _free(bodies)
    assert bodies.taken == 0


async def test_the_memory_is_free_when_the_gateway_is_closed() -> None:
    async with owned(AGENTS, **FEW_BYTES) as of:
        for agent_id in ("slow", "memory"):
            await _newer_rpc(await of.key(agent_id))
        bodies = _bodies(of)
        assert bodies.taken > 2 * len(LARGE)
    assert bodies.taken == 0


async def test_no_memory_is_left_after_errors_of_every_kind() -> None:
    """Each body is released once: a second release would make room that there is not."""

    async with owned(AGENTS, **FEW_BYTES) as of:
        caller, stranger = await of.key("quick"), of.anonymous("quick")
        sent: list[tuple[str, Any]] = [
            ("message:send", message("two words")),
            ("message:send", message("", parts=[{}])),
            ("message:send", message("a", taskId="unknown")),
            ("message:send", message(LARGE * 2)),
            ("message:stream", message("two words")),
            ("v1/message:send", {"request": {"role": "ROLE_USER"}}),
            ("v1/invoke", {"message": "two words"}),
            ("v1/invoke", {"message": 5}),
            ("mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
            ("unknown", {}),
            ("", {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {"message": {}}}),
            ("", {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": {}}}),
            ("", [1]),
        ]
        for path, value in sent * 2:
            for one in (caller, stranger):
                await one.at(path, value, Accept="application/json, text/event-stream")
                assert _bodies(of).taken == 0, (path, value)


async def test_a_running_turn_holds_no_copy_of_its_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its result may come hours later, and nothing reads the request again."""
    calls: list[Call] = []
    answer = A2aServer.answer

    async def noted(self: A2aServer, call: Call, *more: Any) -> None:
        calls.append(call)
        await answer(self, call, *more)

    monkeypatch.setattr(A2aServer, "answer", noted)

    async with owned(AGENTS, **FEW_BYTES) as of:
        caller = await of.key("slow")
        await _newer_rpc(caller)
        await _newer_rest(await of.key("slow"))
        assert [(call.body, call.value) for call in calls] == [(b"", None)] * 2


def test_invalid_params_of_0_3_are_still_described() -> None:
    async def run() -> Any:
        async with owned(AGENTS) as of:
            caller = await of.key("quick")
            body = rpc("message/send", {"message": {"role": "user"}})
            headers = {**JSON, **caller.credentials, "A2A-Version": "0.3"}
            return (await call(of.gateway, "POST", "/quick", headers, body=body)).json

    error = asyncio.run(run())["error"]
    assert error["code"] == -32602
