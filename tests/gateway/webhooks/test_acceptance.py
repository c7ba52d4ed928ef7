"""Nothing that was accepted is lost, wherever a process was killed: one row says what is to be delivered."""

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
from tests.gateway.webhooks.receivers import AGENT, house, quick, receiver

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gateway.webhooks.receivers import House

CALLER = f"{AGENT}:alice"


async def killed(*_: Any, **__: Any) -> None:
    """What a process does that is killed."""
    raise StoreError("other", "killed here")


async def settled(home: House, *tasks: str) -> None:
    """Wait until all is delivered."""
    for task in tasks:
        await home.until("delivered", task)


def in_state(state: TaskState, messages: int = 0) -> Task:
    """A task in a state."""
    said = [Message(message_id=str(one), role=Role.ROLE_USER) for one in range(messages)]
    return Task(id="t", context_id="c", status=TaskStatus(state=state), history=said)


@pytest.mark.parametrize("state", ["TASK_STATE_COMPLETED", "TASK_STATE_AUTH_REQUIRED"])
def test_a_task_and_its_event_are_saved_together_and_delivered_by_whoever_starts(
    place: str, state: str
) -> None:
    async def scene() -> None:
        async with receiver() as hook:
            async with house(place, start=False) as home:
                await home.listen("t", f"{hook.origin}/hook", owner=CALLER)
                await home.save(in_state(TaskState.TASK_STATE_WORKING))
                assert await home.events(AGENT, "t", "hook") == []
                await home.save(in_state(getattr(TaskState, state)))
                # The process is killed here: nothing but the store was told.
                assert len(await home.events(AGENT, "t", "hook")) == 1
            async with house(place) as home:
                await settled(home, "t")
            async with house(place) as home:
                await home.dispatcher.round()
                assert len(await home.events(AGENT, "t", "hook")) == 1
            assert len(hook.received) == 1

    asyncio.run(scene())


