"""Tasks without a running call in this process: cancellation, subscription and messages."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from tests.gateway.tasks.gateways import (
    agent_at,
    message,
    owned,
    start_upstream_task,
    state_upstream,
    upstream_task_id,
)
from tests.gateway.tasks.test_task_webhooks import receiving, webhook_settings

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright_gateway import Gateway
    from tests.gateway.processes import Process

CANCELED = "TASK_STATE_CANCELED"


@dataclass(frozen=True)
class Noting:
    """A gateway that sets an event when a response has its first bytes."""

    gateway: Gateway
    started: asyncio.Event

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def noting(part: Any) -> None:
            await send(part)
            if part.get("body"):
                self.started.set()

        await self.gateway(scope, receive, noting)


@pytest.mark.process
async def test_cancelling_an_idle_task_reaches_the_upstream_agent_and_webhook(
    upstream_agent: Process, tmp_path: Path
) -> None:
    async for receiver in receiving():
        more = {**webhook_settings(receiver), "store": str(tmp_path / "gateway.db")}
        configuration = {"taskPushNotificationConfig": {"url": receiver.url}}
        async with owned({"tides": agent_at(upstream_agent)}, **more) as first:
            caller = await first.key("tides")
            answer = await caller.rpc("SendMessage", {**message("ask"), "configuration": configuration})
            task = answer["result"]["task"]
            async with asyncio.timeout(20):
                assert b"INPUT_REQUIRED" in (await receiver.heard.get())[1]
        async with owned({"tides": agent_at(upstream_agent)}, **more) as second:
            again = type(caller)(second.gateway, "tides", caller.credentials)
            cancelled = (await again.rpc("CancelTask", {"id": task["id"]}))["result"]
            assert cancelled["status"]["state"] == CANCELED
            assert time_of(cancelled) > time_of(task)
            # No call waits for the response any more.
            assert "message" not in cancelled["status"]
            assert cancelled["history"][-1] == task["status"]["message"]
            upstream = await upstream_task_id(second, task["id"])
            assert await state_upstream(upstream_agent, "GetTask", upstream) == CANCELED
            async with asyncio.timeout(20):
                assert CANCELED.encode() in (await receiver.heard.get())[1]


def time_of(task: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(task["status"]["timestamp"])


@pytest.mark.process
async def test_a_task_started_before_a_restart_is_followed_to_its_end(
    upstream_agent: Process, tmp_path: Path
) -> None:
    store = str(tmp_path / "gateway.db")
    async with owned({"tides": agent_at(upstream_agent)}, store=store) as first:
        caller, task_id, upstream = await start_upstream_task(first)
    async with owned({"tides": agent_at(upstream_agent)}, store=store) as second:
        again = type(caller)(second.gateway, "tides", caller.credentials)
        # Another turn would begin beside the one that goes on.
        refused = await again.rpc("SendMessage", message("more", taskId=task_id))
        assert refused["error"]["code"] == -32004
        started = asyncio.Event()
        follower: Any = Noting(second.gateway, started)
        following = asyncio.create_task(type(caller)(follower, "tides", caller.credentials).follow(task_id))
        await asyncio.wait(
            {asyncio.create_task(started.wait()), following}, return_when=asyncio.FIRST_COMPLETED
        )
        await state_upstream(upstream_agent, "CancelTask", upstream)
        events = await following
        assert events[0]["task"]["id"] == task_id
        assert events[-1]["statusUpdate"]["status"]["state"] == CANCELED
