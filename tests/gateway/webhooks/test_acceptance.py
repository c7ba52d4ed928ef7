"""Transactional outbox: no accepted event is lost, whenever a process is killed."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest
from a2a.types.a2a_pb2 import Message, Role, Task, TaskState, TaskStatus
from aiohttp import web
from sqlalchemy import select, update

from cardwright.errors import StoreError
from cardwright_gateway.database.tables import EVENTS, TASKS
from cardwright_gateway.webhooks import acceptance
from tests.gateway.webhooks.receivers import (
    AGENT,
    ONE_ATTEMPT,
    delivering,
    in_turn,
    quick,
    webhook_receiver,
    webhook_store,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gateway.webhooks.receivers import WebhookStore

CALLER = f"{AGENT}:alice"


async def killed(*_: Any, **__: Any) -> None:
    """End as a killed process does."""
    raise StoreError("other", "killed here")


async def settled(webhooks: WebhookStore, *tasks: str) -> None:
    """Wait until all events are delivered."""
    for task in tasks:
        await webhooks.wait_for_state("delivered", task)


def in_state(state: TaskState, messages: int = 0) -> Task:
    """A task in a state."""
    history = [Message(message_id=str(one), role=Role.ROLE_USER) for one in range(messages)]
    return Task(id="t", context_id="c", status=TaskStatus(state=state), history=history)


@pytest.mark.parametrize("state", ["TASK_STATE_COMPLETED", "TASK_STATE_AUTH_REQUIRED"])
async def test_a_task_and_its_event_are_saved_together_and_delivered_after_a_restart(
    place: str, state: str
) -> None:
    async with webhook_receiver() as receiver:
        async with webhook_store(place, start=False) as webhooks:
            await webhooks.listen("t", f"{receiver.origin}/hook", owner=CALLER)
            await webhooks.save(in_state(TaskState.TASK_STATE_WORKING))
            assert await webhooks.events(AGENT, "t", "hook") == []
            await webhooks.save(in_state(getattr(TaskState, state)))
            # The process is killed here: only the store has the event.
            assert len(await webhooks.events(AGENT, "t", "hook")) == 1
        async with webhook_store(place) as webhooks:
            await settled(webhooks, "t")
        async with webhook_store(place) as webhooks:
            await webhooks.dispatcher.round()
            assert len(await webhooks.events(AGENT, "t", "hook")) == 1
        assert len(receiver.received) == 1


async def test_a_task_does_not_end_if_its_event_cannot_be_written(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise StoreError("full", "no room")

    async with webhook_receiver() as receiver, webhook_store(place, start=False) as webhooks:
        await webhooks.listen("t", f"{receiver.origin}/hook", owner=CALLER)
        await webhooks.save(in_state(TaskState.TASK_STATE_WORKING))
        monkeypatch.setattr(acceptance, "accept", fails)
        with pytest.raises(StoreError):
            await webhooks.save(in_state(TaskState.TASK_STATE_COMPLETED))
        async with webhooks.engine.connect() as connection:
            state = (await connection.execute(select(TASKS.c.state))).scalar_one()
        assert state == "TASK_STATE_WORKING"


async def test_a_receiver_configured_after_the_end_gets_the_final_state(place: str) -> None:
    async with webhook_receiver() as receiver, webhook_store(place) as webhooks:
        await webhooks.task("t")
        await webhooks.listen("t", f"{receiver.origin}/hook", secrets=["beeos-secret"])
        await settled(webhooks, "t")
        assert len(receiver.received) == 1
        # The event waited for its secrets.
        assert receiver.received[0].field("x-beeos-signature")


async def test_undelivered_events_of_another_process_are_delivered(place: str) -> None:
    async with webhook_receiver() as receiver, webhook_store(place, poll_seconds=0.1) as webhooks:
        async with webhook_store(place, start=False) as other:
            task = await other.task("t", "TASK_STATE_WORKING")
            await other.listen("t", f"{receiver.origin}/hook")
            async with other.engine.begin() as connection:
                await connection.execute(update(TASKS).values(state="TASK_STATE_COMPLETED"))
            await other.publish(task)
        await settled(webhooks, "t")
        assert len(receiver.received) == 1


async def test_an_attempt_whose_result_could_not_be_written_is_retried(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with delivering(in_turn(500, 204), place, poll_seconds=0.1) as (receiver, webhooks):
        failed = asyncio.Event()

        async def fails(*_: Any) -> None:
            failed.set()
            raise StoreError("other", "killed here")

        monkeypatch.setattr(webhooks.outbox, "finish", fails)
        await webhooks.published(f"{receiver.origin}/hook", "t")
        await failed.wait()
        monkeypatch.undo()
        await settled(webhooks, "t")
        assert [(one.number, one.outcome) for one in await webhooks.attempts("t")] == [
            (1, "delivered"),
            (1, "unknown"),
        ]


async def test_an_attempt_that_could_not_be_written_is_retried(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with webhook_receiver() as receiver, webhook_store(place, poll_seconds=0.1) as webhooks:
        failed = asyncio.Event()

        async def fails(*_: Any) -> None:
            failed.set()
            await killed()

        with monkeypatch.context() as patch:
            patch.setattr(webhooks.outbox, "begin", fails)
            await webhooks.published(f"{receiver.origin}/hook", "t")
            await failed.wait()
        await settled(webhooks, "t")
        assert len(receiver.received) == 1


async def test_an_interrupted_attempt_is_marked_unknown_and_retried(tmp_path: Path) -> None:
    began, go = asyncio.Event(), asyncio.Event()

    async def answer(_: Any, count: int) -> web.Response:
        began.set()
        if count == 1:
            await go.wait()
        return web.Response(status=204)

    async with webhook_receiver(answer) as receiver:
        async with webhook_store(tmp_path / "store") as webhooks:
            await webhooks.published(f"{receiver.origin}/hook", "t")
            await began.wait()
            await webhooks.dispatcher.close(grace_seconds=0.0)
        async with webhook_store(tmp_path / "store") as webhooks:
            await settled(webhooks, "t")
            assert [one.outcome for one in await webhooks.attempts("t")] == ["delivered", "unknown"]
        go.set()


async def test_events_of_a_dead_process_are_recovered_before_their_lease_ends(place: str) -> None:
    async with webhook_receiver() as receiver:
        async with webhook_store(place, start=False) as webhooks:
            await webhooks.published(f"{receiver.origin}/hook", "t")
            with webhooks.database.writing() as connection:
                leased = {"lease_owner": "gone-1-x", "due_at": time.time() + 3_600}
                connection.execute(update(EVENTS).values(**leased))
        async with webhook_store(place) as webhooks:
            await settled(webhooks, "t")


async def test_an_event_in_delivery_is_not_leased_to_another_process(place: str) -> None:
    go = asyncio.Event()

    async def answer(*_: Any) -> web.Response:
        await go.wait()
        return web.Response(status=204)

    async with (
        webhook_receiver(answer) as receiver,
        webhook_store(place, poll_seconds=0.05) as first,
        webhook_store(place, poll_seconds=0.05) as second,
    ):
        for number in range(4):
            await first.published(f"{receiver.origin}/hook{number}", f"t{number}")
        await receiver.wait_for(4)
        for webhooks in (first, second):
            await webhooks.dispatcher.round()
        go.set()
        await settled(first, *(f"t{number}" for number in range(4)))
        assert len(receiver.received) == 4


async def test_two_processes_share_the_concurrency_limit_of_a_receiver(place: str) -> None:
    go, most, now = asyncio.Event(), [0], [0]

    async def answer(*_: Any) -> web.Response:
        now[0] += 1
        most[0] = max(most[0], now[0])
        await go.wait()
        await asyncio.sleep(0.01)
        now[0] -= 1
        return web.Response(status=204)

    config = quick(concurrency=2)
    async with (
        webhook_receiver(answer) as receiver,
        webhook_store(place, config, poll_seconds=0.05) as first,
        webhook_store(place, config, poll_seconds=0.05) as second,
    ):
        for number in range(8):
            webhooks = (first, second)[number % 2]
            await webhooks.published(f"{receiver.origin}/hook", f"t{number}", owner=f"owner{number}")
        await receiver.wait_for(2)
        for webhooks in (first, second) * 2:
            await webhooks.dispatcher.round()
        go.set()
        await settled(first, *(f"t{number}" for number in range(8)))
        assert most == [2]


async def test_each_interruption_is_published(place: str) -> None:
    async with webhook_receiver() as receiver, webhook_store(place) as webhooks:
        await webhooks.listen("t", f"{receiver.origin}/hook", owner=CALLER)
        for count in range(1, 3):
            for state in (TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_INPUT_REQUIRED):
                task = in_state(state, count)
                await webhooks.save(task)
                await webhooks.service.sender.send_notification("t", task)
            await receiver.wait_for(count)
        assert len({one.event_id for one in receiver.received}) == 2


async def test_an_unreadable_task_does_not_block_other_events(
    place: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with webhook_receiver() as receiver, webhook_store(place) as webhooks:
        await webhooks.task("a")
        await webhooks.task("b")
        async with webhooks.engine.begin() as connection:
            bad = update(TASKS).where(TASKS.c.id == "a").values(history=[{"parts": "none"}])
            await connection.execute(bad)
        for name in ("a", "b"):
            await webhooks.listen(name, f"{receiver.origin}/hook")
        await settled(webhooks, "b")
        assert await webhooks.events(AGENT, "a", "hook") == []
    assert any("cannot send the task a" in one.getMessage() for one in caplog.records)


async def test_any_temporary_error_is_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with delivering(None, tmp_path / "store", poll_seconds=0.05) as (receiver, webhooks):
        failed = asyncio.Event()

        async def fails(*_: Any) -> None:
            failed.set()
            raise RuntimeError("once")

        monkeypatch.setattr(webhooks.outbox, "outlook", fails)
        await failed.wait()
        monkeypatch.undo()
        await webhooks.task("t")
        await webhooks.listen("t", f"{receiver.origin}/hook")
        await settled(webhooks, "t")


async def test_a_redelivery_does_not_replace_a_scheduled_attempt(tmp_path: Path) -> None:
    config = quick(schedule_seconds=(0.8, 3_600.0))
    async with delivering(in_turn(500, 500, 204), tmp_path / "store", config) as (receiver, webhooks):
        await webhooks.published(f"{receiver.origin}/hook", "t")
        await webhooks.outcomes.wait_for(1)
        (failed,) = await webhooks.attempts("t")
        await webhooks.service.redeliver(AGENT, "t", "hook", failed.id, actor="user:ada")
        await webhooks.outcomes.wait_for(2)
        (event,) = await webhooks.events(AGENT, "t", "hook")
        assert (event.state, event.attempts, event.due_at) == ("waiting", 1, event.next_at)
        await settled(webhooks, "t")
        causes = [(one.cause, one.number) for one in await webhooks.attempts("t")]
        assert causes == [("schedule", 2), ("redelivery", 2), ("schedule", 1)]


async def test_a_redelivery_of_a_killed_process_is_made_by_the_next(tmp_path: Path) -> None:
    go = asyncio.Event()

    async def answer(_: Any, count: int) -> web.Response:
        if count == 2:
            await go.wait()
        return web.Response(status=500 if count == 1 else 204)

    async with webhook_receiver(answer) as receiver:
        async with webhook_store(tmp_path / "store", ONE_ATTEMPT) as webhooks:
            await webhooks.published(f"{receiver.origin}/hook", "t")
            await webhooks.wait_for_state("dead", "t")
            (failed,) = await webhooks.attempts("t")
            again = await webhooks.service.redeliver(AGENT, "t", "hook", failed.id, actor="user:ada")
            await receiver.wait_for(2)
            await webhooks.dispatcher.close(grace_seconds=0.0)
        async with webhook_store(tmp_path / "store", ONE_ATTEMPT) as webhooks:
            await settled(webhooks, "t")
            assert [one.id for one in await webhooks.attempts("t")] == [again, failed.id]
        go.set()


async def test_a_late_result_does_not_change_an_attempt_of_another_process(place: str) -> None:
    async with webhook_store(place, start=False) as webhooks:
        await webhooks.published("https://hooks.example.com/hook", "t")
        (event,) = await webhooks.events(AGENT, "t", "hook")
        with webhooks.database.writing() as connection:
            connection.execute(update(EVENTS).values(lease_owner="another", due_at=9e9))
        await webhooks.outbox.postpone(event.id, 1, 5.0)
        await webhooks.outbox.release([event.id], 5.0)
        (event,) = await webhooks.events(AGENT, "t", "hook")
        assert (event.lease_owner, event.due_at, event.attempts) == ("another", 9e9, 0)
