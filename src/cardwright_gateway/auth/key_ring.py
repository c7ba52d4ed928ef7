"""Cache of agent keys or owner tokens, so that most requests need no database query."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from cardwright.errors import CardError
from cardwright_gateway.auth.secret_values import digest_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_gateway.auth.secret_table import SecretRecord, SecretTable

# A key revoked by another process may stay valid for at most 5 s (project decision).
KNOWN_SECONDS: Final = 3.0
# A key that another process has just issued is rejected for at most this long.
UNKNOWN_SECONDS: Final = 1.0
# About 600 bytes each; guessed keys push out only other guesses (project decision).
MAX_KNOWN: Final = 20_000
MAX_UNKNOWN: Final = 4096
# Keys per query: SQLite allows up to 32,766 values, and the query takes milliseconds.
_BATCH: Final = 256


_Record = TypeVar("_Record", bound="SecretRecord")


@dataclass(frozen=True, slots=True)
class _Entry(Generic[_Record]):
    record: _Record | None
    until: float
    generation: int


class KeyRing(Generic[_Record]):
    """Cache of records, for seconds, or until one is changed through the same table object.

    One query at a time looks up all keys that are waiting: however many keys are guessed, they use one database
    connection, and a valid key waits for at most two queries.

    Args:
        keys: The table of keys or tokens.
        clock: A monotonic clock, in seconds.
        wall: Seconds since 1970, for keys that expire.
    """

    def __init__(
        self, keys: SecretTable[_Record], *, clock: Callable[[], float], wall: Callable[[], float]
    ) -> None:
        self._keys = keys
        self._clock = clock
        self._wall = wall
        self._known: OrderedDict[str, _Entry[_Record]] = OrderedDict()
        self._unknown: OrderedDict[str, _Entry[_Record]] = OrderedDict()
        self._waiting: dict[str, asyncio.Future[_Entry[_Record]]] = {}
        self._querying: asyncio.Task[None] | None = None

    async def find(self, secret: str) -> _Record | None:
        """Return the record of a key that is valid now; None for any other.

        Raises:
            StoreError: If a query was needed and the database is unavailable.
        """
        digest = digest_of(secret)
        record = await self._record(digest)
        # The table is searched by digest, so the duration reveals nothing about a nearly right key.
        return record if record is not None and record.accepts(digest, self._wall()) else None

    async def _record(self, digest: str) -> _Record | None:
        entry = self._known.get(digest) or self._unknown.get(digest)
        if entry is None or entry.generation != self._keys.generation or self._clock() >= entry.until:
            entry = await self._look_up(digest)
            if entry.generation != self._keys.generation:
                # A key was changed during the query: the result may be outdated.
                entry = await self._look_up(digest)
        return entry.record

    async def _look_up(self, digest: str) -> _Entry[_Record]:
        waiting = self._waiting.get(digest)
        if waiting is None:
            waiting = self._waiting[digest] = asyncio.get_running_loop().create_future()
            if self._querying is None or self._querying.done():
                self._querying = asyncio.create_task(self._run_queries())
        # Shielded: cancelling one waiter does not cancel the query for the others.
        return await asyncio.shield(waiting)

    async def _run_queries(self) -> None:
        """Look up all waiting keys, batch by batch."""
        while self._waiting:
            batch = {digest: self._waiting[digest] for digest in list(self._waiting)[:_BATCH]}
            generation, began = self._keys.generation, self._clock()
            try:
                records = await asyncio.to_thread(self._keys.find_all, list(batch))
                for digest, waiting in batch.items():
                    waiting.set_result(self._cache(digest, records.get(digest), began, generation))
            except CardError as error:
                for waiting in batch.values():
                    waiting.set_exception(error)
                    # Mark the exception as retrieved: all waiters may have been cancelled.
                    waiting.exception()
            finally:
                for digest, waiting in batch.items():
                    del self._waiting[digest]
                    waiting.cancel()

    def _cache(self, digest: str, record: _Record | None, began: float, generation: int) -> _Entry[_Record]:
        self._known.pop(digest, None)
        self._unknown.pop(digest, None)
        known = record is not None
        table, limit = (self._known, MAX_KNOWN) if known else (self._unknown, MAX_UNKNOWN)
        # Counted from the start of the query, so that a slow query does not extend it.
        entry = _Entry(record, began + (KNOWN_SECONDS if known else UNKNOWN_SECONDS), generation)
        table[digest] = entry
        if len(table) > limit:
            table.popitem(last=False)
        return entry
