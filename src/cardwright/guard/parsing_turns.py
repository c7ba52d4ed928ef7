"""Turns for large responses: a2a-sdk parses them on the event loop, so one at a time, with pauses for everything else."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Final

# A smaller response is parsed at once: it takes about 3 ms (measured; project decision).
_SMALL_BYTES: Final = 64 * 1024
# The pause after a response, as a multiple of the time that it took: large ones take a third of the event loop
# (project decision).
_PAUSE: Final = 2


@dataclass(slots=True)
class ParsingTurns:
    """The turns of all responses of one HTTP client."""

    _free: asyncio.Lock = field(default_factory=asyncio.Lock)

    def turn(self) -> ParsingTurn:
        """Return the turn of one SDK client; it begins with the first large response."""
        return ParsingTurn(self._free)


@dataclass(slots=True)
class ParsingTurn:
    """The turn of one SDK client. The code that gets the parsed response ends it."""

    _free: asyncio.Lock
    _began: float | None = None

    async def begin(self, size: int) -> None:
        """Wait until a response of a size may be parsed; call it directly before the SDK receives the last bytes."""
        if size > _SMALL_BYTES and self._began is None:
            await self._free.acquire()
            self._began = time.perf_counter()

    def end(self) -> None:
        """End the turn, if it has begun; the next one begins after a pause."""
        if self._began is not None:
            pause = _PAUSE * (time.perf_counter() - self._began)
            self._began = None
            asyncio.get_running_loop().call_later(pause, self._free.release)
