"""The processes that share a database: each says that it is alive, and sees who no longer does."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, insert, select, update

from cardwright.errors import StoreError
from cardwright.store.tables import REPLICAS

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.store.database import Database

_LOG: Final = logging.getLogger("cardwright.gateway")
_R = REPLICAS.c
# How often a process says that it is alive, and after how long without a word it is gone (reliability 6).
BEAT_SECONDS: Final = 5.0
LOST_SECONDS: Final = 45.0
# A row of a process that is long gone helps nobody (ours).
_FORGOTTEN_SECONDS: Final = 86_400.0


class Replicas:
    """This process among those that share a database.

    Args:
        database: The database.
        clock: Seconds since 1970; the clocks of all machines are about the same.
        lost_seconds: After how long without a word a process is gone. On SQLite, which one process has for
            itself, all others are gone at once.

    Attributes:
        own: What this process is called.
    """

    def __init__(
        self,
        database: Database,
        *,
        clock: Callable[[], float] = time.time,
        lost_seconds: float = LOST_SECONDS,
    ) -> None:
        self._database = database
        self._clock = clock
        self._lost_seconds = lost_seconds
        self._beating: asyncio.Task[None] | None = None
        self.own = f"replica_{secrets.token_hex(8)}"

    async def start(self) -> None:
        """Say that this process is alive, and go on saying it.

        Raises:
            StoreError: If the database cannot be used.
        """
        await asyncio.to_thread(self.beat)
        self._beating = asyncio.create_task(self._beat())

    async def close(self) -> None:
        """Say that this process is gone: nobody has to wait to take its work over."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
            self._beating = None
        try:
            await asyncio.to_thread(self._leave)
        except StoreError as error:
            _LOG.warning("that this process ends cannot be written down: %s", error)

    async def alive(self) -> list[str]:
        """Return the processes that are alive, this one among them.

        Raises:
            StoreError: If the database cannot be used.
        """
        return await asyncio.to_thread(self._alive)

    def beat(self) -> None:
        """Say once that this process is alive.

        Raises:
            StoreError: If the database cannot be used.
        """
        now = self._clock()
        with self._database.writing() as connection:
            seen = update(REPLICAS).where(_R.id == self.own).values(seen_at=now)
            if not connection.execute(seen).rowcount:
                connection.execute(insert(REPLICAS).values(id=self.own, started_at=now, seen_at=now))
            connection.execute(delete(REPLICAS).where(_R.seen_at < now - _FORGOTTEN_SECONDS))

    def _alive(self) -> list[str]:
        if self._database.engine.dialect.name == "sqlite":
            return [self.own]
        since = self._clock() - self._lost_seconds
        with self._database.reading() as connection:
            found = connection.execute(select(_R.id).where(_R.seen_at >= since)).scalars()
            return [self.own, *(one for one in found if one != self.own)]

    def _leave(self) -> None:
        with self._database.writing() as connection:
            connection.execute(delete(REPLICAS).where(_R.id == self.own))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                await asyncio.to_thread(self.beat)
            except StoreError as error:
                _LOG.warning("that this process is alive cannot be written down: %s", error)
