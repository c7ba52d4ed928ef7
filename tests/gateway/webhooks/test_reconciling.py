"""Nothing that was accepted is lost, wherever a process was killed."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update

from cardwright.errors import StoreError
from cardwright.store.tables import TASKS
from tests.gateway.webhooks.receiving import AGENT, becomes, house, receiver

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gateway.webhooks.receiving import House


async def killed(*_: Any, **__: Any) -> None:
    """What a process does that is killed."""
    raise StoreError("other", "killed here")


async def settled(home: House, *tasks: str) -> None:
    """Wait until all is delivered."""
    for task in tasks:
        await home.until("delivered", task)


@pytest.mark.parametrize("state", ["TASK_STATE_COMPLETED", "TASK_STATE_AUTH_REQUIRED"])
def test_a_task_that_nobody_told_is_told_by_whoever_starts(place: str, state: str) -> None:
    async def scene() -> None:
        async with receiver() as hook:
            async with house(place, start=False) as home:
                await home.task("t", state)
                await home.listen("t", f"{hook.origin}/hook")
                assert await home.events(AGENT, "t", "hook") == []
            async with house(place) as home:
                await settled(home, "t")
                await home.webhooks.reconcile()
                await home.webhooks.reconcile()
                assert len(await home.events(AGENT, "t", "hook")) == 1
            assert len(hook.received) == 1

    asyncio.run(scene())


def test_an_event_that_was_kept_and_not_enqueued_is_delivered(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with receiver() as hook, house(place, reconcile_seconds=0.1) as home:
            task = await home.task("t")
            await home.listen("t", f"{hook.origin}/hook")
            with monkeypatch.context() as patch:
                patch.setattr(home.webhooks.sender, "_enqueue", killed)
                await home.tell(task)
            assert not hook.received
            await settled(home, "t")
            assert len(hook.received) == 1

    asyncio.run(scene())


def test_the_next_attempt_is_enqueued_where_that_was_not_done(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from aiohttp import web

    async def scene() -> None:
        async with (
            receiver(lambda _, count: web.Response(status=500 if count == 1 else 204)) as hook,
            house(place, reconcile_seconds=0.1) as home,
        ):
            task = await home.task("t")
            await home.listen("t", f"{hook.origin}/hook")
            durable = home.durable
            enqueue = durable.enqueue
            await home.tell(task)
            monkeypatch.setattr(durable, "enqueue", killed)
            await home.outcomes.until(1)
            monkeypatch.setattr(durable, "enqueue", enqueue)
            await settled(home, "t")
            assert [one.number for one in await home.attempts("t")] == [2, 1]

    asyncio.run(scene())


def test_an_attempt_that_could_not_be_written_is_done_again(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with receiver() as hook, house(place, reconcile_seconds=0.1) as home:
            task = await home.task("t")
            await home.listen("t", f"{hook.origin}/hook")
            ledger = home.ledger
            with monkeypatch.context() as patch:
                patch.setattr(ledger, "begin", killed)
                await home.tell(task)

                async def ended() -> bool:
                    known, done = await home.durable.queued(["evt_"])
                    return bool(done) and not known

                await becomes(ended)
            await settled(home, "t")
            assert len(hook.received) == 1

    asyncio.run(scene())


def test_an_attempt_that_was_cut_off_shows_so_and_is_made_again(tmp_path: Path) -> None:
    began, go = asyncio.Event(), asyncio.Event()

    async def scene() -> None:
        from aiohttp import web

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
                await home.durable.close(grace_seconds=0.0)
            async with house(tmp_path / "store") as home:
                await settled(home, "t")
                assert [one.outcome for one in await home.attempts("t")] == ["delivered", "unknown"]
            go.set()

    asyncio.run(scene())


def test_each_interruption_is_told(tmp_path: Path) -> None:
    async def scene() -> None:
        async with receiver() as hook, house(tmp_path / "store") as home:
            await home.task("t", "TASK_STATE_INPUT_REQUIRED")
            await home.listen("t", f"{hook.origin}/hook")
            for count in range(1, 3):
                said = [{"messageId": str(one), "role": "ROLE_USER"} for one in range(count)]
                async with home.engine.begin() as connection:
                    await connection.execute(update(TASKS).values(history=said))
                await home.webhooks.reconcile()
                await home.webhooks.reconcile()
                await hook.until(count)
            assert len({one.event_id for one in hook.received}) == 2

    asyncio.run(scene())


def test_only_one_of_several_processes_reconciles(tmp_path: Path) -> None:
    async def scene() -> None:
        async with (
            receiver() as hook,
            house(tmp_path / "store") as first,
            house(tmp_path / "store", start=False) as second,
        ):
            await first.task("t")
            await first.listen("t", f"{hook.origin}/hook")
            await second.webhooks.reconcile()
            assert await first.events(AGENT, "t", "hook") == []
            await first.webhooks.reconcile()
            await settled(first, "t")

    asyncio.run(scene())


def test_what_dbos_has_done_is_forgotten(tmp_path: Path) -> None:
    async def scene() -> None:
        import time

        ahead = [0.0]
        async with (
            receiver() as hook,
            house(tmp_path / "store", clock=lambda: time.time() + ahead[0]) as home,
        ):
            task = await home.task("t")
            await home.listen("t", f"{hook.origin}/hook")
            await home.tell(task)
            await settled(home, "t")
            durable = home.durable

            async def ended() -> bool:
                return bool((await durable.queued(["evt_"]))[1])

            await becomes(ended)
            await home.webhooks.reconcile()
            assert (await durable.queued(["evt_"]))[1]
            ahead[0] = 4_000.0
            await home.webhooks.reconcile()
            assert (await durable.queued(["evt_"])) == (set(), set())

    asyncio.run(scene())


def test_a_task_that_cannot_be_read_keeps_no_other_from_being_told(
    place: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        async with receiver() as hook:
            async with house(place, start=False) as home:
                await home.task("a")
                await home.task("b")
                for name in ("a", "b"):
                    await home.listen(name, f"{hook.origin}/hook")
                with home.database.writing() as connection:
                    bad = update(TASKS).where(TASKS.c.id == "a").values(history=[{"parts": "none"}])
                    connection.execute(bad)
            async with house(place) as home:
                await settled(home, "b")
                assert await home.events(AGENT, "a", "hook") == []

    asyncio.run(scene())
    assert any("task a cannot be told" in one.getMessage() for one in caplog.records)


def test_whatever_goes_wrong_once_is_mended_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with receiver() as hook, house(tmp_path / "store", reconcile_seconds=0.05) as home:
            failed = asyncio.Event()

            async def fails(*_: Any) -> None:
                failed.set()
                raise RuntimeError("once")

            monkeypatch.setattr(home.durable, "take_over", fails)
            await failed.wait()
            monkeypatch.undo()
            await home.task("t")
            await home.listen("t", f"{hook.origin}/hook")
            with home.database.writing() as connection:
                connection.execute(update(TASKS).values(last_updated=datetime.now(UTC).replace(tzinfo=None)))
            await settled(home, "t")

    asyncio.run(scene())


def test_a_redelivery_that_waits_does_not_stand_for_what_the_schedule_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with receiver() as hook, house(tmp_path / "store", reconcile_seconds=0.1) as home:
            task = await home.task("t")
            await home.listen("t", f"{hook.origin}/hook")
            with monkeypatch.context() as patch:
                patch.setattr(home.webhooks.sender, "_enqueue", killed)
                await home.tell(task)
            (event,) = await home.events(AGENT, "t", "hook")
            work = (event.id, 1, "redelivery", "dlv_x")
            await home.durable.enqueue(work, partition="p", key=f"{event.id}:dlv_x", delay_seconds=3_600.0)
            await settled(home, "t")

    asyncio.run(scene())
