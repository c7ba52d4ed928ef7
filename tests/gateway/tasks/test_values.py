"""Limits of JSON values and text of a task; large tasks are converted in a thread."""

from __future__ import annotations

import base64
import threading
from typing import TYPE_CHECKING, Any

import pytest
from a2a.server.tasks import DatabaseTaskStore

from cardwright_gateway.a2a import task_size
from cardwright_gateway.a2a_server import memory_store
from cardwright_gateway.backends.backend import Turn, TurnResult
from cardwright_gateway.tasks import models, rows
from tests.gateway.gateways import CARD
from tests.gateway.tasks.gateways import function, message, owned
from tests.gateway.tasks.test_growth import TOKEN, growing, status_text, work

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.gateway.tasks.gateways import Caller

VALUES = "maximum of 1,000 JSON values"
TEXT = "maximum of 100,000 bytes of text"


@pytest.fixture(autouse=True)
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks of at most 1,000 JSON values and 100,000 bytes of text."""
    monkeypatch.setattr(task_size, "MAX_TASK_VALUES", 1_000)
    monkeypatch.setattr(task_size, "MAX_TASK_TEXT", 100_000)
    monkeypatch.setattr(memory_store, "MAX_MEMORY_TEXT", 100_000)


def asks(turn: Turn) -> TurnResult:
    """Ask for more."""
    return TurnResult(ending="input-required", message=f"more than {len(turn.parts)}?")


def values(text: str) -> Any:
    """Return as many values as the message says, in chunks of 100."""
    for _ in range(int(text) // 100):
        yield {"data": [True] * 97}


def agent(name: str, **more: Any) -> dict[str, Any]:
    return {**function("answer", **more), "backend": {"python": f"{__name__}:{name}"}}


def refusal(answer: Mapping[str, Any]) -> str:
    assert answer["error"]["data"][0]["reason"] == "FULL"
    text: str = answer["error"]["message"]
    return text


async def converse(caller: Caller, parts: list[Any]) -> tuple[str, dict[str, Any]]:
    """Send the same parts to one task until they are refused; return the id of the task, and the refusal."""
    task_id = ""
    for number in range(50):
        params: Any = message("", messageId=f"m-{number}", parts=parts)
        params["configuration"] = {"returnImmediately": False}
        if task_id:
            params["message"]["taskId"] = task_id
        answer = await caller.rpc("SendMessage", params)
        if "error" in answer:
            return task_id, answer
        task_id = answer["result"]["task"]["id"]
        assert answer["result"]["task"]["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    raise AssertionError("no message was refused")


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def kept(request: pytest.FixtureRequest) -> tuple[dict[str, Any], dict[str, Any]]:
    """Where a gateway keeps tasks: settings of the agent, and of the gateway."""
    if request.param == "memory":
        return {"tasks": "pass", "access": "keys"}, {}
    # The fixture `place` has a parameter of its own.
    if request.param == "sqlite":
        return {}, {"store": str(request.getfixturevalue("tmp_path") / "gateway.db")}
    return {}, {"store": str(request.getfixturevalue("on_postgresql"))}


@pytest.mark.parametrize(
    ("part", "limit"),
    [({"data": [{"a": 0}] * 60}, VALUES), ({"text": "x" * 9_000}, TEXT), ({"text": "é" * 4_500}, TEXT)],
)
async def test_a_message_beyond_the_limits_of_its_task_is_refused(
    kept: Any, part: dict[str, Any], limit: str
) -> None:
    of_agent, of_gateway = kept
    async with owned({"asker": agent("asks", **of_agent)}, **of_gateway) as gateway:
        caller = await gateway.key("asker")
        task_id, answer = await converse(caller, [part])
        assert limit in refusal(answer)
        # The task waits for its caller as before.
        task = (await caller.rpc("GetTask", {"id": task_id}))["result"]
        assert task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
        assert 5 <= len(task["history"]) <= 25
        # A too large message starts no task, either.
        answer = await caller.rpc("SendMessage", message("", parts=[part] * 20))
        assert limit in refusal(answer)
        canceled = (await caller.rpc("CancelTask", {"id": task_id}))["result"]
        assert canceled["status"]["state"] == "TASK_STATE_CANCELED"


@pytest.mark.parametrize(("name", "limit"), [("values", VALUES), ("large", TEXT)])
async def test_a_result_beyond_the_limits_fails_the_task(kept: Any, name: str, limit: str) -> None:
    of_agent, of_gateway = kept
    made = growing(**of_agent) if name == "large" else agent(name, **of_agent)
    async with owned({"greeter": made}, **of_gateway) as gateway:
        caller = await gateway.key("greeter")
        task = await caller.send("110000" if name == "large" else "2000")
        assert limit in status_text(task)
        assert task["status"]["message"]["metadata"] == {"reason": "FULL"}
        assert (await caller.rpc("GetTask", {"id": task["id"]}))["result"]["status"] == task["status"]
        assert (await caller.send("500"))["status"]["state"] == "TASK_STATE_COMPLETED"


@pytest.mark.parametrize(
    ("part", "limit"), [({"data": [True] * 200}, VALUES), ({"text": "x" * 30_000}, TEXT)]
)
@pytest.mark.parametrize("ends", [False, True])
async def test_a_report_beyond_the_limits_is_refused_and_the_task_fails(
    place: str, part: dict[str, Any], limit: str, *, ends: bool
) -> None:
    queue = {"queue": {"token": TOKEN, "offline": "wait"}}
    agents = {"busy": {"card": CARD, "backend": queue, "owner": "acme"}}
    async with owned(agents, store=place) as gateway:
        caller = await gateway.key("busy")
        reports = [{"parts": [part]}] * ((4 if "data" in part else 3) if ends else 6)
        replies, task = await work(gateway, caller, reports, {"parts": [part]})
        refused = [reply for reply in replies if reply.status == 507]
        assert [(reply.status, reply.reason) for reply in refused] == [(507, "FULL")]
        assert limit in status_text(task)
        assert {reply.status for reply in replies} <= {204, 507, 404}


async def test_bytes_of_files_do_not_count_as_text(place: str) -> None:
    async with owned({"asker": agent("asks")}, store=place) as gateway:
        caller = await gateway.key("asker")
        part = {"raw": base64.b64encode(bytes(150_000)).decode()}
        task = (await caller.rpc("SendMessage", message("", parts=[part])))["result"]["task"]
        assert task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"


async def test_tasks_are_converted_in_a_thread(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[tuple[str, bool]] = []

    def recorded(name: str, convert: Any) -> Any:
        def converting(*args: Any, **options: Any) -> Any:
            threads.append((name, threading.current_thread() is threading.main_thread()))
            return convert(*args, **options)

        return converting

    monkeypatch.setattr(rows, "values_of", recorded("write", models.values_of))
    sdk: Any = DatabaseTaskStore
    monkeypatch.setattr(sdk, "_from_orm", recorded("read", sdk._from_orm))

    async with owned({"asker": agent("asks")}, store=place) as gateway:
        caller = await gateway.key("asker")
        task = (await caller.rpc("SendMessage", message("")))["result"]["task"]
        read = (await caller.rpc("GetTask", {"id": task["id"]}))["result"]
        assert read == task
        canceled = (await caller.rpc("CancelTask", {"id": task["id"]}))["result"]
        assert canceled["status"]["state"] == "TASK_STATE_CANCELED"
    assert set(threads) == {("read", False), ("write", False)}
