"""A changed encryption key: no event is lost."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING

import pytest
from aiohttp import web

from cardwright.errors import BadConfiguration
from cardwright.http.problem import HttpError
from tests.gateway.waiting import wait_until
from tests.gateway.webhooks.receivers import (
    AGENT,
    ONE_ATTEMPT,
    in_turn,
    quick,
    webhook_receiver,
    webhook_store,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gateway.webhooks.receivers import WebhookStore

OLD = quick()
NEW = quick(encryption_key=urlsafe_b64encode(bytes(reversed(range(32)))).decode())
PATIENT_OLD = quick(schedule_seconds=(0.2,) * 500)
PATIENT_NEW = quick(schedule_seconds=(0.2,) * 500, encryption_key=NEW.encryption_key)
URL = "https://hooks.example.com/hook"


async def held(webhooks: WebhookStore, task_id: str) -> bool:
    """Whether the one event that waits for another key is a task's."""
    (event,) = await webhooks.events(AGENT, task_id, "hook")
    return (event.state, event.unreadable, (await webhooks.status()).unreadable) == ("waiting", True, 1)


async def test_an_encryption_key_that_decrypts_nothing_is_reported_at_the_start(place: str) -> None:
    async with webhook_store(place, OLD, start=False) as webhooks:
        await webhooks.listen("t", URL)
    async with webhook_store(place, NEW, start=False) as webhooks:
        with pytest.raises(BadConfiguration, match="encryption_key: the key cannot decrypt"):
            await webhooks.service.start()
    async with webhook_store(place, OLD):
        pass


async def test_events_encrypted_with_another_key_wait_for_that_key(
    place: str, caplog: pytest.LogCaptureFixture
) -> None:
    fails = [True]

    async with webhook_receiver(lambda _, __: web.Response(status=500 if fails[0] else 204)) as receiver:
        async with webhook_store(place, PATIENT_OLD) as webhooks:
            await webhooks.listen("t", f"{receiver.origin}/hook", secrets=["beeos-secret"])
            await webhooks.publish(await webhooks.task("t"))
            await webhooks.outcomes.wait_for(1)
        async with webhook_store(place, NEW, start=False) as webhooks:
            await webhooks.listen("later", f"{receiver.origin}/later")
        async with webhook_store(place, PATIENT_OLD) as webhooks:
            # An end meanwhile is accepted, though this process does not know its receivers.
            await webhooks.publish(await webhooks.task("later"))
            await wait_until(lambda: held(webhooks, "later"))
        fails[0] = False
        receiver.received.clear()
        async with webhook_store(place, PATIENT_NEW) as webhooks:
            await webhooks.wait_for_state("delivered", "later")
            await wait_until(lambda: held(webhooks, "t"))
            assert {one.path for one in receiver.received} == {"/later"}
        async with webhook_store(place, PATIENT_OLD) as webhooks:
            await webhooks.wait_for_state("delivered", "t")
            assert (await webhooks.status()).unreadable == 0
    # Once by each process that cannot read an event, however often it polls.
    assert sum("cannot be decrypted" in one.getMessage() for one in caplog.records) == 2


async def test_an_undecryptable_event_is_not_redelivered(tmp_path: Path) -> None:
    async with webhook_receiver(in_turn(500)) as receiver:
        async with webhook_store(tmp_path / "store", ONE_ATTEMPT) as webhooks:
            await webhooks.published(f"{receiver.origin}/hook", "t")
            await webhooks.wait_for_state("dead", "t")
        async with webhook_store(tmp_path / "store", NEW, start=False) as webhooks:
            (failed,) = await webhooks.attempts("t")
            with pytest.raises(HttpError, match="cannot be decrypted"):
                await webhooks.service.redeliver(AGENT, "t", "hook", failed.id, actor="user:ada")
