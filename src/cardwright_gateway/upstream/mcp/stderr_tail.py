"""The last words of a child process: what it writes to its standard error, as far as an operator needs it."""

from __future__ import annotations

import asyncio
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from collections.abc import Generator

# Enough for a traceback (ours).
MOST_BYTES: Final = 8 * 1024
_PIECE: Final = 64 * 1024


class Tail:
    """Keeps the end of what is written to it, at most `MOST_BYTES`."""

    def __init__(self) -> None:
        self._kept = b""

    @property
    def text(self) -> str:
        """What was kept."""
        return self._kept.decode(errors="replace")

    @contextmanager
    def open(self) -> Generator[TextIO]:
        """Yield a file of the system for a child to write to; it is read by the running event loop."""
        loop = asyncio.get_running_loop()
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        loop.add_reader(reading, self._read, loop, reading)
        try:
            with os.fdopen(writing, "w") as file:
                yield file
        finally:
            loop.remove_reader(reading)
            with suppress(BlockingIOError):
                while self._take(reading):
                    pass
            os.close(reading)

    def _read(self, loop: asyncio.AbstractEventLoop, descriptor: int) -> None:
        with suppress(BlockingIOError):
            if not self._take(descriptor):
                loop.remove_reader(descriptor)

    def _take(self, descriptor: int) -> bool:
        piece = os.read(descriptor, _PIECE)
        self._kept = (self._kept + piece)[-MOST_BYTES:]
        return bool(piece)
