"""A kill, a full disk, a locked or a damaged database in the middle of a refresh: nothing stored before is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
import time
from contextlib import AsyncExitStack, asynccontextmanager, closing
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

from cardwright import AgentRegistry
from cardwright.discovery.refreshing import LEASE_SECONDS
from cardwright.errors import StoreError
from cardwright.store import CardStore
from tests.discovery.test_hostile_peers import LOOPBACK, says, whole
from tests.discovery.test_registry import with_id
from tests.peers import Reply, peer, raw_peer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from tests.peers import RecordedRequest

# Refreshes, and says how many peers are stored for good; one of its peers never answers.
WORKER = """
import asyncio, sys
from cardwright import AgentRegistry
async def main():
    async with AgentRegistry(store=sys.argv[1], allow=["127.0.0.0/8"]) as registry:
        await registry.refresh(on_progress=lambda count: print(count, flush=True))
asyncio.run(main())
"""


def intact(place: Path) -> bool:
    with closing(sqlite3.connect(place)) as connection:
        return bool(connection.execute("PRAGMA integrity_check").fetchone() == ("ok",))


@pytest.mark.process
async def test_a_kill_during_a_refresh_loses_nothing_and_its_leases_expire(tmp_path: Path) -> None:
    place = tmp_path / "peers.sqlite"
    hanging = asyncio.Event()

    def answer(request: RecordedRequest) -> Reply:
        name = request.path.split("/")[1]
        return Reply(body=whole(with_id(name)).partition(b"\r\n\r\n")[2])

    async with AsyncExitStack() as stack:
        quick = await stack.enter_async_context(peer(answer, host="127.0.2.1"))
        open_ended = says(b"", then="wait")

        async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            hanging.set()
            await open_ended(reader, writer)

        slow = await stack.enter_async_context(raw_peer(hang, host="127.0.2.2"))
        urls = [f"{quick.origin}/p{number}/card.json" for number in range(20)]
        async with AgentRegistry([*urls, slow.origin], store=place, allow=LOOPBACK) as registry:
            await registry.refresh(urls[0])
        worker = await asyncio.create_subprocess_exec(
            sys.executable, "-c", WORKER, str(place), stdout=asyncio.subprocess.PIPE
        )
        assert worker.stdout is not None
        stored = 0
        while stored < 19:
            stored += int(await worker.stdout.readline())
        await hanging.wait()
        worker.send_signal(signal.SIGKILL)
        await worker.wait()
        assert intact(place)
        before = len(quick.requests)
        now = time.time()
        async with AgentRegistry(store=place, allow=LOOPBACK, clock=lambda: now) as registry:
            assert all(registry.by_id(f"p{number}") is not None for number in range(20))
            # What the dead one had claimed is not taken from it while it may live.
            assert (await registry.refresh()).total == 0
            now += LEASE_SECONDS + 1
            refresh = asyncio.create_task(registry.refresh())
            hanging.clear()
            await hanging.wait()
            refresh.cancel()
            await asyncio.gather(refresh, return_exceptions=True)
        assert len(quick.requests) == before


def with_each_connection(store: CardStore, pragma: str) -> None:
    """Say something to each connection that is made from now on."""
    engine = store._database.engine  # pyright: ignore[reportPrivateUsage] - nothing else limits a file
    engine.dispose()

    def say(connection: Any, _: Any) -> None:
        connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "connect", say)


@asynccontextmanager
async def one_peer() -> AsyncGenerator[str]:
    answers = iter(range(10_000))

    def answer(_: RecordedRequest) -> Reply:
        description = f"{next(answers)} ".ljust(60_000, "x")
        return Reply(body=whole({**with_id("one"), "description": description}).partition(b"\r\n\r\n")[2])

    async with peer(answer) as one:
        yield one.origin


async def test_a_full_disk_in_a_refresh_is_named_and_the_last_card_stays(tmp_path: Path) -> None:
    place = tmp_path / "peers.sqlite"

    async with one_peer() as url:
        with CardStore.open(place, wait_seconds=0.05) as store:
            async with AgentRegistry([url], store=store, allow=LOOPBACK) as registry:
                await registry.refresh()
                kept = registry.by_url(url)
                assert kept is not None
                with_each_connection(store, "max_page_count = 1")

                async def until_full() -> None:
                    for _ in range(20):
                        await registry.refresh(force=True)

                with pytest.raises(StoreError, match="is full") as caught:
                    await until_full()
                assert caught.value.cause == "full"
                again = registry.by_url(url)
                assert again is not None
                assert again.card is not None
        assert intact(place)
        # With room again it goes on.
        now = time.time() + LEASE_SECONDS + 1
        async with AgentRegistry(store=place, allow=LOOPBACK, clock=lambda: now) as registry:
            assert (await registry.refresh(force=True)).outcomes == {"changed": 1}


async def test_a_locked_database_in_a_refresh_is_named(tmp_path: Path) -> None:
    place = tmp_path / "peers.sqlite"

    async with one_peer() as url:
        with CardStore.open(place, wait_seconds=0.05) as store:
            async with AgentRegistry([url], store=store, allow=LOOPBACK) as registry:
                await registry.refresh()
                with closing(sqlite3.connect(place, isolation_level=None)) as other:
                    other.execute("BEGIN EXCLUSIVE")
                    with pytest.raises(StoreError, match="is locked by another process") as caught:
                        await registry.refresh(force=True)
                    assert caught.value.cause == "locked"
                    assert registry.by_id("one") is not None
                    other.execute("ROLLBACK")
                assert (await registry.refresh(force=True)).outcomes == {"changed": 1}


async def test_a_database_locked_during_a_refresh_is_named_and_retried(tmp_path: Path) -> None:
    place = tmp_path / "peers.sqlite"

    async with one_peer() as url:
        with CardStore.open(place, wait_seconds=0.05) as store:
            other = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
            async with AgentRegistry([url], store=store, allow=LOOPBACK) as registry:
                really = registry.store.claim

                def claim(**given: Any) -> Any:
                    found = really(**given)
                    other.execute("BEGIN EXCLUSIVE")
                    return found

                registry.store.claim = claim  # type: ignore[method-assign]
                with pytest.raises(StoreError, match="is locked") as caught:
                    await registry.refresh()
                assert caught.value.cause == "locked"
                registry.store.claim = really  # type: ignore[method-assign]
                other.execute("ROLLBACK")
                # The same process asks again at once: the claim is its own.
                assert (await registry.refresh(force=True)).outcomes == {"new": 1}
            other.close()


def test_a_damaged_database_is_named(tmp_path: Path) -> None:
    place = tmp_path / "peers.sqlite"
    place.write_bytes(os.urandom(16_384))
    with pytest.raises(StoreError, match="is damaged or not a database") as caught:
        AgentRegistry(store=place)
    assert caught.value.cause == "corrupt"
    assert "\n" not in str(caught.value)


async def test_a_database_that_is_damaged_later_is_named(tmp_path: Path) -> None:
    place = tmp_path / "peers.sqlite"

    async with one_peer() as url:
        async with AgentRegistry([url], store=place, allow=LOOPBACK) as registry:
            await registry.refresh()
        body = bytearray(place.read_bytes())
        body[8192:] = bytes(byte ^ 0x5A for byte in body[8192:])
        place.write_bytes(bytes(body))
        with pytest.raises(StoreError) as caught:
            async with AgentRegistry(store=place, allow=LOOPBACK) as registry:
                await registry.refresh(force=True)
        assert caught.value.cause == "corrupt"
