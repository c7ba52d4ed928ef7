"""Readiness: whether the gateway can read its database and write to it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from cardwright.errors import StoreError
from cardwright.regular_file import stamp_of
from cardwright_gateway.a2a.responses import json_response
from cardwright_gateway.database.deployment import file_of, write_check

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.http.response import Response
    from cardwright.store import CardStore
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.catalog.directory import AgentDirectory

# The minimum interval between two writes, whatever the number of requests (project decision).
_WRITE_SECONDS: Final = 1.0
# The causes of `StoreError` that an operator can remove.
_REASONS: Final = {
    "full": "the disk of the database is full; free some space",
    "read-only": "the database is read-only; give the gateway permission to write",
    "locked": "another process locks the database; end it, or wait",
    "corrupt": "the database is damaged; restore a backup",
    "removed": "the file of the database was removed or replaced; restore it, and start the gateway again",
}
_UNAVAILABLE: Final = "the database is unavailable"


class Readiness:
    """Checks of the database for `/readyz`.

    Reading alone is not enough: while a disk is full, all reads succeed and every call that stores something fails.

    Args:
        agents: The agents.
        store: The database.
        clock: A monotonic clock, in seconds.
    """

    def __init__(
        self, agents: AgentDirectory, store: CardStore, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._agents = agents
        self._store = store
        self._clock = clock
        self._lock = asyncio.Lock()
        self._written_at = float("-inf")
        self._reason = ""
        self._inode = self._current_inode()

    async def answer(self, _: Exchange) -> Response:
        """Return 200 if the gateway is ready, or 503 with the reason."""
        reason = await self._check()
        if reason:
            return json_response(503, {"status": "not ready", "reason": reason})
        return json_response(200, {"status": "ready", "agents": len(self._agents.listed)})

    async def _check(self) -> str:
        """Return why the gateway is not ready; "" if it is."""
        try:
            await asyncio.to_thread(self._store.count)
        except StoreError as error:
            return _REASONS.get(error.cause, _UNAVAILABLE)
        # One request writes; others wait for its result.
        async with self._lock:
            if self._clock() - self._written_at >= _WRITE_SECONDS:
                self._reason = await self._write()
                self._written_at = self._clock()
            return self._reason

    def _current_inode(self) -> int:
        """Return what identifies the database's file: open connections go on with a file that was removed or replaced."""
        file = file_of(self._store.database)
        stamp = None if file is None else stamp_of(file)
        return 0 if stamp is None else stamp[2]

    async def _write(self) -> str:
        if self._current_inode() != self._inode:
            return _REASONS["removed"]
        try:
            await asyncio.to_thread(write_check, self._store.database)
        except StoreError as error:
            return _REASONS.get(error.cause, _UNAVAILABLE)
        return ""