def test_where_the_event_cannot_be_written_the_task_has_not_ended(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise StoreError("full", "no room")

    async def scene() -> None:
        async with receiver() as hook, house(place, start=False) as home:
            await home.listen("t", f"{hook.origin}/hook", owner=CALLER)
            await home.save(in_state(TaskState.TASK_STATE_WORKING))
            monkeypatch.setattr(acceptance, "accept", fails)
            with pytest.raises(StoreError):
                await home.save(in_state(TaskState.TASK_STATE_COMPLETED))
            async with home.engine.connect() as connection:
                state = (await connection.execute(select(TASKS.c.state))).scalar_one()
            assert state == "TASK_STATE_WORKING"

    asyncio.run(scene())


def test_a_receiver_that_comes_when_its_task_has_ended_is_sent_its_end(place: str) -> None:
    async def scene() -> None:
        async with receiver() as hook, house(place) as home:
            await home.task("t")
            await home.listen("t", f"{hook.origin}/hook", secrets=["beeos-secret"])
            await settled(home, "t")
            assert len(hook.received) == 1
            # The event waited for its secrets.
            assert hook.received[0].field("x-beeos-signature")

    asyncio.run(scene())


def test_what_another_process_accepted_and_did_not_deliver_is_delivered(place: str) -> None:
    async def scene() -> None:
        async with receiver() as hook, house(place, poll_seconds=0.1) as home:
            async with house(place, start=False) as other:
                task = await other.task("t", "TASK_STATE_WORKING")
                await other.listen("t", f"{hook.origin}/hook")
                async with other.engine.begin() as connection:
                    await connection.execute(update(TASKS).values(state="TASK_STATE_COMPLETED"))
                await other.tell(task)
            await settled(home, "t")
            assert len(hook.received) == 1

    asyncio.run(scene())


def test_an_attempt_whose_end_could_not_be_written_is_made_again(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with (
            receiver(lambda _, count: web.Response(status=500 if count == 1 else 204)) as hook,
            house(place, poll_seconds=0.1) as home,
        ):
            failed = asyncio.Event()

            async def fails(*_: Any) -> None:
                failed.set()
                raise StoreError("other", "killed here")

            monkeypatch.setattr(home.outbox, "finish", fails)
            task = await home.task("t")
            await home.listen("t", f"{hook.origin}/hook")
            await home.tell(task)
            await failed.wait()
            monkeypatch.undo()
            await settled(home, "t")
            assert [(one.number, one.outcome) for one in await home.attempts("t")] == [
                (1, "delivered"),
                (1, "unknown"),
            ]

    asyncio.run(scene())


def test_an_attempt_that_could_not_be_written_is_done_again(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with receiver() as hook, house(place, poll_seconds=0.1) as home:
            failed = asyncio.Event()

            async def fails(*_: Any) -> None:
                failed.set()
                await killed()

            with monkeypatch.context() as patch:
                patch.setattr(home.outbox, "begin", fails)
                task = await home.task("t")
                await home.listen("t", f"{hook.origin}/hook")
                await home.tell(task)
                await failed.wait()
            await settled(home, "t")
            assert len(hook.received) == 1

    asyncio.run(scene())


def test_an_attempt_that_was_cut_off_shows_so_and_is_made_again(tmp_path: Path) -> None:
    began, go = asyncio.Event(), asyncio.Event()

    async def scene() -> None:
        async def answer(_: Any, count: int) -> web.Response:
            began.set()
            if count == 1:
                await go.wait()
            return web.Response(status=204)

        async with receiver(answer) as hook:
            async with house(tmp_path / "store") as home:
                task = await home.task("t")
                await home.listen("t", f"{hook.origin}/hook")
                await home.tell(task)
                await began.wait()
                await home.dispatcher.close(grace_seconds=0.0)
            async with house(tmp_path / "store") as home:
                await settled(home, "t")
                assert [one.outcome for one in await home.attempts("t")] == ["delivered", "unknown"]
            go.set()

    asyncio.run(scene())


def test_the_events_of_a_process_that_is_gone_are_taken_over_before_their_lease_ends(place: str) -> None:
    async def scene() -> None:
        async with receiver() as hook:
            async with house(place, start=False) as home:
                task = await home.task("t")
                await home.listen("t", f"{hook.origin}/hook")
                await home.tell(task)
                with home.database.writing() as connection:
                    leased = {"lease_owner": "gone-1-x", "due_at": time.time() + 3_600}
                    connection.execute(update(EVENTS).values(**leased))
            async with house(place) as home:
                await settled(home, "t")

    asyncio.run(scene())


def test_an_event_that_is_delivered_is_claimed_by_nobody_else(place: str) -> None:
    go = asyncio.Event()

    async def answer(*_: Any) -> web.Response:
        await go.wait()
        return web.Response(status=204)

    async def scene() -> None:
        async with (
            receiver(answer) as hook,
            house(place, poll_seconds=0.05) as first,
            house(place, poll_seconds=0.05) as second,
        ):
            for number in range(4):
                task = await first.task(f"t{number}")
                await first.listen(task.id, f"{hook.origin}/hook{number}")
                await first.tell(task)
            await hook.until(4)
            for home in (first, second):
                await home.dispatcher.round()
            go.set()
            await settled(first, *(f"t{number}" for number in range(4)))
            assert len(hook.received) == 4

    asyncio.run(scene())


def test_two_processes_together_ask_one_receiver_as_often_at_once_as_may_be(place: str) -> None:
    go, most, now = asyncio.Event(), [0], [0]

    async def answer(*_: Any) -> web.Response:
        now[0] += 1
        most[0] = max(most[0], now[0])
        await go.wait()
        await asyncio.sleep(0.01)
        now[0] -= 1
        return web.Response(status=204)

    async def scene() -> None:
        config = quick(concurrency=2)
        async with (
            receiver(answer) as hook,
            house(place, config, poll_seconds=0.05) as first,
            house(place, config, poll_seconds=0.05) as second,
        ):
            for number in range(8):
                home = (first, second)[number % 2]
                task = await home.task(f"t{number}")
                await home.listen(task.id, f"{hook.origin}/hook", owner=f"owner{number}")
                await home.tell(task)
            await hook.until(2)
            for home in (first, second) * 2:
                await home.dispatcher.round()
            go.set()
            await settled(first, *(f"t{number}" for number in range(8)))
            assert most == [2]

    asyncio.run(scene())


def test_each_interruption_is_told(place: str) -> None:
    async def scene() -> None:
        async with receiver() as hook, house(place) as home:
            await home.listen("t", f"{hook.origin}/hook", owner=CALLER)
            for count in range(1, 3):
                for state in (TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_INPUT_REQUIRED):
                    task = in_state(state, count)
                    await home.save(task)
                    await home.webhooks.sender.send_notification("t", task)
                await hook.until(count)
            assert len({one.event_id for one in hook.received}) == 2

    asyncio.run(scene())


def test_a_task_that_cannot_be_read_keeps_no_other_from_being_told(
    place: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        async with receiver() as hook, house(place) as home:
            await home.task("a")
            await home.task("b")
            async with home.engine.begin() as connection:
                bad = update(TASKS).where(TASKS.c.id == "a").values(history=[{"parts": "none"}])
                await connection.execute(bad)
            for name in ("a", "b"):
                await home.listen(name, f"{hook.origin}/hook")
            await settled(home, "b")
            assert await home.events(AGENT, "a", "hook") == []

    asyncio.run(scene())
    assert any("cannot send the task a" in one.getMessage() for one in caplog.records)


def test_whatever_goes_wrong_once_is_done_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with receiver() as hook, house(tmp_path / "store", poll_seconds=0.05) as home:
            failed = asyncio.Event()

            async def fails(*_: Any) -> None:
                failed.set()
                raise RuntimeError("once")

            monkeypatch.setattr(home.outbox, "outlook", fails)
            await failed.wait()
            monkeypatch.undo()
            await home.task("t")
            await home.listen("t", f"{hook.origin}/hook")
            await settled(home, "t")

    asyncio.run(scene())


def test_a_redelivery_does_not_stand_for_what_the_schedule_has_to_do(tmp_path: Path) -> None:
    async def scene() -> None:
        config = quick(schedule_seconds=(0.8, 3_600.0))
        async with (
            receiver(lambda _, count: web.Response(status=500 if count <= 2 else 204)) as hook,
            house(tmp_path / "store", config) as home,
        ):
            task = await home.task("t")
            await home.listen("t", f"{hook.origin}/hook")
            await home.tell(task)
            await home.outcomes.until(1)
            (failed,) = await home.attempts("t")
            await home.webhooks.redeliver(AGENT, "t", "hook", failed.id, actor="user:ada")
            await home.outcomes.until(2)
            (event,) = await home.events(AGENT, "t", "hook")
            assert (event.state, event.attempts, event.due_at) == ("waiting", 1, event.next_at)
            await settled(home, "t")
            causes = [(one.cause, one.number) for one in await home.attempts("t")]
            assert causes == [("schedule", 2), ("redelivery", 2), ("schedule", 1)]

    asyncio.run(scene())


def test_a_redelivery_that_a_killed_process_had_under_way_is_made_by_the_next(tmp_path: Path) -> None:
    go = asyncio.Event()

    async def answer(_: Any, count: int) -> web.Response:
        if count == 2:
            await go.wait()
        return web.Response(status=500 if count == 1 else 204)

    async def scene() -> None:
        config = quick(schedule_seconds=())
        async with receiver(answer) as hook:
            async with house(tmp_path / "store", config) as home:
                task = await home.task("t")
                await home.listen("t", f"{hook.origin}/hook")
                await home.tell(task)
                await home.until("dead", "t")
                (failed,) = await home.attempts("t")
                again = await home.webhooks.redeliver(AGENT, "t", "hook", failed.id, actor="user:ada")
                await hook.until(2)
                await home.dispatcher.close(grace_seconds=0.0)
            async with house(tmp_path / "store", config) as home:
                await settled(home, "t")
                assert [one.id for one in await home.attempts("t")] == [again, failed.id]
            go.set()

    asyncio.run(scene())


def test_an_end_that_comes_too_late_changes_nothing_of_another_processs_attempt(place: str) -> None:
    async def scene() -> None:
        async with house(place, start=False) as home:
            task = await home.task("t")
            await home.listen("t", "https://hooks.example.com/hook")
            await home.tell(task)
            (event,) = await home.events(AGENT, "t", "hook")
            with home.database.writing() as connection:
                connection.execute(update(EVENTS).values(lease_owner="another", due_at=9e9))
            await home.outbox.postpone(event.id, 1, 5.0)
            await home.outbox.release([event.id], 5.0)
            (event,) = await home.events(AGENT, "t", "hook")
            assert (event.lease_owner, event.due_at, event.attempts) == ("another", 9e9, 0)

    asyncio.run(scene())
