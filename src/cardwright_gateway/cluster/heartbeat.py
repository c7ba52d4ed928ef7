"""The processes that share a database: each says every few seconds that it lives; who says nothing is gone."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import platform
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, func, insert, select, update

from cardwright.errors import StoreError
from cardwright_gateway.cluster.periodic import PeriodicTask
from cardwright_gateway.database.tables import REPLICAS
from cardwright_gateway.settings.config import LOST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from cardwright.store.database import Database

# reliability.md 6.
BEAT_SECONDS: Final = 5.0
_FORGET_SECONDS: Final = 86400.0
_R: Final = REPLICAS.c


class Heartbeat:
    """This process among those that share a database.

    A row whose `seen_at` is negative is of a process that is known to be gone since then.

    Args:
        database: What they share.
        beat_seconds: How often this process says that it lives.
        clock: Seconds since 1970; the processes' clocks agree to some seconds.

    Attributes:
        id: This process's own.
    """

    def __init__(
        self,
        database: Database,
        *,
        beat_seconds: float = BEAT_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._clock = clock
        self._started_at = 0.0
        self._started = False
        # A word that is on its way would come after the farewell, and this process count as alive: it is waited for.
        self._beating = PeriodicTask("the heartbeat", beat_seconds, self.beat, at_start=False)
        self._host = _host()
        self.id = f"{self._host}-{os.getpid()}-{secrets.token_hex(4)}"

    async def start(self) -> None:
        """Say that this process lives, and go on saying it.

        Raises:
            StoreError: If it cannot be written.
        """
        self._started_at = self._clock()
        await asyncio.to_thread(self._written, self._begin)
        self._started = True
        self._beating.start()

    async def close(self) -> None:
        """Say that it is gone."""
        if not self._started:
            return
        self._started = False
        await self._beating.close()
        # Where it cannot be written, the others find out by themselves.
        with contextlib.suppress(StoreError):
            await asyncio.to_thread(self._written, self._gone, [self.id])

    async def beat(self) -> None:
        """Say once that this process lives.

        Raises:
            StoreError: If it cannot be written.
        """
        await asyncio.to_thread(self._written, self._seen)

    async def alive(self, after_seconds: float = LOST_SECONDS) -> frozenset[str]:
        """Return the ids of those that were seen lately; whoever is not among them is gone."""
        return frozenset(one for one, _ in await self._living(after_seconds))

    async def leads(self, after_seconds: float = LOST_SECONDS) -> bool:
        """Return whether this process is the oldest that lives: what one alone should do is its turn.

        Two may think so for a moment.
        """
        living = await self._living(after_seconds)
        return bool(living) and min((started, one) for one, started in living)[1] == self.id

    async def _living(self, after_seconds: float) -> list[tuple[str, float]]:
        return await asyncio.to_thread(self._read, _living, self._clock() - after_seconds)

    def _begin(self, connection: Connection) -> None:
        now = self._clock()
        connection.execute(delete(REPLICAS).where(func.abs(_R.seen_at) < now - _FORGET_SECONDS))
        here = connection.execute(select(_R.id).where(_R.id.startswith(f"{self._host}-"), _R.seen_at >= 0))
        self._gone(connection, [one for one in here.scalars() if _is_dead(one)])
        connection.execute(
            insert(REPLICAS).values(id=self.id, started_at=self._started_at, seen_at=self._clock())
        )

    def _seen(self, connection: Connection) -> None:
        mine = update(REPLICAS).where(_R.id == self.id).values(seen_at=self._clock())
        if not connection.execute(mine).rowcount:
            connection.execute(
                insert(REPLICAS).values(id=self.id, started_at=self._started_at, seen_at=self._clock())
            )

    def _gone(self, connection: Connection, ids: list[str]) -> None:
        connection.execute(update(REPLICAS).where(_R.id.in_(ids)).values(seen_at=-self._clock()))

    def _written(self, do: Callable[..., None], *args: Any) -> None:
        with self._database.writing() as connection:
            do(connection, *args)

    def _read(self, do: Callable[[Connection, float], Any], since: float) -> Any:
        with self._database.reading() as connection:
            return do(connection, since)


def _living(connection: Connection, since: float) -> list[tuple[str, float]]:
    rows = connection.execute(select(_R.id, _R.started_at).where(_R.seen_at >= max(since, 0.0)))
    return [(row[0], row[1]) for row in rows]


def _host() -> str:
    """Return what is the same for processes that see each other's numbers, and for no others."""
    parts = [platform.node()]
    with contextlib.suppress(OSError):
        parts += [
            Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"),
            str(Path("/proc/self/ns/pid").stat().st_ino),
        ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def _is_dead(replica: str) -> bool:
    """Return whether a process of this host has ended: nobody has its number."""
    number = int(replica.split("-")[1])
    # Two gateways may live in one process: both are seen every few seconds.
    if number == os.getpid():
        return False
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
