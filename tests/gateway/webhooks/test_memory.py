"""A store in memory has webhooks, too: the tables of tasks are another database's then."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
from pathlib import Path

from cardwright.store.tables import METADATA
from tests.gateway.webhooks.receiving import house, quick, receiver


def test_a_store_in_memory_delivers_and_leaves_nothing_behind() -> None:
    async def scene() -> str:
        async with receiver() as hook, house(":memory:", quick(encryption_key=None), start=False) as home:
            async with home.engine.begin() as connection:
                await connection.run_sync(METADATA.create_all)
            async with home.webhooks:
                task = await home.task()
                await home.listen(task.id, f"{hook.origin}/hook", secrets=["beeos-secret"])
                await home.tell(task)
                await home.until("delivered", task.id)
                return home.durable._folder or ""

    folder = asyncio.run(scene())
    assert folder
    assert not Path(folder).exists()
