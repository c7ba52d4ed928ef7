"""Backends that answer with a message: the caller gets no task unless it needs one (A2A 1.0 §3.1.1)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.discovery import Part
from cardwright_gateway.backends.backend import TurnResult
from tests.gateway.a2a_server.endpoints import AsgiEndpoint, ScriptedBackend, card, events, message, rest, rpc

if TYPE_CHECKING:
    from cardwright_gateway.backends.backend import Turn, TurnReporter


class Speaking(ScriptedBackend):
    """Backend that answers with a message, perhaps after a report."""

    async def run(self, turn: Turn, reporter: TurnReporter) -> TurnResult:
        match turn.parts[0].value:
            case "late":
                await self.go.wait()
            case "told":
                await reporter.parts(())
            case _:
                pass
        return TurnResult((Part("text", "here I am"),), alone=True)


def endpoint(
    backend: ScriptedBackend | None = None, *, messages: bool = True, **settings: Any
) -> AsgiEndpoint:
    return AsgiEndpoint(backend or Speaking(), card(), agent_id="harbour", messages=messages, **settings)


def send(text: str, made: AsgiEndpoint | None = None, **configuration: Any) -> Any:
    async def run() -> Any:
        running = made or endpoint()
        try:
            params = {"message": message(text), "configuration": configuration}
            return (await rpc(running, "SendMessage", params))["result"]
        finally:
            await running.close()

    return asyncio.run(run())


def test_a_message_response_names_no_task() -> None:
    message_reply = send("hello")["message"]
    assert message_reply["parts"] == [{"text": "here I am"}]
    assert message_reply["role"] == "ROLE_AGENT"
    assert message_reply["contextId"]
    assert "taskId" not in message_reply


def test_the_stream_of_a_message_response_has_one_event() -> None:
    async def run() -> list[Any]:
        running = endpoint()
        try:
            return events(await rest(running, "POST", "/message:stream", {"message": message("hello")}))
        finally:
            await running.close()

    (event,) = asyncio.run(run())
    assert event["message"]["parts"] == [{"text": "here I am"}]


def test_without_the_messages_setting_every_response_is_a_task() -> None:
    task = send("hello", endpoint(messages=False))["task"]
    assert task["status"]["state"] == "TASK_STATE_COMPLETED"
    assert task["artifacts"][0]["parts"] == [{"text": "here I am"}]


def test_a_turn_that_reports_parts_is_a_task() -> None:
    task = send("told")["task"]
    assert task["artifacts"][0]["parts"] == [{"text": "here I am"}]
    assert task["history"][0]["parts"] == [{"text": "told"}]


def test_return_immediately_gives_a_task_at_once() -> None:
    assert send("late", returnImmediately=True)["task"]["status"]["state"] in (
        "TASK_STATE_SUBMITTED",
        "TASK_STATE_WORKING",
    )


def test_a_slow_response_is_a_task() -> None:
    assert send("late", returnImmediately=True)["task"]["id"]

    async def run() -> list[Any]:
        backend = Speaking()
        running = endpoint(backend, message_seconds=0.0)
        try:
            call = asyncio.create_task(rest(running, "POST", "/message:stream", {"message": message("late")}))
            while not running.running:  # noqa: ASYNC110 - no event exists for it
                await asyncio.sleep(0)
            # The task is sent before the backend reports anything.
            task_id = running.running[0]
            while (await rpc(running, "GetTask", {"id": task_id})).get("error"):  # noqa: ASYNC110 - likewise
                await asyncio.sleep(0)
            backend.go.set()
            return events(await call)
        finally:
            await running.close()

    first, *_, last = asyncio.run(run())
    assert first["task"]["id"] == last["statusUpdate"]["taskId"]
    assert last["statusUpdate"]["status"]["state"] == "TASK_STATE_COMPLETED"


@pytest.mark.parametrize(
    ("text", "state"),
    [("reject", "REJECTED"), ("ask", "INPUT_REQUIRED"), ("bug", "FAILED"), ("hello", "COMPLETED")],
)
def test_every_other_result_is_a_task(text: str, state: str) -> None:
    assert send(text, endpoint(ScriptedBackend()))["task"]["status"]["state"] == f"TASK_STATE_{state}"
