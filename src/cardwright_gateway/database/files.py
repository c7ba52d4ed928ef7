"""Files that callers upload for agents, with a size limit per owner and an expiry time."""

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
    from collections.abc import Callable, Collection

    from sqlalchemy import Connection

    from cardwright.store.database import Database

PREFIX: Final = "file_"
# 128 bits, so that an id cannot be guessed.
_RANDOM_BYTES: Final = 16
# Added to each file's size, so that empty files count too: about the size of a row (project decision).
_ROW_BYTES: Final = 512
_F = FILES.c


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A stored file.

    Attributes:
        id: The id by which invocations refer to it.
        owner_id: Its owner.
        name: Its name, without a path; "" if none was given.
        media_type: Its declared media type.
        size: Its size in bytes.
        created_at: When it was uploaded, in seconds since 1970.
        expires_at: When it expires, in seconds since 1970.
        body: Its bytes; empty in results without the body.
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
    """Store of files; every method raises `StoreError` if the store is unavailable."""

    @property
    def max_bytes(self) -> int:
        """The maximum size of a file, in bytes."""
        ...

    def put(self, owner_id: str, body: bytes, *, name: str = "", media_type: str = "") -> StoredFile:
        """Store a file.

        Raises:
            FileTooLarge: If it is larger than `max_bytes`.
            FilesFull: If its owner's storage is full.
        """
        ...

    def sizes(self, owner_id: str, file_ids: Collection[str]) -> dict[str, int]:
        """Return the sizes of those files that the owner has, by id, without reading the files."""
        ...

    def get(self, owner_id: str, file_id: str) -> StoredFile | None:
        """Return a file with its bytes, or None if the owner has no such file."""
        ...

    def delete_expired(self) -> int:
        """Delete expired files, and return how many."""
        ...


class SqlFiles:
    """File store in a database.

    Args:
        database: The database.
        max_bytes: The maximum size of a file.
        owner_bytes: The maximum total size of an owner's files, with a fixed amount added for each file.
        retention_seconds: How long a file is stored.
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
        """The maximum size of a file, in bytes."""
        return self._max_bytes

    def put(self, owner_id: str, body: bytes, *, name: str = "", media_type: str = "") -> StoredFile:
        """Store a file, and delete expired files of its owner.

        Raises:
            FileTooLarge: If it is larger than `max_bytes`.
            FilesFull: If its owner's storage is full.
            StoreError: If the database is unavailable.
        """
        if len(body) > self._max_bytes:
            raise FileTooLarge(self._max_bytes)
        now = self._clock()
        file_id = PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)
        with self._database.writing() as connection:
            _lock_owner(connection, owner_id)
            connection.execute(
                delete(FILES).where(_F.owner_id == owner_id, _F.created_at <= self._oldest(now))
            )
            if _used_bytes(connection, owner_id) + len(body) + _ROW_BYTES > self._owner_bytes:
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

    def sizes(self, owner_id: str, file_ids: Collection[str]) -> dict[str, int]:
        """Return the sizes of those files that the owner has and that have not expired, by id.

        Raises:
            StoreError: If the database is unavailable.
        """
        query = select(_F.id, _F.size).where(
            _F.id.in_(file_ids), _F.owner_id == owner_id, _F.created_at > self._oldest(self._clock())
        )
        with self._database.reading() as connection:
            return {row.id: row.size for row in connection.execute(query)}

    def get(self, owner_id: str, file_id: str) -> StoredFile | None:
        """Return a file with its bytes, or None if the owner has no such file or it has expired.

        Raises:
            StoreError: If the database is unavailable.
        """
        query = select(FILES).where(
            _F.id == file_id, _F.owner_id == owner_id, _F.created_at > self._oldest(self._clock())
        )
        with self._database.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        return StoredFile(
            row.id, row.owner_id, row.name, row.media_type, row.size,
            row.created_at, row.created_at + self._retention_seconds, bytes(row.body),
        )  # fmt: skip

    def delete_expired(self) -> int:
        """Delete expired files, and return how many.

        Raises:
            StoreError: If the database is unavailable.
        """
        expired = _F.created_at <= self._oldest(self._clock())
        with self._database.reading() as connection:
            # Check first without the write lock: usually nothing has expired.
            if connection.execute(select(_F.id).where(expired).limit(1)).first() is None:
                return 0
        with self._database.writing() as connection:
            return connection.execute(delete(FILES).where(expired)).rowcount

    def _oldest(self, now: float) -> float:
        return now - self._retention_seconds


def _used_bytes(connection: Connection, owner_id: str) -> int:
    query = select(func.coalesce(func.sum(_F.size + _ROW_BYTES), 0)).where(_F.owner_id == owner_id)
    return int(connection.execute(query).scalar_one())


def _lock_owner(connection: Connection, owner_id: str) -> None:
    """Lock the files of an owner against concurrent uploads; SQLite has only one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(advisory_lock(f"files:{owner_id}"))
