"""What becomes of webhooks whose encryption key is another one after a restart: nothing of it is lost."""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING

import pytest
from aiohttp import web

from cardwright.errors import BadConfiguration
from cardwright.http.problem import HttpError
from tests.gateway.webhooks.receivers import AGENT, becomes, house, quick, receiver

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gateway.webhooks.receivers import House

OLD = quick()
NEW = quick(encryption_key=urlsafe_b64encode(bytes(reversed(range(32)))).decode())
PATIENT_OLD = quick(schedule_seconds=(0.2,) * 500)
PATIENT_NEW = quick(schedule_seconds=(0.2,) * 500, encryption_key=NEW.encryption_key)
URL = "https://hooks.example.com/hook"


async def held(home: House, task_id: str) -> bool:
    """Whether the one event that waits for another key is a task's."""
    (event,) = await home.events(AGENT, task_id, "hook")
    return (event.state, event.unreadable, (await home.status()).unreadable) == (
        "waiting",
        True,
        1,
    )


def test_a_key_that_opens_nothing_of_what_is_kept_is_told_at_the_start(place: str) -> None:
    async def scene() -> None:
        async with house(place, OLD, start=False) as home:
            await home.listen("t", URL)
        async with house(place, NEW, start=False) as home:
            with pytest.raises(BadConfiguration, match="encryption_key: the key cannot decrypt"):
                await home.webhooks.start()
        async with house(place, OLD):
            pass

    asyncio.run(scene())


def test_what_another_key_encrypted_waits_for_it_and_is_delivered_then(
    place: str, caplog: pytest.LogCaptureFixture
) -> None:
    fails = [True]

    async def scene() -> None:
        async with receiver(lambda _, __: web.Response(status=500 if fails[0] else 204)) as hook:
            async with house(place, PATIENT_OLD) as home:
                await home.listen("t", f"{hook.origin}/hook", secrets=["beeos-secret"])
                await home.tell(await home.task("t"))
                await home.outcomes.until(1)
            async with house(place, NEW, start=False) as home:
                await home.listen("later", f"{hook.origin}/later")
            async with house(place, PATIENT_OLD) as home:
                # What ends meanwhile is accepted, though this process does not know where it goes.
                await home.tell(await home.task("later"))
                await becomes(lambda: held(home, "later"))
            fails[0] = False
            hook.received.clear()
            async with house(place, PATIENT_NEW) as home:
                await home.until("delivered", "later")
                await becomes(lambda: held(home, "t"))
                assert {one.path for one in hook.received} == {"/later"}
            async with house(place, PATIENT_OLD) as home:
                await home.until("delivered", "t")
                assert (await home.status()).unreadable == 0

    asyncio.run(scene())
    # Once by each process that cannot read something, however often it looks.
    assert sum("cannot be decrypted" in one.getMessage() for one in caplog.records) == 2


def test_what_cannot_be_read_is_not_sent_again_either(tmp_path: Path) -> None:
    async def scene() -> None:
        config = quick(schedule_seconds=())
        async with receiver(lambda _, __: web.Response(status=500)) as hook:
            async with house(tmp_path / "store", config) as home:
                task = await home.task("t")
                await home.listen("t", f"{hook.origin}/hook")
                await home.tell(task)
                await home.until("dead", "t")
            async with house(tmp_path / "store", NEW, start=False) as home:
                (failed,) = await home.attempts("t")
                with pytest.raises(HttpError, match="cannot be decrypted"):
                    await home.webhooks.redeliver(AGENT, "t", "hook", failed.id, actor="user:ada")

    asyncio.run(scene())
