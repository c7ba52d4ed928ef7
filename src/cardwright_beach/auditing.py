"""Where parts that only an audit may see are kept, such as reasoning traces (Beach protocol seed, Delivery rules).

Which sink is given is what is kept: none keeps nothing.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import deque
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Protocol

import orjson

from cardwright.errors import BadArgument, StoreError

if sys.platform != "win32":
    from fcntl import LOCK_EX, flock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from cardwright_beach.parts import Part

# What one file of records may grow to before somebody has to look (ours).
MAX_AUDIT_BYTES: Final = 256 * 1024 * 1024


class AuditSink(Protocol):
    """What keeps parts for an audit."""

    async def record(self, part: Part, meta: Mapping[str, Any]) -> None:
        """Keep a part with the meta of its envelope."""
        ...


@dataclass(frozen=True, slots=True)
class Recorded:
    """One record: the part on the wire, and the meta of its envelope."""

    part: Mapping[str, Any]
    meta: Mapping[str, Any]


class MemoryAudit:
    """Keeps the newest records in memory, and is gone with the process.

    Args:
        most: How many records are kept; older ones go.
    """

    __slots__ = ("_records",)

    def __init__(self, *, most: int = 1_000) -> None:
        self._records: deque[Recorded] = deque(maxlen=most)

    @property
    def records(self) -> tuple[Recorded, ...]:
        """The records, the oldest first."""
        return tuple(self._records)

    async def record(self, part: Part, meta: Mapping[str, Any]) -> None:
        """Keep a part with the meta of its envelope."""
        self._records.append(Recorded(deepcopy({**part.document}), deepcopy({**meta})))


@dataclass(frozen=True, slots=True)
class FileAudit:
    """Appends records to a file, one JSON text a line: `at`, `meta` and `part`.

    The file is locked while a line is written (`flock`: Linux, macOS), so that processes may share it, and
    the lock ends with the process that wrote half a line: the next begins on a line of its own. Where there
    is none (Windows), one process at a time may have the file. A full file is never cut: what is recorded then
    fails until the file is moved away.

    Attributes:
        path: The file; only its owner may read it. Its folder must be there.
        max_bytes: The most bytes the file may have.
        now: The time.
    """

    path: str | Path
    max_bytes: int = field(default=MAX_AUDIT_BYTES, kw_only=True)
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC), kw_only=True)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)

    async def record(self, part: Part, meta: Mapping[str, Any]) -> None:
        """Keep a part with the meta of its envelope.

        Raises:
            StoreError: If the file is full, or cannot be written; the records in it stand.
            BadArgument: If the meta is no JSON.
        """
        record = {"at": self.now().isoformat(), "meta": {**meta}, "part": {**part.document}}
        try:
            line = orjson.dumps(record)
        except TypeError:
            raise BadArgument("meta", "the meta of an envelope is JSON") from None
        await asyncio.to_thread(self._append, line + b"\n")

    def _append(self, line: bytes) -> None:
        flags = (
            os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        )
        try:
            with self._lock:
                descriptor = os.open(self.path, flags, 0o600)
                try:
                    self._write(descriptor, line)
                finally:
                    os.close(descriptor)
        except OSError as error:
            told = os.strerror(error.errno) if error.errno else type(error).__name__
            raise StoreError("other", f"the audit cannot be written: {told}") from None

    def _write(self, descriptor: int, line: bytes) -> None:
        # Else what another process is about to finish is taken for half a line. It ends with the descriptor.
        if sys.platform != "win32":
            flock(descriptor, LOCK_EX)
        size = os.fstat(descriptor).st_size
        if size:
            os.lseek(descriptor, size - 1, os.SEEK_SET)
            if os.read(descriptor, 1) != b"\n":
                line = b"\n" + line
        if size + len(line) > self.max_bytes:
            told = f"the audit would pass {self.max_bytes:,} bytes: move the file away, or allow more"
            raise StoreError("full", told)
        # What a full disk takes in part is no record: the next line begins anew.
        if os.write(descriptor, line) != len(line):
            raise StoreError("full", "the audit cannot be written: the disk is full")
