"""Heartbeats of the processes that share a database; a process without a recent heartbeat is gone."""

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

# Several in the time after which a process counts as lost (project decision).
HEARTBEAT_SECONDS: Final = 5.0
_DELETE_SECONDS: Final = 86400.0
_R: Final = REPLICAS.c


class Heartbeat:
    """Heartbeat of this process, and the list of live processes.

    A negative `seen_at` means that the process is known to have stopped at that time.

    Args:
        database: The shared database.
        interval_seconds: The interval between heartbeats.
        clock: Seconds since 1970; the clocks of all processes must agree within some seconds.

    Attributes:
        id: The id of this process.
    """

    def __init__(
        self,
        database: Database,
        *,
        interval_seconds: float = HEARTBEAT_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._clock = clock
        self._started_at = 0.0
        self._started = False
        # `close` waits for a running heartbeat: written after the end mark, it would make this process count as alive.
        self._periodic = PeriodicTask("the heartbeat", interval_seconds, self.send, at_start=False)
        self._host = _host()
        self.id = f"{self._host}-{os.getpid()}-{secrets.token_hex(4)}"

    async def start(self) -> None:
        """Write the first heartbeat, and start the periodic ones.

        Raises:
            StoreError: If the database is unavailable.
        """
        self._started_at = self._clock()
        await asyncio.to_thread(self._write, self._insert)
        self._started = True
        self._periodic.start()

    async def close(self) -> None:
        """Stop the heartbeats, and mark this process as stopped."""
        if not self._started:
            return
        self._started = False
        await self._periodic.close()
        # If that fails, the other processes notice the missing heartbeats.
        with contextlib.suppress(StoreError):
            await asyncio.to_thread(self._write, self._mark_stopped, [self.id])

    async def send(self) -> None:
        """Write one heartbeat.

        Raises:
            StoreError: If the database is unavailable.
        """
        await asyncio.to_thread(self._write, self._update)

    async def alive(self, after_seconds: float = LOST_SECONDS) -> frozenset[str]:
        """Return the ids of the processes with a recent heartbeat; all others are gone."""
        return frozenset(replica for replica, _ in await self._living(after_seconds))

    async def leads(self, after_seconds: float = LOST_SECONDS) -> bool:
        """Return whether this process is the leader, the oldest live process.

        Two processes may return True for a moment.
        """
        living = await self._living(after_seconds)
        return bool(living) and min((started, replica) for replica, started in living)[1] == self.id

    async def _living(self, after_seconds: float) -> list[tuple[str, float]]:
        return await asyncio.to_thread(self._read, _living, self._clock() - after_seconds)

    def _insert(self, connection: Connection) -> None:
        now = self._clock()
        connection.execute(delete(REPLICAS).where(func.abs(_R.seen_at) < now - _DELETE_SECONDS))
        here = connection.execute(select(_R.id).where(_R.id.startswith(f"{self._host}-"), _R.seen_at >= 0))
        self._mark_stopped(connection, [replica for replica in here.scalars() if _is_dead(replica)])
        connection.execute(
            insert(REPLICAS).values(id=self.id, started_at=self._started_at, seen_at=self._clock())
        )

    def _update(self, connection: Connection) -> None:
        statement = update(REPLICAS).where(_R.id == self.id).values(seen_at=self._clock())
        if not connection.execute(statement).rowcount:
            connection.execute(
                insert(REPLICAS).values(id=self.id, started_at=self._started_at, seen_at=self._clock())
            )

    def _mark_stopped(self, connection: Connection, ids: list[str]) -> None:
        connection.execute(update(REPLICAS).where(_R.id.in_(ids)).values(seen_at=-self._clock()))

    def _write(self, operation: Callable[..., None], *args: Any) -> None:
        with self._database.writing() as connection:
            operation(connection, *args)

    def _read(self, operation: Callable[[Connection, float], Any], since: float) -> Any:
        with self._database.reading() as connection:
            return operation(connection, since)


def _living(connection: Connection, since: float) -> list[tuple[str, float]]:
    rows = connection.execute(select(_R.id, _R.started_at).where(_R.seen_at >= max(since, 0.0)))
    return [(row[0], row[1]) for row in rows]


def _host() -> str:
    """Return an id of the PID namespace: equal only for processes that see each other's process ids."""
    parts = [platform.node()]
    with contextlib.suppress(OSError):
        parts += [
            Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"),
            str(Path("/proc/self/ns/pid").stat().st_ino),
        ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def _is_dead(replica: str) -> bool:
    """Return whether a process of this host has ended: its process id is unused."""
    pid = int(replica.split("-")[1])
    # Two gateways may run in one process; both have heartbeats.
    if pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
