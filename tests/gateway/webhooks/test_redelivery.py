"""Delivery attempts as the owner sees them, and redelivery."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete, event, func, select, text

from cardwright.errors import BadArgument, StoreError
from cardwright.http.problem import HttpError
from cardwright_gateway import verify_webhook
from cardwright_gateway.database.tables import ENDPOINTS, PUSH_CONFIGS, TASKS, WEBHOOKS
from tests.gateway.webhooks.receivers import (
    AGENT,
    ONE_ATTEMPT,
    OWNER,
    called_by,
    delivering,
    in_turn,
    quick,
    webhook_receiver,
    webhook_store,
)

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection, Table

    from tests.gateway.webhooks.receivers import WebhookStore

FAILS_ONCE = in_turn(500, 200)
SECRET = "beeos-secret"  # noqa: S105 - a test value


async def dead(webhooks: WebhookStore, origin: str) -> str:
    """A task whose event is dead; return the id of its failed attempt."""
    await webhooks.published(f"{origin}/hook", "t", secrets=[SECRET])
    await webhooks.wait_for_state("dead", "t")
    return (await webhooks.attempts("t"))[0].id


async def again(webhooks: WebhookStore, delivery_id: str, key: str | None = None) -> str:
    """Request a redelivery."""
    return await webhooks.service.redeliver(
        AGENT, "t", "hook", delivery_id, actor="user:ada", idempotency_key=key
    )


async def test_a_redelivered_event_keeps_its_id_and_has_a_new_signature(place: str) -> None:
    now = [1_000_000.0]

    async with delivering(FAILS_ONCE, place, ONE_ATTEMPT, clock=lambda: now[0]) as (
        receiver,
        webhooks,
    ):
        failed = await dead(webhooks, receiver.origin)
        now[0] += 5_000
        response = await again(webhooks, failed)
        await webhooks.wait_for_state("delivered", "t")
        first, second = receiver.received
        assert first.event_id == second.event_id
        assert first.body == second.body
        verify_webhook(second.body, second.headers, SECRET, clock=lambda: now[0])
        newest, oldest = await webhooks.attempts("t")
        assert (newest.id, newest.cause, newest.outcome, newest.number) == (
            response,
            "redelivery",
            "delivered",
            2,
        )
        assert oldest.id == failed


async def test_the_same_idempotency_key_twice_is_one_redelivery(tmp_path: Path) -> None:
    async with delivering(FAILS_ONCE, tmp_path / "store", ONE_ATTEMPT) as (receiver, webhooks):
        failed = await dead(webhooks, receiver.origin)
        response = await asyncio.gather(again(webhooks, failed, "key"), again(webhooks, failed, "key"))
        await webhooks.wait_for_state("delivered", "t")
        # Even after it is delivered, when it would be refused.
        assert {*response, await again(webhooks, failed, "key")} == {response[0]}
        assert len(await webhooks.attempts("t")) == 2
        with pytest.raises(BadArgument):
            await again(webhooks, failed, "k" * 257)


async def test_a_delivered_event_is_not_redelivered(tmp_path: Path) -> None:
    config = quick(schedule_seconds=(0.05,))
    async with delivering(FAILS_ONCE, tmp_path / "store", config) as (receiver, webhooks):
        await webhooks.published(f"{receiver.origin}/hook", "t")
        await webhooks.wait_for_state("delivered", "t")
        for attempt in await webhooks.attempts("t"):
            with pytest.raises(HttpError) as caught:
                await again(webhooks, attempt.id)
            assert caught.value.problem.error_code.status == 409


async def test_a_redelivery_of_another_agent_task_or_configuration_is_not_found(tmp_path: Path) -> None:
    async with delivering(FAILS_ONCE, tmp_path / "store", ONE_ATTEMPT) as (receiver, webhooks):
        failed = await dead(webhooks, receiver.origin)
        for where in (("other", "t", "hook"), (AGENT, "u", "hook"), (AGENT, "t", "h")):
            with pytest.raises(HttpError) as caught:
                await webhooks.service.redeliver(*where, failed, actor="user:ada")
            assert caught.value.problem.error_code.status == 404
            assert await webhooks.service.deliveries(*where) == []
            assert await webhooks.events(*where) == []
        with pytest.raises(HttpError):
            await again(webhooks, "dlv_none")


async def test_a_redelivery_that_fails_leaves_the_event_dead(tmp_path: Path) -> None:
    async with delivering(in_turn(500), tmp_path / "store", ONE_ATTEMPT) as (receiver, webhooks):
        await again(webhooks, await dead(webhooks, receiver.origin))
        await webhooks.outcomes.wait_for(2)
        (kept,) = await webhooks.events(AGENT, "t", "hook")
        assert (kept.state, kept.attempts) == ("dead", 1)


async def test_a_redelivery_that_succeeds_enables_its_receiver_again(tmp_path: Path) -> None:
    async with webhook_receiver(in_turn(410, 200)) as receiver, webhook_store(tmp_path / "store") as webhooks:
        failed = await dead(webhooks, receiver.origin)
        assert (await webhooks.status()).disabled == 1
        await again(webhooks, failed)
        await webhooks.wait_for_state("delivered", "t")
        assert (await webhooks.status()).disabled == 0


async def test_nothing_is_sent_to_a_deleted_configuration(tmp_path: Path) -> None:
    async with delivering(FAILS_ONCE, tmp_path / "store", ONE_ATTEMPT) as (receiver, webhooks):
        failed = await dead(webhooks, receiver.origin)
        await webhooks.service.configs.delete_info("t", called_by(OWNER), "hook")
        with pytest.raises(HttpError, match="deleted"):
            await again(webhooks, failed)


async def test_attempts_are_listed_in_pages_newest_first(place: str) -> None:
    async with delivering(in_turn(500), place, ONE_ATTEMPT) as (receiver, webhooks):
        failed = await dead(webhooks, receiver.origin)
        for number in range(4):
            await again(webhooks, failed)
            await webhooks.outcomes.wait_for(number + 2)
        whole = await webhooks.attempts("t")
        assert len(whole) == 5
        assert [one.started_at for one in whole] == sorted((one.started_at for one in whole), reverse=True)
        pages, before = [], None
        while page := await webhooks.service.deliveries(AGENT, "t", "hook", limit=2, before=before):
            pages += page
            before = page[-1].id
        assert pages == whole


async def test_a_list_is_read_from_its_index_and_not_sorted(tmp_path: Path) -> None:
    async with webhook_store(tmp_path / "store", start=False) as webhooks:
        plans: list[str] = []

        def look(connection: Any, _: Any, statement: str, given: Any, *__: Any) -> None:
            if statement.startswith("SELECT webhook_deliveries"):
                raw = connection.connection.execute(f"EXPLAIN QUERY PLAN {statement}", given)
                plans.extend(row[3] for row in raw)

        event.listen(webhooks.database.engine, "before_cursor_execute", look)
        await webhooks.attempts("t")
        assert "ix_webhook_deliveries_task_id_config_id_started_at" in plans[0]
        # Rows of one moment alone are sorted; how that is called depends on the version.
        assert all("RIGHT PART" in one or "LAST TERM" in one for one in plans[1:])


async def test_events_beyond_their_retention_are_deleted(tmp_path: Path) -> None:
    async with delivering(FAILS_ONCE, tmp_path / "store", ONE_ATTEMPT, clock=lambda: 5_000.0) as (
        receiver,
        webhooks,
    ):
        await dead(webhooks, receiver.origin)
        assert await webhooks.service.purge(5_000.0) == 0
        assert await webhooks.service.purge(5_001.0) == 1
        assert await webhooks.attempts("t") == []
        assert await webhooks.events(AGENT, "t", "hook") == []
        assert rows_of(webhooks, ENDPOINTS) == 0
        # The task still exists: it may have another event.
        assert (rows_of(webhooks, PUSH_CONFIGS), rows_of(webhooks, WEBHOOKS)) == (1, 1)


def rows_of(webhooks: WebhookStore, table: Table) -> int:
    """How many rows there are."""
    with webhooks.database.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


async def test_secrets_are_deleted_with_the_last_event_of_a_deleted_task(place: str) -> None:
    async with delivering(FAILS_ONCE, place, ONE_ATTEMPT, clock=lambda: 5_000.0) as (
        receiver,
        webhooks,
    ):
        await dead(webhooks, receiver.origin)
        other = await webhooks.task("other")
        await webhooks.listen("other", f"{receiver.origin}/hook")
        with webhooks.database.writing() as connection:
            connection.execute(delete(TASKS).where(TASKS.c.id == "t"))
        assert await webhooks.service.purge(5_001.0) == 1
        assert (rows_of(webhooks, PUSH_CONFIGS), rows_of(webhooks, WEBHOOKS)) == (1, 1)
        await webhooks.publish(other)
        await webhooks.wait_for_state("delivered", "other")


async def test_a_disabled_receiver_stays_disabled_after_a_restart(place: str) -> None:
    async with delivering(in_turn(410), place) as (receiver, webhooks):
        await dead(webhooks, receiver.origin)
        assert await webhooks.service.purge(time.time() + 1) == 1
        assert (await webhooks.status()).disabled == 1


async def test_without_old_rows_nothing_is_written(place: str) -> None:
    async with webhook_store(place, start=False) as webhooks:
        began: list[bool] = []

        def look(connection: Connection) -> None:
            began.append(bool(connection.get_execution_options().get("write")))

        event.listen(webhooks.database.engine, "begin", look)
        assert await webhooks.service.purge(time.time()) == 0
        assert began == [False]


async def test_an_accepted_redelivery_survives_a_database_error(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = quick(schedule_seconds=(0.05,))

    async with webhook_receiver(in_turn(500, 500, 204)) as receiver, webhook_store(place, config) as webhooks:
        failed = await dead(webhooks, receiver.origin)
        came = asyncio.Event()
        read = webhooks.outbox.event

        async def fails(event_id: str) -> Any:
            if event_id in webhooks.dispatcher.running:
                came.set()
                raise StoreError("other", "not now")
            return await read(event_id)

        monkeypatch.setattr(webhooks.outbox, "event", fails)
        response = await again(webhooks, failed, "key")
        await came.wait()
        # A second request meanwhile does not repeat it.
        assert await again(webhooks, failed, "key") == response
        monkeypatch.undo()
        await webhooks.wait_for_state("delivered", "t")
        assert (await webhooks.attempts("t"))[0].id == response
        assert len(receiver.received) == 3


async def test_an_accepted_redelivery_waits_for_its_encryption_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = quick(schedule_seconds=(0.05,))

    async with delivering(in_turn(500, 500, 204), tmp_path / "store", config) as (receiver, webhooks):
        failed = await dead(webhooks, receiver.origin)
        came = asyncio.Event()
        read = webhooks.service.configs.receivers

        async def unreadable(*of: str) -> Any:
            found = await read(*of)
            if not webhooks.dispatcher.running:
                return found
            came.set()
            return [replace(one, readable=False) for one in found]

        monkeypatch.setattr(webhooks.service.configs, "receivers", unreadable)
        response = await again(webhooks, failed)
        await came.wait()
        monkeypatch.undo()
        await webhooks.wait_for_state("delivered", "t")
        assert (await webhooks.attempts("t"))[0].id == response


async def test_a_receivers_row_is_locked_before_its_events(place: str) -> None:
    from cardwright_gateway.webhooks.outbox import new_delivery
    from cardwright_gateway.webhooks.results import EndedAttempt, finish
    from cardwright_gateway.webhooks.rows import DELIVERED, FAILED, SCHEDULE, Event, Result

    async with webhook_store(place, start=False) as webhooks:
        own_event = Event(
            "e", "t", "c", AGENT, OWNER, "ep", "a/b", "waiting", 0, 1.0, None, None, unreadable=False
        )
        for result in (Result(DELIVERED, 200), Result(FAILED, 500), Result(FAILED, 410)):
            locked: list[str] = []

            def look(_: Any, __: Any, statement: str, *___: Any, locked: list[str] = locked) -> None:
                if statement.startswith("UPDATE webhook_e"):
                    locked.append(statement.split()[1])

            event.listen(webhooks.database.engine, "before_cursor_execute", look)
            with webhooks.database.writing() as connection:
                delivery = new_delivery(own_event, "d", 1, SCHEDULE, 1.0)
                finish(connection, EndedAttempt(delivery, "ep", result, 2.0, None, 0.0))
            event.remove(webhooks.database.engine, "before_cursor_execute", look)
            assert locked[0] == "webhook_endpoints"
            assert "webhook_events" in locked


async def test_configurations_of_other_agents_are_not_found(place: str) -> None:
    async with webhook_store(place, start=False) as webhooks:
        await webhooks.listen("t", "https://hooks.example.com/hook")
        known = webhooks.service.known
        assert [await known(one, "t", "hook") for one in (AGENT, "other")] == [True, False]
        assert not await known(AGENT, "t", "hook-2")


async def test_unreadable_receivers_are_a_store_error(place: str) -> None:
    async with webhook_store(place, start=False) as webhooks:
        await webhooks.listen("t", "https://hooks.example.com/hook")
        with webhooks.database.writing() as connection:
            connection.execute(text("ALTER TABLE a2a_push_configs RENAME TO gone"))
        with pytest.raises(StoreError):
            await webhooks.service.known(AGENT, "t", "hook")


async def test_a_redelivery_has_one_audit_entry_with_its_actor(tmp_path: Path) -> None:
    from cardwright_gateway.database.audit import Audit

    async with delivering(FAILS_ONCE, tmp_path / "store", ONE_ATTEMPT) as (receiver, webhooks):
        failed = await dead(webhooks, receiver.origin)
        await again(webhooks, failed, "key")
        await webhooks.wait_for_state("delivered", "t")
        await again(webhooks, failed, "key")
        (entries,) = Audit(webhooks.database).list(AGENT)
        assert (entries.actor, entries.action, entries.subject) == (
            "user:ada",
            "delivery.redeliver",
            failed,
        )
