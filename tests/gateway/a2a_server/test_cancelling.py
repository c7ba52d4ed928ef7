"""Repeated cancellation: a2a-sdk swallows the first `CancelledError`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from cardwright.discovery import Part
from cardwright_gateway.a2a_server.handler import Handler
from cardwright_gateway.backends.backend import TurnResult
from cardwright_gateway.errors import UnknownAgent
from tests.gateway.a2a_server.endpoints import ScriptedBackend, a2a_endpoint, message, rpc, sent
from tests.gateway.gateways import gateway

if TYPE_CHECKING:
    from cardwright_gateway.backends.backend import Turn, TurnReporter


class Brief(ScriptedBackend):
    """Backend that answers with a message when `go` is set."""

    async def run(self, turn: Turn, reporter: TurnReporter) -> TurnResult:
        del turn, reporter
        await self._wait()
        return TurnResult((Part("text", "7"),), alone=True)


@pytest.mark.parametrize("times", [1, 2], ids=["once", "twice"])
async def test_a_caller_that_disconnects_before_the_task_exists_does_not_wait(times: int) -> None:
    backend = Brief()
    async with a2a_endpoint(backend, messages=True) as endpoint:
        calling = asyncio.create_task(rpc(endpoint, "SendMessage", {"message": message("which berth")}))
        await backend.waiting.wait()
        before = asyncio.all_tasks()
        for _ in range(times):
            calling.cancel()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        backend.go.set()
        async with asyncio.timeout(30):
            await asyncio.wait({calling})
        assert calling.cancelled()
        assert not [one for one in before if not one.done() and "on_message_send" in repr(one)]


async def test_an_endpoint_closes_though_the_sdk_swallows_the_first_cancellation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = 0

    async def deaf(_: Handler) -> None:
        nonlocal words
        for _time in range(2):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                words += 1

    monkeypatch.setattr(Handler, "aclose", deaf)

    async with asyncio.timeout(30), a2a_endpoint(stop_seconds=0.01) as endpoint:
        await sent(endpoint, "hello")
    assert words == 2


async def test_closing_an_agent_waits_for_its_cancelled_calls() -> None:
    async with gateway() as running:
        agent = running.gateway.agent("greeter")
        begun, cancelled, go = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def calling() -> None:
            with agent.calling(""):
                begun.set()
                try:
                    await asyncio.Event().wait()
                finally:
                    cancelled.set()
                    # As an agent with the gateway's database.
                    await go.wait()

        call = asyncio.create_task(calling())
        await begun.wait()
        closing = asyncio.create_task(agent.close())
        await cancelled.wait()
        for _ in range(20):
            await asyncio.sleep(0)
        assert not closing.done()
        go.set()
        await closing
        assert call.done()
        with pytest.raises(UnknownAgent):
            call.result()
