"""What all processes on one database share: the id of the gateway, and the key of its digests."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import shutil
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import select, update
from sqlalchemy.dialects import postgresql, sqlite

from cardwright.errors import StoreError
from cardwright.store.database import in_memory
from cardwright_gateway.database.tables import GATEWAY

if TYPE_CHECKING:
    from cardwright.store.database import Database

_ROW: Final = 1
_SECRET_BYTES: Final = 32
# The room for some of the largest tasks, and the log of SQLite (project decision).
_FREE_BYTES: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Deployment:
    """A gateway, whatever the number of its processes. Without a database it is new, and one process alone.

    Attributes:
        id: Its id: 32 hexadecimal digits.
        secret: The key of its digests.
    """

    id: str = field(default_factory=lambda: secrets.token_hex(16))
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(_SECRET_BYTES), repr=False)

    @classmethod
    def of(cls, database: Database) -> Deployment:
        """Return the gateway that a database belongs to; it is created once.

        Raises:
            StoreError: If the database cannot be used.
        """
        query = select(GATEWAY.c.id, GATEWAY.c.secret).where(GATEWAY.c.number == _ROW)
        with database.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            new = cls()
            with database.writing() as connection:
                dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
                added = dialect.insert(GATEWAY).values(number=_ROW, id=new.id, secret=new.secret)
                # Another process may have been faster.
                connection.execute(added.on_conflict_do_nothing())
                row = connection.execute(query).one()
        return cls(row.id, bytes(row.secret))

    def digest(self, purpose: str, *values: str | bytes) -> bytes:
        """Return a digest that cannot be computed, nor tested with guesses, without the secret (RFC 2104)."""
        digest = hmac.new(self.secret, digestmod=hashlib.sha256)
        for value in (purpose, *values):
            item = value.encode() if isinstance(value, str) else value
            # The length separates the items.
            digest.update(len(item).to_bytes(8, "big") + item)
        return digest.digest()

    def context_id(self, agent_id: str, owner: str, context_id: str) -> str:
        """Return the id of a caller's context for the backend of an agent.

        Two callers that name the same context get two, and no caller can name that of another. It is the same in
        all processes and after a restart.

        >>> deployment = Deployment()
        >>> ada = deployment.context_id("travel", "key:ada", "trip-1")
        >>> ada == deployment.context_id("travel", "key:ada", "trip-1")
        True
        >>> ada == deployment.context_id("travel", "key:bo", "trip-1")
        False
        """
        return self._uuid("context", agent_id, owner, context_id)

    def task_id(self, agent_id: str, task_id: str) -> str:
        """Return the id of a task at an agent whose clients choose task ids; it does not reveal the gateway's."""
        return self._uuid("task", agent_id, task_id)

    def _uuid(self, purpose: str, *values: str) -> str:
        return str(uuid.UUID(bytes=self.digest(purpose, *values)[:16], version=4))


def file_of(database: Database) -> Path | None:
    """Return the file of a database of SQLite; None for one in memory, and for PostgreSQL."""
    url = database.engine.url
    return None if url.get_backend_name() != "sqlite" or in_memory(url) else Path(str(url.database))


def write_check(database: Database) -> None:
    """Check that the database can be written to: write the time into the row of the gateway.

    While a disk is nearly full, this row can be written, and a task cannot.

    Raises:
        StoreError: If it cannot, for example because its disk is full.
    """
    file = file_of(database)
    if file is not None and file.exists():
        room = shutil.disk_usage(file.parent)
        if room.free < min(_FREE_BYTES, room.total // 20):
            raise StoreError("full", f"the disk of {database.display_name} is nearly full")
    with database.writing() as connection:
        connection.execute(update(GATEWAY).where(GATEWAY.c.number == _ROW).values(checked_at=time.time()))
