"""The asynchronous engine that a2a-sdk's stores stand on: the same database, other connections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import event
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import StaticPool

from cardwright.store.database import database_url, session_arguments

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

# How long a writer waits for another one (SQLite), and whoever asks for a connection (ours).
_WAIT_SECONDS: Final = 5.0
# Each connection of PostgreSQL is a process there: two replicas of ours share the usual hundred with others.
_CONNECTIONS: Final = 10


def async_engine(place: str) -> AsyncEngine:
    """Return an engine for the database that `cardwright.store` has brought up to date at a place.

    Args:
        place: A path of an SQLite file, or a URL. One in memory is another one than the store's: its tables
            have to be made.
    """
    url = database_url(place)
    if url.get_backend_name() != "sqlite":
        return create_async_engine(
            url,
            pool_pre_ping=True,
            pool_size=_CONNECTIONS,
            max_overflow=_CONNECTIONS,
            pool_timeout=_WAIT_SECONDS,
            connect_args=session_arguments(url, _WAIT_SECONDS),
        )
    memory: dict[str, Any] = {"poolclass": StaticPool} if url.database in (None, "", ":memory:") else {}
    engine = create_async_engine(
        url.set(drivername="sqlite+aiosqlite"), connect_args={"timeout": _WAIT_SECONDS}, **memory
    )

    @event.listens_for(engine.sync_engine, "connect")
    def set_up(connection: Any, _: Any) -> None:
        # A task that was acknowledged is there after a power cut, too: WAL alone would not promise that.
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"):
            connection.execute(statement)

    _ = set_up
    return engine
