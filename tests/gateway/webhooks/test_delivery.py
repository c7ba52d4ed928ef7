"""Deliveries: bodies, header fields, retries and dead letters."""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING

from a2a.types.a2a_pb2 import TaskState, TaskStatus, TaskStatusUpdateEvent
from aiohttp import web

from cardwright_gateway import verify_webhook
from tests.gateway.waiting import wait_until
from tests.gateway.webhooks.receivers import (
    AGENT,
    ONE_ATTEMPT,
    delivering,
    in_turn,
    json_of,
    quick,
    webhook_receiver,
    webhook_store,
)
from tests.guard.recorded_connections import Answers

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.gateway.webhooks.receivers import Received


async def test_an_ended_task_is_published_once(place: str) -> None:
    async with webhook_receiver() as receiver, webhook_store(place) as webhooks:
        task = await webhooks.published(f"{receiver.origin}/hook")
        await webhooks.publish(task)
        (came,) = await receiver.wait_for(1)
        await webhooks.wait_for_state("delivered", task.id)
        assert json_of(came) == {
            "task": {"id": task.id, "contextId": "c", "status": {"state": "TASK_STATE_COMPLETED"}}
        }
        assert came.field("content-type") == "application/a2a+json"
        assert (came.field("user-agent") or "").startswith("cardwright/")
        assert came.field("authorization") is None
        assert came.field("webhook-signature") is None
        (attempt,) = await webhooks.attempts(task.id)
        assert (attempt.outcome, attempt.status, attempt.cause, attempt.reason) == (
            "delivered", 204, "schedule", None,
        )  # fmt: skip
        assert webhooks.outcomes.each == ["delivered"]
        assert attempt.agent_id == AGENT


