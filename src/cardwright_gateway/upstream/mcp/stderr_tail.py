"""The end of a child process's standard error, for the operator's log."""

from __future__ import annotations

import asyncio
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from collections.abc import Generator

# Enough for a traceback (project decision).
MAX_BYTES: Final = 8 * 1024
_CHUNK: Final = 64 * 1024


class Tail:
    """Buffer for the last `MAX_BYTES` of a stream."""

    def __init__(self) -> None:
        self._buffer = b""

    @property
    def text(self) -> str:
        """The buffered end, decoded."""
        return self._buffer.decode(errors="replace")

    @contextmanager
    def open(self) -> Generator[TextIO]:
        """Yield a pipe's file for a child process to write to; the running event loop reads it."""
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
        chunk = os.read(descriptor, _CHUNK)
        self._buffer = (self._buffer + chunk)[-MAX_BYTES:]
        return bool(chunk)
