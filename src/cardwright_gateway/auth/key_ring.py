"""Recognising keys of agents, mostly without asking the database."""

from __future__ import annotations

import asyncio
import hmac
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError
from cardwright_gateway.auth.agent_keys import digest_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_gateway.auth.agent_keys import AgentKeys, KeyRecord

# reliability.md 2e: revoked by another process, a key counts 5 s longer at most; so it is looked up before that.
KNOWN_SECONDS: Final = 3.0
# A key that was issued elsewhere a moment ago is not refused for long.
UNKNOWN_SECONDS: Final = 1.0
# Some 600 bytes each; whoever guesses pushes out other guesses only (ours).
MAX_KNOWN: Final = 20_000
MAX_UNKNOWN: Final = 4096
# So many are looked up by one statement: SQLite takes up to 32,766 values, and the answer is there in milliseconds.
_BATCH: Final = 256


@dataclass(frozen=True, slots=True)
class _Entry:
    record: KeyRecord | None
    until: float
    generation: int


class KeyRing:
    """Finds keys; what it found it holds true for seconds, or until one is changed through the same `AgentKeys`.

    One statement at a time is under way, for all keys that came meanwhile: however many are guessed, the database
    is asked by one connection, and a key that is known waits for two statements at most.

    Args:
        keys: The table of keys.
        clock: Seconds that only grow.
        wall: Seconds since 1970, for keys that expire.
    """

    def __init__(self, keys: AgentKeys, *, clock: Callable[[], float], wall: Callable[[], float]) -> None:
        self._keys = keys
        self._clock = clock
        self._wall = wall
        self._known: OrderedDict[str, _Entry] = OrderedDict()
        self._unknown: OrderedDict[str, _Entry] = OrderedDict()
        self._waiting: dict[str, asyncio.Future[_Entry]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def find(self, secret: str) -> KeyRecord | None:
        """Return the record of a key that counts now; None for any other.

        Raises:
            StoreError: If the database had to be asked, and cannot be used.
        """
        digest = digest_of(secret)
        record = await self._record(digest)
        # The digest is what the table was searched by; how long that took tells nothing of a key that is nearly right.
        if record is None or not hmac.compare_digest(record.digest, digest) or not record.holds(self._wall()):
            return None
        return record

    async def _record(self, digest: str) -> KeyRecord | None:
        entry = self._known.get(digest) or self._unknown.get(digest)
        if entry is None or entry.generation != self._keys.generation or self._clock() >= entry.until:
            entry = await self._looked_up(digest)
            if entry.generation != self._keys.generation:
                # A key was changed while the database was asked: what it said may be what was before.
                entry = await self._looked_up(digest)
        return entry.record

    async def _looked_up(self, digest: str) -> _Entry:
        waiting = self._waiting.get(digest)
        if waiting is None:
            waiting = self._waiting[digest] = asyncio.get_running_loop().create_future()
            if self._looking is None or self._looking.done():
                self._looking = asyncio.create_task(self._look())
        # Whoever leaves takes the answer from nobody else.
        return await asyncio.shield(waiting)

    async def _look(self) -> None:
        """Look up all that wait, a batch after the other."""
        while self._waiting:
            batch = {digest: self._waiting[digest] for digest in list(self._waiting)[:_BATCH]}
            generation, began = self._keys.generation, self._clock()
            try:
                found = await asyncio.to_thread(self._keys.find_all, list(batch))
                for digest, waiting in batch.items():
                    waiting.set_result(self._remember(digest, found.get(digest), began, generation))
            except CardError as error:
                for waiting in batch.values():
                    waiting.set_exception(error)
                    # Perhaps nobody is left to hear of it.
                    waiting.exception()
            finally:
                for digest, waiting in batch.items():
                    del self._waiting[digest]
                    waiting.cancel()

    def _remember(self, digest: str, record: KeyRecord | None, began: float, generation: int) -> _Entry:
        self._known.pop(digest, None)
        self._unknown.pop(digest, None)
        known = record is not None
        table, bound = (self._known, MAX_KNOWN) if known else (self._unknown, MAX_UNKNOWN)
        # From when it was asked, not from when it was answered: so no delay makes it older.
        entry = _Entry(record, began + (KNOWN_SECONDS if known else UNKNOWN_SECONDS), generation)
        table[digest] = entry
        if len(table) > bound:
            table.popitem(last=False)
        return entry
