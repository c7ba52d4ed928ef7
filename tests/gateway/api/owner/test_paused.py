"""Paused agents and keys: no new turn starts, and running ones finish."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.gateway.api.owner.gateways import owned as owner_api
from tests.gateway.tasks.gateways import function, message, owned

if TYPE_CHECKING:
    from cardwright_gateway import Gateway
    from tests.gateway.tasks.gateways import Caller

NOTHING = (200, None)
GOES_ON = asyncio.Event()


async def slow(text: str) -> str:
    """Answer when the test says so."""
    await GOES_ON.wait()
    return text


def pause(gateway: Gateway, *, paused: bool) -> None:
    gateway.accounts.states.set_paused("greeter", "acme", paused=paused, actor="test")


async def sent(caller: Caller, way: str) -> tuple[int, str, str | None]:
    """Send a message; return the status, the reason and Retry-After."""
    if way == "invoke":
        reply = await caller.at("v1/invoke", {"message": "hi"})
    elif way == "rest":
        reply = await caller.at("message:send", message("hi"))
    else:
        body = {"jsonrpc": "2.0", "id": 1, "method": way, "params": message("hi")}
        reply = await caller.at("", body)
    error = reply.json.get("error", {})
    details: Any = error.get("details", error.get("data", [{}]))
    return reply.status, details[0].get("reason", ""), reply.headers.get("retry-after")


@pytest.mark.parametrize("way", ["SendMessage", "SendStreamingMessage", "rest", "invoke"])
async def test_a_paused_agent_starts_no_turn(way: str) -> None:
    async with owned({"greeter": function("answer", invoke=True)}) as gateway:
        caller = await gateway.key("greeter")
        pause(gateway.gateway, paused=True)
        assert await sent(caller, way) == (503, "AGENT_PAUSED", "60")
        pause(gateway.gateway, paused=False)
        if way != "SendStreamingMessage":
            assert (await sent(caller, way))[0] == 200


@pytest.mark.parametrize("way", ["SendMessage", "rest", "invoke"])
async def test_a_paused_key_starts_no_turn_and_another_key_does(way: str) -> None:
    async with owned({"greeter": function("answer", invoke=True)}) as gateway:
        caller, other = await gateway.key("greeter"), await gateway.key("greeter")
        keys = gateway.gateway.keys
        paused_id = next(
            key.id
            for key in keys.list("greeter")
            if caller.credentials["X-Agent-API-Key"].startswith(key.prefix)
        )
        keys.change(paused_id, holder="greeter", actor="test", paused=True)
        assert await sent(caller, way) == (503, "AGENT_PAUSED", "60")
        assert (await sent(other, way))[0] == 200


async def test_running_tasks_of_a_paused_agent_finish_and_can_be_read() -> None:
    GOES_ON.clear()
    agent = function("answer") | {"backend": {"python": f"{__name__}:slow"}}
    async with owned({"greeter": agent}) as gateway:
        caller = await gateway.key("greeter")
        immediately = {**message("hi"), "configuration": {"returnImmediately": True}}
        task = (await caller.rpc("SendMessage", immediately))["result"]["task"]
        pause(gateway.gateway, paused=True)
        following = asyncio.ensure_future(caller.follow(task["id"]))
        await asyncio.sleep(0)
        GOES_ON.set()
        await following
        read = (await caller.rpc("GetTask", {"id": task["id"]}))["result"]
        assert read["status"]["state"] == "TASK_STATE_COMPLETED"


async def test_an_owner_pauses_an_agent_of_the_file_and_sees_the_time() -> None:
    async with owner_api() as gateway:
        paused = await gateway.ask("PATCH", "/agents/greeter", {"paused": True})
        assert paused.status == 200
        assert paused.json["paused_at"].endswith("Z")
        assert (await gateway.ask("GET", "/agents/greeter")).json["paused_at"] == paused.json["paused_at"]
        resumed = await gateway.ask("PATCH", "/agents/greeter", {"paused": False})
        assert resumed.json["paused_at"] is None
        assert (await gateway.ask("PATCH", "/agents/bos", {"paused": True})).status == 404
        assert (await gateway.ask("PATCH", "/agents/greeter", {})).status == 400


async def test_an_owner_changes_a_key_over_the_api() -> None:
    async with owner_api() as gateway:
        key = (await gateway.ask("POST", "/agents/greeter/keys", {"name": "a"})).json["id"]
        path = f"/agents/greeter/keys/{key}"
        changed = await gateway.ask(
            "PATCH", path, {"name": "b", "quota": {"requests": 1, "seconds": 2}, "paused": True}
        )
        assert (changed.status, changed.json["name"], changed.json["quota"]) == (
            200,
            "b",
            {"requests": 1, "seconds": 2},
        )
        assert changed.json["paused_at"].endswith("Z")
        freed = await gateway.ask("PATCH", path, {"quota": None, "expires_at": None})
        assert (freed.json["quota"], freed.json["expires_at"]) == (None, None)
        for wrong in (
            {},
            {"quota": 1},
            {"expires_at": "2001-01-01T00:00:00Z"},
            {"name": "\u0007"},
            {"secret": "x"},
        ):
            assert (await gateway.ask("PATCH", path, wrong)).status == 400
        rotated = await gateway.ask("POST", f"{path}/rotate", {"overlap_seconds": 60})
        assert rotated.json["previous_until"].endswith("Z")
        assert (await gateway.ask("POST", f"{path}/rotate", {"overlap_seconds": -1})).status == 400
        await gateway.ask("DELETE", path)
        assert (await gateway.ask("PATCH", path, {"name": "c"})).status == 409
