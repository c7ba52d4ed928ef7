"""Files that callers upload for agents to read: kept whole, for a time, within bounds for each owner."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from sqlalchemy import delete, func, insert, select

from cardwright.store.database import advisory_lock
from cardwright_gateway.database.tables import FILES
from cardwright_gateway.file_errors import FilesFull, FileTooLarge

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from cardwright.store.database import Database

PREFIX: Final = "file_"
# 128 bits: nobody guesses an id.
_RANDOM_BYTES: Final = 16
# Empty files would count for nothing otherwise: a row takes this much (ours).
_ROW_BYTES: Final = 512
_F = FILES.c


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that is kept.

    Attributes:
        id: What invocations name it by.
        owner_id: Whose it is.
        name: What it is called, without a path; "" where that was not told.
        media_type: What it is said to be.
        size: Its bytes.
        created_at: When it came, in seconds since 1970.
        expires_at: From when on it is not there.
        body: The bytes; empty where only the rest was asked for.
    """

    id: str
    owner_id: str
    name: str
    media_type: str
    size: int
    created_at: float
    expires_at: float
    body: bytes = field(default=b"", repr=False)


class FileStore(Protocol):
    """Keeps files; every method raises `StoreError` where that cannot be done now."""

    @property
    def max_bytes(self) -> int:
        """The greatest file that is kept."""
        ...

    def put(self, owner_id: str, body: bytes, *, name: str = "", media_type: str = "") -> StoredFile:
        """Keep a file.

        Raises:
            FileTooLarge: If it is larger than files may be.
            FilesFull: If its owner has no room left.
        """
        ...

    def get(self, owner_id: str, file_id: str) -> StoredFile | None:
        """Return a file with its bytes; None where its owner has none of that id."""
        ...

    def delete_expired(self) -> int:
        """Forget the files whose time is over, and return how many these were."""
        ...


class SqlFiles:
    """Keeps files in a database.

    Args:
        database: The database.
        max_bytes: The greatest file that is kept.
        owner_bytes: How many bytes one owner may have, with some for each file.
        retention_seconds: How long a file is kept.
        clock: Seconds since 1970.
    """

    def __init__(
        self,
        database: Database,
        *,
        max_bytes: int,
        owner_bytes: int,
        retention_seconds: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._max_bytes = max_bytes
        self._owner_bytes = owner_bytes
        self._retention_seconds = retention_seconds
        self._clock = clock

    @property
    def max_bytes(self) -> int:
        """The greatest file that is kept."""
        return self._max_bytes

    def put(self, owner_id: str, body: bytes, *, name: str = "", media_type: str = "") -> StoredFile:
        """Keep a file; what its owner has no longer is forgotten on the way.

        Raises:
            FileTooLarge: If it is larger than files may be.
            FilesFull: If its owner has no room left.
            StoreError: If the database cannot be used.
        """
        if len(body) > self._max_bytes:
            raise FileTooLarge(self._max_bytes)
        now = self._clock()
        file_id = PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)
        with self._database.writing() as connection:
            _one_at_a_time(connection, owner_id)
            connection.execute(
                delete(FILES).where(_F.owner_id == owner_id, _F.created_at <= self._oldest(now))
            )
            if _counted(connection, owner_id) + len(body) + _ROW_BYTES > self._owner_bytes:
                raise FilesFull(self._owner_bytes)
            connection.execute(
                insert(FILES).values(
                    id=file_id,
                    owner_id=owner_id,
                    name=name,
                    media_type=media_type,
                    size=len(body),
                    created_at=now,
                    body=body,
                )
            )
        return StoredFile(file_id, owner_id, name, media_type, len(body), now, now + self._retention_seconds)

    def get(self, owner_id: str, file_id: str) -> StoredFile | None:
        """Return a file with its bytes; None where its owner has none of that id, or no longer.

        Raises:
            StoreError: If the database cannot be used.
        """
        asked = select(FILES).where(
            _F.id == file_id, _F.owner_id == owner_id, _F.created_at > self._oldest(self._clock())
        )
        with self._database.reading() as connection:
            row = connection.execute(asked).first()
        if row is None:
            return None
        return StoredFile(
            row.id, row.owner_id, row.name, row.media_type, row.size,
            row.created_at, row.created_at + self._retention_seconds, bytes(row.body),
        )  # fmt: skip

    def delete_expired(self) -> int:
        """Forget the files whose time is over, and return how many these were.

        Raises:
            StoreError: If the database cannot be used.
        """
        expired = _F.created_at <= self._oldest(self._clock())
        with self._database.reading() as connection:
            # Whoever writes keeps others from it: mostly there is nothing to forget.
            if connection.execute(select(_F.id).where(expired).limit(1)).first() is None:
                return 0
        with self._database.writing() as connection:
            return connection.execute(delete(FILES).where(expired)).rowcount

    def _oldest(self, now: float) -> float:
        return now - self._retention_seconds


def _counted(connection: Connection, owner_id: str) -> int:
    asked = select(func.coalesce(func.sum(_F.size + _ROW_BYTES), 0)).where(_F.owner_id == owner_id)
    return int(connection.execute(asked).scalar_one())


def _one_at_a_time(connection: Connection, owner_id: str) -> None:
    """Wait for others that put files of the same owner: SQLite has one writer, PostgreSQL many."""
    if connection.dialect.name == "postgresql":
        connection.execute(advisory_lock(f"files:{owner_id}"))
