"""Asynchronous engine for a2a-sdk's stores: the same database, with separate connections."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import orjson
from sqlalchemy import event
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import StaticPool

from cardwright.store.database import database_url, session_arguments

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

# Timeout for the write lock (SQLite), and for a connection from the pool (project decision).
_WAIT_SECONDS: Final = 5.0
# Each connection is a process in PostgreSQL, and two replicas share the usual hundred connections with other clients.
_CONNECTIONS: Final = 10


def async_engine(place: str) -> AsyncEngine:
    """Create an engine for a database whose tables `cardwright.store` has created.

    Args:
        place: The path of a SQLite file, or a URL. An in-memory database is not the one of the store: its tables must
            be created.
    """
    url = database_url(place)
    # Four times as fast as SQLAlchemy's own, which stop the event loop for a large task.
    codec: dict[str, Any] = {"json_serializer": encoded, "json_deserializer": orjson.loads}
    if url.get_backend_name() != "sqlite":
        return create_async_engine(
            url,
            pool_pre_ping=True,
            pool_size=_CONNECTIONS,
            max_overflow=_CONNECTIONS,
            pool_timeout=_WAIT_SECONDS,
            connect_args=session_arguments(url, _WAIT_SECONDS),
            **codec,
        )
    memory: dict[str, Any] = {"poolclass": StaticPool} if url.database in (None, "", ":memory:") else {}
    engine = create_async_engine(
        url.set(drivername="sqlite+aiosqlite"), connect_args={"timeout": _WAIT_SECONDS}, **memory, **codec
    )

    @event.listens_for(engine.sync_engine, "connect")
    def set_up(connection: Any, _: Any) -> None:
        # WAL alone does not guarantee that an acknowledged task survives a power cut.
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"):
            connection.execute(statement)

    _ = set_up
    return engine


def encoded(value: Any) -> str:
    """Return a JSON value as text."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        # A whole number of protobuf, which has only doubles, may be greater than orjson's integers.
        return json.dumps(value)
