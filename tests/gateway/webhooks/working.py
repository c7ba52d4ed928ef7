"""A process that has webhooks delivered until it is killed: what it has accepted stands in a file that is synced.

`python -m tests.gateway.webhooks.working PLACE URL LEDGER COUNT` accepts an event a time until COUNT were, and
delivers; `-` for the ledger accepts none.
"""

from __future__ import annotations

import asyncio
import os
import sys
from itertools import count
from pathlib import Path

from tests.gateway.webhooks.receiving import house, quick

# Like one that is killed now and then, and noticed soon.
SETTINGS = {"reconcile_seconds": 0.5, "lost_seconds": 3.0, "beat_seconds": 0.5}


async def work(place: str, url: str, ledger: Path | None, most: int) -> None:
    """Accept and deliver."""
    config = quick(schedule_seconds=(0.1,) * 5, concurrency=8, timeout_seconds=30.0)
    async with house(place, config, **SETTINGS) as home:
        if ledger is None:
            await asyncio.Event().wait()
        assert ledger is not None
        done = len(ledger.read_bytes().split()) if ledger.exists() else 0
        with ledger.open("ab", buffering=0) as kept:
            for number in count(done):
                if number >= most:
                    await asyncio.Event().wait()
                name = f"t{number}-{os.getpid()}"
                await home.listen(name, url)
                task = await home.task(name)
                # From here on its caller knows of it; that it was told comes after.
                kept.write(f"{name}\n".encode())
                os.fsync(kept.fileno())
                await home.tell(task)


if __name__ == "__main__":
    where = sys.argv[3]
    asyncio.run(work(sys.argv[1], sys.argv[2], None if where == "-" else Path(where), int(sys.argv[4])))
