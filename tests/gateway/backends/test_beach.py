"""Beach handlers as agents: envelope parts over A2A, in a task and as a stream."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from cardwright import PartTypeRegistry
from cardwright.view.interfaces import BEACH_EXTENSION_URI
from cardwright_beach import StateMachines, StateRouter, part
from cardwright_gateway import beach_agent
from cardwright_gateway.backends.function import FunctionBackend
from tests.beach.envelopes import request
from tests.gateway.a2a_server.endpoints import a2a_endpoint, events, message, posted, sent

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator

    from cardwright_gateway import Turn

BEACH: dict[str, Any] = {"metadata": {BEACH_EXTENSION_URI: {"meta": {}}}}
TYPES = PartTypeRegistry.canonical()
TYPES.register("acme.board", streaming="flush", buffered="settle", a2a_kind="data")
STAGE = {"initial": "open", "states": ["open", "held"], "transitions": {"open": ["held"]}}
MACHINES = StateMachines.of(
    {"components": {"booking": {"allowHandlerTransitions": True, "coordinates": {"stage": STAGE}}}}
)


async def beach_handler(turn: Turn) -> AsyncGenerator[Any]:
    yield part("progress", data={"message": "looking", "completed": 1, "total": 2})
    yield {"partType": "acme.board", "data": {"columns": 2}}
    yield part("setState", data={"booking.stage": "held"})
    yield part("domain-data", data={"berths": ["N4"]}, slot_key="harbour.berths")
    yield part("response", text=f"For {turn.parts[0].value}: N4.")


def asks(_: Turn) -> Generator[Any]:
    yield part("response", text="Which ")
    yield part("clarify", text="Which harbour?")


def fails(_: Turn) -> Generator[Any]:
    yield part("response", text="So far.")
    raise RuntimeError("secret")


def approves(_: Turn) -> list[Any]:
    return [request()]


def task_of(handler: Any, *, more: Any = None, **settings: Any) -> Any:
    async def run() -> Any:
        async with a2a_endpoint(FunctionBackend(beach_agent(handler, **settings))) as endpoint:
            return await sent(endpoint, "two", **(more or {}))

    return asyncio.run(run())


def types_of(parts: list[Any]) -> list[str]:
    return [one["metadata"]["partType"] for one in parts]


def test_a_caller_without_beach_gets_a2a_parts_with_their_part_types() -> None:
    task = task_of(beach_handler, registry=TYPES)

    (artifact,) = task["artifacts"]
    data, part = artifact["parts"]
    assert data == {
        "data": {"berths": ["N4"]},
        "metadata": {"partType": "domain-data", "slotKey": "harbour.berths"},
    }
    assert (part["text"], part["metadata"]["partType"]) == ("For two: N4.", "response")
    assert task["status"]["state"] == "TASK_STATE_COMPLETED"


def test_a_caller_with_beach_gets_every_type_that_needs_no_consent() -> None:
    task = task_of(beach_handler, more=BEACH, registry=TYPES)

    parts = [one for artifact in task["artifacts"] for one in artifact["parts"]]
    assert types_of(parts) == ["progress", "acme.board", "setState", "domain-data", "response"]


async def test_a_stream_has_each_part_as_an_event_and_signals_as_progress() -> None:
    async with a2a_endpoint(FunctionBackend(beach_agent(beach_handler, registry=TYPES))) as endpoint:
        body = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "SendStreamingMessage",
            "params": {"message": message("two")},
        }
        reply = await posted(endpoint, json.dumps(body).encode(), {"A2A-Version": "1.0"})
        assert reply.headers["content-type"].startswith("text/event-stream")
        updates = [event["result"] for event in events(reply)]
    chunks = [event["artifactUpdate"]["artifact"]["parts"] for event in updates if "artifactUpdate" in event]
    assert [types_of(parts) for parts in chunks] == [["domain-data"], ["response"]]
    states = [event["statusUpdate"] for event in updates if "statusUpdate" in event]
    assert states[0]["status"]["message"]["parts"] == [{"text": "looking"}]
    assert states[0]["metadata"] == {"progress": 1.0, "total": 2.0}
    assert states[-1]["status"]["state"] == "TASK_STATE_COMPLETED"


def test_a_question_and_a_pending_approval_are_input_required() -> None:
    task = task_of(asks)
    assert task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    assert [one["text"] for one in task["status"]["message"]["parts"]] == ["Which harbour?"]

    task = task_of(approves)
    assert task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    assert task["status"]["message"]["parts"] == [{"text": "the conversation is suspended"}]


def test_an_exception_of_a_handler_fails_the_task_without_its_text() -> None:
    task = task_of(fails)

    assert task["status"]["state"] == "TASK_STATE_FAILED"
    (error,) = task["status"]["message"]["parts"]
    assert error["text"] == "the handler failed: RuntimeError"
    assert task["artifacts"][0]["parts"][0]["text"] == "So far."


def test_an_invalid_part_is_an_error_part_of_a_task_that_completes() -> None:
    task = task_of(lambda _: [{"partType": "acme.board", "data": {}}, part("response", text="a")])

    assert task["status"]["state"] == "TASK_STATE_COMPLETED"
    assert types_of([one for artifact in task["artifacts"] for one in artifact["parts"]]) == [
        "response",
        "error",
    ]


def test_the_router_of_the_session_changes_its_state() -> None:
    routers: dict[str, StateRouter] = {}

    def router(turn: Turn) -> StateRouter:
        return routers.setdefault(turn.context_id, StateRouter(MACHINES))

    task = task_of(beach_handler, registry=TYPES, router=router)

    assert {name: dict(one.state.values) for name, one in routers.items()} == {
        task["contextId"]: {"booking.stage": "held"}
    }
