"""Workers that poll one process for work of callers at another."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from cardwright.discovery import Part
from cardwright.errors import PeerUnreachable, StoreError
from cardwright_gateway.backends import queue_rows
from cardwright_gateway.backends.backend import Turn, TurnResult
from cardwright_gateway.backends.queue import QueueBackend
from cardwright_gateway.backends.queue_rows import AWAITED_SECONDS, QueueRows
from cardwright_gateway.backends.work import Workers
from cardwright_gateway.database.deployment import Deployment
from cardwright_gateway.database.tables import QUEUED_TURNS, QUEUED_WORDS
from cardwright_gateway.errors import AgentBusy, AgentOffline, UnknownWork
from tests.gateway.backends.test_function import RecordingReporter
from tests.gateway.waiting import wait_until

if TYPE_CHECKING:
    from cardwright.store.database import Database

TURN = Turn(
    (Part("text", "hello"), Part("data", {"a": [1]})), "m", "t", "c", {"b": 2}, earlier=True, owner="o"
)


class Two:
    """Two processes on one database, with one clock."""

    def __init__(self, database: Database, **settings: Any) -> None:
        self.now = 1000.0
        self.settings = settings
        self.database = database
        self.rows_of_one = QueueRows(database, "harbour", lambda: self.now)
        self.one, self.other = self.made(), self.made()
        self.reporter = RecordingReporter()

    def made(self, agent_id: str = "harbour") -> QueueBackend:
        rows = QueueRows(self.database, agent_id, lambda: self.now)
        return QueueBackend(agent_id, rows, **self.settings)

    def run(self, of: QueueBackend | None = None) -> asyncio.Task[TurnResult]:
        return asyncio.create_task((of or self.one).run(TURN, self.reporter))

    def rows(self) -> tuple[int, int]:
        with self.database.reading() as connection:
            turns, words = (
                connection.execute(select(func.count()).select_from(table)).scalar_one()
                for table in (QUEUED_TURNS, QUEUED_WORDS)
            )
        return turns, words

    async def work(self, of: QueueBackend | None = None) -> Any:
        work = await (of or self.other).take(20.0)
        assert work is not None
        return work


async def test_a_turn_queued_at_one_process_is_answered_in_order_at_another(database: Database) -> None:
    two = Two(database)
    taking = asyncio.create_task(two.work())
    pending = two.run()
    work = await taking
    own = Deployment.of(database).context_id("harbour", "o", "c")
    assert work.turn == Turn(TURN.parts, "m", "t", own, {"b": 2}, earlier=True)
    for number in range(60):
        # A worker may call any process.
        await (two.one, two.other)[number % 2].report(work.id, {"parts": [{"text": str(number)}]})
    await two.other.finish(work.id, {"state": "input-required", "message": "more?"})
    assert await pending == TurnResult((), "input-required", "more?")
    assert two.reporter.reports == [[str(number)] for number in range(60)]
    assert two.rows() == (0, 0)
    for of in (two.one, two.other):
        with pytest.raises(UnknownWork):
            await of.finish(work.id, {})


async def test_a_worker_at_one_process_makes_the_agent_online_everywhere(database: Database) -> None:
    two = Two(database)
    with pytest.raises(AgentOffline):
        await two.one.ready()
    taking = asyncio.create_task(two.other.take(20.0))
    while (await two.one.workers()) != Workers(1, 0.0):  # noqa: ASYNC110 - another process has no event
        await asyncio.sleep(0)
    await two.one.ready()
    with pytest.raises(AgentOffline):
        await two.made("another").ready()
    await two.other.close()
    assert await taking is None
    assert await two.one.workers() == Workers(0, 0.0)


async def test_a_turn_is_leased_to_one_worker_across_processes(database: Database) -> None:
    two = Two(database)
    taking = [asyncio.create_task(of.take(20.0)) for of in (two.one, two.other) * 4]
    pending = [two.run(of) for of in (two.one, two.other) * 4]
    works = [await one for one in taking]
    ids = {work.id for work in works if work is not None}
    assert len(ids) == 8
    for work_id in ids:
        await two.one.finish(work_id, {"message": work_id})
    assert {(await one).message for one in pending} == ids


async def test_the_turn_of_a_dead_process_is_deleted_and_not_leased(database: Database) -> None:
    two = Two(database)
    await asyncio.to_thread(two.rows_of_one.put, TURN, 10)  # as a process killed at this point does
    work = await two.work()
    await two.other.report(work.id, {"parts": [{"text": "a"}]})
    assert two.rows() == (1, 1)
    two.now += AWAITED_SECONDS + 60
    assert await two.other.take(0) is None
    pending = two.run(two.other)
    done = await two.work()
    assert done.id != work.id
    await two.other.finish(done.id, {})
    await pending
    assert two.rows() == (0, 0)


async def test_a_process_taken_for_dead_fails_its_turn_with_the_reason(database: Database) -> None:
    two = Two(database)
    pending = two.run()
    work = await two.work()
    with database.writing() as connection:
        connection.execute(QUEUED_TURNS.delete())
    with pytest.raises(PeerUnreachable):
        await pending
    with pytest.raises(UnknownWork):
        await two.other.report(work.id, {})


async def test_a_turn_stays_queued_while_its_process_renews_it(database: Database) -> None:
    two = Two(database, extend_seconds=0.0)
    pending = two.run()
    await two.work()
    two.now += AWAITED_SECONDS - 1
    until = two.now + AWAITED_SECONDS

    def extended() -> bool:
        with database.reading() as connection:
            return bool(connection.execute(select(QUEUED_TURNS.c.awaited_until)).scalar_one() >= until)

    await wait_until(extended)
    pending.cancel()
    await asyncio.gather(pending, return_exceptions=True)
    assert two.rows() == (0, 0)


async def test_a_worker_that_disconnects_while_taking_work_costs_no_attempt(database: Database) -> None:
    two = Two(database)
    pending = two.run()
    while two.rows()[0] == 0:  # noqa: ASYNC110 - as above
        await asyncio.sleep(0)
    for _ in range(10):
        taking = asyncio.create_task(two.other.take(0.0))
        await asyncio.sleep(0)
        taking.cancel()
        await asyncio.gather(taking, return_exceptions=True)
    work = await two.work()
    assert work.attempt == 1
    await two.other.finish(work.id, {})
    await pending


async def test_a_worker_report_is_refused_while_too_many_updates_wait(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_rows, "MAX_UPDATES", 2)

    two = Two(database)
    # No process forwards the reports.
    await asyncio.to_thread(two.rows_of_one.put, TURN, 10)
    work = await two.work()
    for _ in range(2):
        await two.other.report(work.id, {"text": "a"})
    with pytest.raises(AgentBusy):
        await two.other.report(work.id, {"text": "a"})
    # An empty report still renews the lease.
    await two.other.report(work.id, {})


def test_a_sequence_number_is_not_reused_after_deletion(database: Database) -> None:
    rows = QueueRows(database, "harbour", lambda: 1000.0)
    turn = rows.put(TURN, 10)
    work = rows.claim(60.0)
    assert work is not None
    seen: list[int] = []
    for _ in range(3):
        # Forwarded reports are deleted before the worker reports again.
        rows.report(work.id, {"text": "a"}, 60.0)
        ((word, _body),) = rows.look([], [turn], extend=False)[turn].updates
        rows.look([word], [turn], extend=False)
        seen.append(word)
    assert sorted(set(seen)) == seen
    rows.drop(turn)
    assert rows.put(TURN, 10) > turn


async def test_a_count_of_workers_that_could_not_be_stored_is_stored_later(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[int] = []

    def seen(rows: QueueRows, waiting: int) -> None:
        del rows
        noted.append(waiting)
        if noted == [0, 1]:
            raise StoreError("the database", "it is busy")

    monkeypatch.setattr(QueueRows, "seen", seen)

    two = Two(database)
    taking = asyncio.create_task(two.one.take(20.0))
    await wait_until(lambda: noted == [0, 1, 1])
    await two.one.close()
    assert await taking is None
    assert noted == [0, 1, 1, 0]