async def test_a_0_3_receiver_gets_the_task_itself(tmp_path: Path) -> None:
    class Call:
        version = "0.3"

    async with webhook_receiver() as receiver, webhook_store(tmp_path / "store") as webhooks:
        task = await webhooks.task(
            history=[{"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}]
        )
        await webhooks.listen(task.id, f"{receiver.origin}/hook", token="tok", call=Call())  # noqa: S106 - a test value
        await webhooks.publish(task)
        (came,) = await receiver.wait_for(1)
        body = json_of(came)
        assert (body["kind"], body["id"], body["status"]["state"]) == ("task", task.id, "completed")
        assert body["history"][0]["parts"] == [{"kind": "text", "text": "Hi"}]
        assert came.field("content-type") == "application/json"
        assert came.field("x-a2a-notification-token") == "tok"


async def test_interruptions_are_published_and_intermediate_states_are_not(tmp_path: Path) -> None:
    async with webhook_receiver() as receiver, webhook_store(tmp_path / "store") as webhooks:
        task = await webhooks.task(state="TASK_STATE_INPUT_REQUIRED")
        await webhooks.listen(task.id, f"{receiver.origin}/hook")
        working = TaskStatusUpdateEvent(
            task_id=task.id, status=TaskStatus(state=TaskState.TASK_STATE_WORKING)
        )
        await webhooks.service.sender.send_notification(task.id, working)
        waits = TaskStatusUpdateEvent(
            task_id=task.id, status=TaskStatus(state=TaskState.TASK_STATE_INPUT_REQUIRED)
        )
        await webhooks.service.sender.send_notification(task.id, waits)
        (came,) = await receiver.wait_for(1)
        assert json_of(came)["task"]["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
        assert len(await webhooks.events(AGENT, task.id, "hook")) == 1


async def test_each_attempt_has_the_required_headers_and_a_new_signature(tmp_path: Path) -> None:
    now = [1_000_000.0]
    secrets = ["beeos-secret", "whsec_" + "A" * 32]

    def answer(_: Received, count: int) -> web.Response:
        # Once it is due, it is sent.
        asyncio.get_running_loop().call_later(0.2, lambda: now.__setitem__(0, 1_000_100.0))
        return web.Response(status=500 if count == 1 else 204)

    async with delivering(answer, tmp_path / "store", clock=lambda: now[0]) as (receiver, webhooks):
        await webhooks.published(
            f"{receiver.origin}/hook",
            secrets=secrets,
            token="tok",  # noqa: S106 - a test value
            auth=("Bearer", "cred"),
        )
        first, second = await receiver.wait_for(2)
        for came, at in ((first, 1_000_000), (second, 1_000_100)):
            assert came.field("authorization") == "Bearer cred"
            assert came.field("x-a2a-notification-token") == "tok"
            assert came.field("webhook-timestamp") == str(at)
            unsigned, signed = (
                verify_webhook(came.body, came.headers, secret, clock=lambda at=at: at)  # type: ignore[misc] # mypy cannot infer it
                for secret in secrets
            )
            assert signed == first.event_id
            assert unsigned == f"body_{hashlib.sha256(first.body).hexdigest()}"
        assert first.field("webhook-signature") != second.field("webhook-signature")
        assert first.body == second.body


async def test_failures_are_retried_until_the_dead_letter(place: str) -> None:
    async with webhook_receiver(in_turn(500)) as receiver, webhook_store(place) as webhooks:
        task = await webhooks.published(f"{receiver.origin}/hook")
        await webhooks.wait_for_state("dead", task.id)
        attempts = await webhooks.attempts(task.id)
        assert [one.number for one in attempts] == [3, 2, 1]
        assert {(one.outcome, one.status, one.reason) for one in attempts} == {
            ("failed", 500, "the receiver responded with 500")
        }
        assert len({one.event_id for one in receiver.received}) == 1
        status = await webhooks.status()
        assert (status.waiting, status.dead, status.failing, status.disabled) == (0, 1, 1, 0)


async def test_a_longer_retry_after_is_respected(tmp_path: Path) -> None:
    async with delivering(in_turn(503, Retry_After="7000"), tmp_path / "store", clock=lambda: 5_000.0) as (
        receiver,
        webhooks,
    ):
        task = await webhooks.published(f"{receiver.origin}/hook")
        await receiver.wait_for(1)
        await webhooks.outcomes.wait_for(1)
        (event,) = await webhooks.events(AGENT, task.id, "hook")
        assert (event.state, event.attempts, event.next_at) == ("waiting", 1, 12_000.0)


async def test_410_disables_the_receiver_for_all_its_tasks(tmp_path: Path) -> None:
    def answer(came: Received, _: int) -> web.Response:
        return web.Response(status=410 if b"first" in came.body else 503, headers={"Retry-After": "5000"})

    async with webhook_receiver(answer) as receiver, webhook_store(tmp_path / "store") as webhooks:
        url = f"{receiver.origin}/hook"
        for name in ("waits", "first", "later"):
            task = await webhooks.task(name)
            await webhooks.listen(name, url)
            await webhooks.publish(task)
            await webhooks.outcomes.wait_for(1 + (name != "waits"))
        states = {
            name: [one.state for one in await webhooks.events(AGENT, name, "hook")]
            for name in ("waits", "first", "later")
        }
        assert states == {"waits": ["dropped"], "first": ["dead"], "later": ["dropped"]}
        assert await webhooks.attempts("later") == []
        assert (await webhooks.status()).disabled == 1
        assert len(receiver.received) == 2


async def test_a_receiver_that_fails_for_five_days_is_disabled(tmp_path: Path) -> None:
    now = [1_000_000.0]

    async with delivering(in_turn(500), tmp_path / "store", ONE_ATTEMPT, clock=lambda: now[0]) as (
        receiver,
        webhooks,
    ):
        for name, after in (("a", 0.0), ("b", 4 * 86400.0), ("c", 5 * 86400.0), ("d", 5 * 86400.0 + 1)):
            now[0] = 1_000_000.0 + after
            await webhooks.published(f"{receiver.origin}/hook", name)
            await webhooks.wait_for_state("dropped" if name == "d" else "dead", name)
        assert (await webhooks.status()).disabled == 1
        assert len(receiver.received) == 3


async def test_a_429_pauses_all_deliveries_to_the_receiver(tmp_path: Path) -> None:
    async with delivering(in_turn(429, Retry_After="600"), tmp_path / "store", clock=lambda: 5_000.0) as (
        receiver,
        webhooks,
    ):
        for name in ("first", "second"):
            await webhooks.published(f"{receiver.origin}/hook", name)
            await webhooks.outcomes.wait_for(1)

        async def put_off() -> bool:
            (event,) = await webhooks.events(AGENT, "second", "hook")
            return bool(event.next_at != 5_000.0)

        await wait_until(put_off)
        (event,) = await webhooks.events(AGENT, "second", "hook")
        # Postponed, and no attempt of its schedule is used.
        assert (event.state, event.attempts, event.next_at) == ("waiting", 0, 5_600.0)
        assert len(receiver.received) == 1


async def test_a_redirect_is_a_failure_and_is_not_followed(tmp_path: Path) -> None:
    async with delivering(in_turn(307, Location="/elsewhere"), tmp_path / "store", ONE_ATTEMPT) as (
        receiver,
        webhooks,
    ):
        task = await webhooks.published(f"{receiver.origin}/hook")
        await webhooks.wait_for_state("dead", task.id)
        (attempt,) = await webhooks.attempts(task.id)
        assert (attempt.outcome, attempt.status) == ("failed", 307)
        assert [one.path for one in receiver.received] == ["/hook"]


async def test_a_name_that_resolves_to_a_private_address_is_refused_on_connect(tmp_path: Path) -> None:
    config = quick(allow=(), schedule_seconds=())
    inside = Answers({"hooks.example.com": "127.0.0.1"})
    async with webhook_store(tmp_path / "store", config, resolver=inside) as webhooks:
        task = await webhooks.published("https://hooks.example.com/hook")
        await webhooks.wait_for_state("dead", task.id)
        (attempt,) = await webhooks.attempts(task.id)
        assert (attempt.outcome, attempt.status) == ("refused", None)
        assert "may not connect" in (attempt.reason or "")


async def test_a_receiver_timeout_fails_and_a_long_response_is_not_read(tmp_path: Path) -> None:
    async def answer(came: Received, _: int) -> web.StreamResponse:
        if came.path == "/slow":
            await asyncio.sleep(30)
        return web.Response(body=b"x" * 1_000_000)

    config = quick(schedule_seconds=(), timeout_seconds=0.3)
    async with delivering(answer, tmp_path / "store", config) as (receiver, webhooks):
        task = await webhooks.task()
        await webhooks.listen(task.id, f"{receiver.origin}/slow", config_id="slow")
        await webhooks.listen(task.id, f"{receiver.origin}/long", config_id="long")
        await webhooks.publish(task)
        await webhooks.wait_for_state("dead", task.id, "slow")
        await webhooks.wait_for_state("delivered", task.id, "long")
        (slow,), (long,) = (
            await webhooks.attempts(task.id, "slow"),
            await webhooks.attempts(task.id, "long"),
        )
        assert (slow.outcome, slow.status) == ("failed", None)
        assert "no response within" in (slow.reason or "")
        assert (long.response_bytes or 0) <= 16 * 1024


async def test_a_hanging_receiver_does_not_block_others(tmp_path: Path) -> None:
    hanging = asyncio.Event()

    async def answer(came: Received, _: int) -> web.StreamResponse:
        if came.path.startswith("/hangs"):
            await hanging.wait()
        return web.Response(status=204)

    config = quick(timeout_seconds=60.0, concurrency=2)
    async with delivering(answer, tmp_path / "store", config) as (receiver, webhooks):
        for number in range(8):
            await webhooks.published(f"{receiver.origin}/hangs", f"bad{number}")
        for number in range(20):
            await webhooks.published(f"{receiver.origin}/good{number % 5}", f"good{number}")
        for number in range(20):
            await webhooks.wait_for_state("delivered", f"good{number}")
        # Two of eight run: the maximum for one receiver.
        assert sum(one.path == "/hangs" for one in receiver.received) == 2
        hanging.set()
        for number in range(8):
            await webhooks.wait_for_state("delivered", f"bad{number}")


async def test_two_services_in_one_process_deliver_their_own_events(tmp_path: Path) -> None:
    async with (
        webhook_receiver() as receiver,
        webhook_store(tmp_path / "one") as one,
        webhook_store(tmp_path / "two") as two,
    ):
        for webhooks, path in ((one, "/one"), (two, "/two")):
            task = await webhooks.published(f"{receiver.origin}{path}")
            await webhooks.wait_for_state("delivered", task.id)
        assert [came.path for came in receiver.received] == ["/one", "/two"]


async def test_an_owner_with_hanging_receivers_does_not_block_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardwright_gateway.webhooks.attempts.MAX_PER_CALLER", 1)
    hangs, go = asyncio.Event(), asyncio.Event()

    async def answer(came: Received, _: int) -> web.Response:
        if came.path == "/hangs":
            hangs.set()
            await go.wait()
        return web.Response(status=204)

    async with webhook_receiver(answer) as receiver, webhook_store(tmp_path / "store") as webhooks:
        for name, owner in (("hangs", "mallory"), ("waits", "mallory"), ("goes", "bob")):
            await webhooks.published(f"{receiver.origin}/{name}", name, owner=owner)
            if name == "hangs":
                await hangs.wait()
        await webhooks.wait_for_state("delivered", "goes")

        async def put_off() -> bool:
            (event,) = await webhooks.events(AGENT, "waits", "hook")
            assert event.attempts == 0
            return bool(event.next_at > event.created_at)

        await wait_until(put_off)
        assert {one.path for one in receiver.received} == {"/hangs", "/goes"}
        go.set()
        await webhooks.wait_for_state("delivered", "waits")


async def test_an_owner_with_many_keys_does_not_block_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each key of an agent is a caller of its own, and an owner gives out as many as it wants."""
    monkeypatch.setattr("cardwright_gateway.webhooks.attempts.MAX_PER_OWNER", 1)
    owner = ["acme"]
    hangs, go = asyncio.Event(), asyncio.Event()

    async def answer(came: Received, _: int) -> web.Response:
        if came.path == "/hangs":
            hangs.set()
            await go.wait()
        return web.Response(status=204)

    homes = webhook_store(tmp_path / "store", agent_owner=lambda _: owner[0])
    async with webhook_receiver(answer) as receiver, homes as webhooks:
        for name in ("hangs", "waits", "goes"):
            owner[0] = "other" if name == "goes" else "acme"
            await webhooks.published(f"{receiver.origin}/{name}", name, owner=f"key:{name}")
            if name == "hangs":
                await hangs.wait()
            if name == "waits":

                async def put_off() -> bool:
                    (event,) = await webhooks.events(AGENT, "waits", "hook")
                    assert event.attempts == 0
                    return bool(event.next_at > event.created_at)

                await wait_until(put_off)
        await webhooks.wait_for_state("delivered", "goes")
        owner[0] = "acme"
        assert {one.path for one in receiver.received} == {"/hangs", "/goes"}
        go.set()
        await webhooks.wait_for_state("delivered", "waits")


async def test_threads_work_after_webhooks_are_closed(tmp_path: Path) -> None:
    async with webhook_store(tmp_path / "store"):
        pass
    assert await asyncio.to_thread(lambda: "here") == "here"


async def test_pending_events_are_delivered_after_a_restart(place: str) -> None:
    async with webhook_receiver() as receiver:
        async with webhook_store(place) as webhooks:
            task = await webhooks.published("http://127.0.0.1:9/hook")
            await webhooks.outcomes.wait_for(1)
        async with webhook_store(place) as webhooks:
            await webhooks.listen(task.id, f"{receiver.origin}/hook")
            await receiver.wait_for(1)
            await webhooks.wait_for_state("delivered", task.id)
            assert [one.outcome for one in await webhooks.attempts(task.id)][-1] == "failed"


async def test_responses_to_one_caller_disable_no_receiver_of_another(place: str) -> None:
    def answer(came: Received, _: int) -> web.Response:
        return web.Response(status=410 if came.field("authorization") == "Bearer gone" else 204)

    async with webhook_receiver(answer) as receiver, webhook_store(place) as webhooks:
        for name, owner, reply_of in (
            ("a", "mallory", "gone"),
            ("b", "bob", "good"),
            ("c", "mallory", "gone"),
        ):
            await webhooks.published(f"{receiver.origin}/hook", name, owner=owner, auth=("Bearer", reply_of))
            await webhooks.wait_for_state({"a": "dead", "b": "delivered", "c": "dropped"}[name], name)
        assert (await webhooks.status()).disabled == 1


async def test_a_disabled_receiver_has_one_audit_entry(tmp_path: Path) -> None:
    from cardwright_gateway.database.audit import Audit

    owners = {AGENT: "ada"}
    async with delivering(
        in_turn(410), tmp_path / "store", agent_owner=lambda agent_id: owners[agent_id]
    ) as (receiver, webhooks):
        for name in ("t", "u"):
            await webhooks.published(f"{receiver.origin}/hook", name)
            await webhooks.wait_for_state("dead" if name == "t" else "dropped", name)
        (entries,) = Audit(webhooks.database).list(AGENT)
        assert (entries.actor, entries.action, entries.subject) == ("gateway", "webhook.disabled", "hook")
        assert entries.detail == {"task_id": "t", "why": "it answered 410", "owner_id": "ada"}
