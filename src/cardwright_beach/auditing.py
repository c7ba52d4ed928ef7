"""Audit sinks for parts that no receiver gets, such as reasoning traces (Beach protocol seed, Delivery rules).

Without a sink nothing is recorded.
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

# Default size limit of an audit file (project decision).
MAX_AUDIT_BYTES: Final = 256 * 1024 * 1024


class AuditSink(Protocol):
    """Sink that records parts for an audit."""

    async def record(self, part: Part, meta: Mapping[str, Any]) -> None:
        """Record a part with the `meta` of its envelope."""
        ...


@dataclass(frozen=True, slots=True)
class Recorded:
    """Audit record: a part in wire form with the `meta` of its envelope."""

    part: Mapping[str, Any]
    meta: Mapping[str, Any]


class MemoryAudit:
    """Audit sink that keeps the newest records in memory.

    Args:
        max_records: Maximum number of records; older ones are dropped.
    """

    __slots__ = ("_records",)

    def __init__(self, *, max_records: int = 1_000) -> None:
        self._records: deque[Recorded] = deque(maxlen=max_records)

    @property
    def records(self) -> tuple[Recorded, ...]:
        """The records, the oldest first."""
        return tuple(self._records)

    async def record(self, part: Part, meta: Mapping[str, Any]) -> None:
        """Record a part with the `meta` of its envelope."""
        self._records.append(Recorded(deepcopy({**part.document}), deepcopy({**meta})))


@dataclass(frozen=True, slots=True)
class FileAudit:
    """Audit sink that appends records to a file, one JSON object per line: `at`, `meta` and `part`.

    On Linux and macOS the file is locked while a line is written (`flock`), so processes may share it. The lock ends
    when its process dies; after an incomplete line the next record starts on a new line. On Windows only one process
    may use the file. A full file is never truncated: recording fails until the file is moved away.

    Attributes:
        path: The file, readable by its owner only. Its folder must exist.
        max_bytes: Maximum size of the file.
        now: Returns the current time.
    """

    path: str | Path
    max_bytes: int = field(default=MAX_AUDIT_BYTES, kw_only=True)
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC), kw_only=True)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)

    async def record(self, part: Part, meta: Mapping[str, Any]) -> None:
        """Record a part with the `meta` of its envelope.

        Raises:
            StoreError: If the file is full or cannot be written; existing records are kept.
            BadArgument: If `meta` cannot be written as JSON.
        """
        record = {"at": self.now().isoformat(), "meta": {**meta}, "part": {**part.document}}
        try:
            line = orjson.dumps(record)
        except TypeError:
            raise BadArgument("meta", "must consist of JSON values") from None
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
            reason = os.strerror(error.errno) if error.errno else type(error).__name__
            raise StoreError("other", f"the audit file cannot be written: {reason}") from None

    def _write(self, descriptor: int, line: bytes) -> None:
        # Without the lock, a line that another process is writing would look incomplete. Closing the file unlocks it.
        if sys.platform != "win32":
            flock(descriptor, LOCK_EX)
        size = os.fstat(descriptor).st_size
        if size:
            os.lseek(descriptor, size - 1, os.SEEK_SET)
            if os.read(descriptor, 1) != b"\n":
                line = b"\n" + line
        if size + len(line) > self.max_bytes:
            message = f"the audit file would exceed {self.max_bytes:,} bytes; move it away or raise max_bytes"
            raise StoreError("full", message)
        # A partial write on a full disk is not a record; the next record starts on a new line.
        if os.write(descriptor, line) != len(line):
            raise StoreError("full", "the audit file cannot be written: the disk is full")
