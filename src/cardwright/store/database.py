"""A database: its URL, how to open it, and transactions."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from sqlalchemy import BigInteger, bindparam, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import StaticPool

from cardwright.errors import BadArgument, StoreError
from cardwright.extras import requires_extra
from cardwright.store.faults import converted_errors
from cardwright.store.index import INDEXES
from cardwright.store.table_group import create_groups, missing_groups, refuse_foreign_tables
from cardwright.store.tables import CARD_TABLES

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from sqlalchemy import URL, Connection, Engine, TextClause

    from cardwright.store.index import Index
    from cardwright.store.table_group import TableGroup

_MEMORY: Final = ":memory:"
# A row with a card has about 2 KiB; with pages of 4 KiB half of the space would be unused.
_PAGE_BYTES: Final = 8192
# The time after which PostgreSQL ends an idle transaction (project decision).
_FROZEN_SECONDS: Final = 10
# Another process that creates the same new file locks it for milliseconds (project decision).
_WAL_PAUSE_SECONDS: Final = 0.01
# How long closing waits for threads that use the database (project decision).
_CLOSING_SECONDS: Final = 2.0


class Database:
    """An engine and its transactions; errors of SQLAlchemy are converted."""

    def __init__(self, place: str | os.PathLike[str], *, wait_seconds: float, durable: bool = False) -> None:
        url = database_url(place)
        self.display_name = (
            "the database in memory" if in_memory(url) else f"the database {_without_password(url)}"
        )
        self.engine = _engine(url, wait_seconds, "FULL" if durable else "NORMAL")
        self.index: Index = INDEXES[url.get_backend_name()]
        # A database in memory has one connection, shared by all threads.
        self._shared = in_memory(url)
        self._lock = threading.RLock() if self._shared else contextlib.nullcontext()
        self._closed = False
        self._users = 0
        self._user_left = threading.Condition()

    @classmethod
    def open(
        cls,
        place: str | os.PathLike[str],
        *,
        wait_seconds: float,
        durable: bool = False,
        groups: Sequence[TableGroup] = (CARD_TABLES,),
    ) -> Self:
        """Open a database, and create missing tables.

        Args:
            place: A path or a URL.
            wait_seconds: How long to wait for another process that writes.
            durable: Whether SQLite waits at each commit for the disk, about half a millisecond;
                PostgreSQL always does.
            groups: The required tables.

        Raises:
            BadArgument: If the place is neither a path nor a URL of a supported database.
            MissingPackage: If the driver for PostgreSQL is not installed.
            StoreError: If the database cannot be used.
        """
        database = cls(place, wait_seconds=wait_seconds, durable=durable)
        try:
            with database.reading() as connection:
                missing = missing_groups(connection, groups)
            if missing:
                with database.writing() as connection:
                    create_groups(connection, groups)
        except BaseException:
            database.close()
            raise
        return database

    def close(self) -> None:
        """Close all connections, after threads that use the database have finished.

        For a database in memory it waits as long as needed, for others some seconds.
        """
        # Closing a SQLite connection during a statement crashes the process.
        with self._lock, self._user_left:
            self._closed = True
            if not self._shared:
                # A connection that returns after the others are closed would stay open, and its file in use.
                self._user_left.wait_for(lambda: not self._users, _CLOSING_SECONDS)
            self.engine.dispose()

    @contextlib.contextmanager
    def reading(self) -> Generator[Connection]:
        """Yield a connection that sees a consistent state of the database."""
        with self._lock, converted_errors(self.display_name), self._connected() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Generator[Connection]:
        """Yield a connection in a write transaction: exclusive in SQLite, with row locks in PostgreSQL."""
        with (
            self._lock,
            converted_errors(self.display_name),
            self._connected() as connection,
            connection.execution_options(write=True).begin(),
        ):
            yield connection

    @contextlib.contextmanager
    def _connected(self) -> Generator[Connection]:
        with self._user_left:
            if self._closed:
                raise StoreError("unreachable", f"{self.display_name} is closed; open it again")
            self._users += 1
        try:
            with self.engine.connect() as connection:
                yield connection
        finally:
            with self._user_left:
                self._users -= 1
                self._user_left.notify_all()


def database_url(place: str | os.PathLike[str]) -> URL:
    """Return the URL of a supported database.

    Raises:
        BadArgument: If the place is neither a path nor a URL of one.
    """
    path = os.fspath(place)
    if not isinstance(path, str) or not path or "\x00" in path:
        raise BadArgument("url", "must be a path, or a URL such as postgresql://host/database")
    if path == _MEMORY:
        return make_url("sqlite://")
    if isinstance(place, os.PathLike) or "://" not in path:
        return make_url("sqlite://").set(database=str(Path(path).expanduser()))
    try:
        url = make_url(path)
    except ArgumentError as error:
        raise BadArgument(
            "url", "is not a database URL; use a path, or postgresql://host/database"
        ) from error
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "postgresql+psycopg"):
        raise BadArgument("url", f"{url.drivername} is not a supported database; use SQLite or PostgreSQL")
    return url


def in_memory(url: URL) -> bool:
    """Whether a database is in memory only."""
    return url.get_backend_name() == "sqlite" and url.database in (None, "", _MEMORY)


def _without_password(url: URL) -> str:
    """Return a URL without user, password and options."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    port = f":{url.port}" if url.port else ""
    return f"{url.database or ''} at {url.host or 'localhost'}{port}".strip()


def _engine(url: URL, wait_seconds: float, synchronous: str) -> Engine:
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, wait_seconds, synchronous)
    with requires_extra("postgresql"):
        import psycopg  # noqa: F401  # pyright: ignore[reportUnusedImport] - SQLAlchemy imports it by its name
    # Waiting for a pooled connection has the same limit as waiting for a lock.
    return create_engine(
        url,
        pool_pre_ping=True,
        pool_timeout=max(wait_seconds, 1.0),
        connect_args=session_arguments(url, wait_seconds),
    )


def session_arguments(url: URL, wait_seconds: float) -> dict[str, Any]:
    """Return the session settings for psycopg, in addition to those of the URL.

    They limit the wait for a lock and for the server. A transaction of a frozen process, or of a lost machine, is
    ended after some seconds, so that others can take over its tasks.
    """
    lock_timeout = f"-c lock_timeout={max(1, int(wait_seconds * 1000))}"
    idle_timeout = f"-c idle_in_transaction_session_timeout={_FROZEN_SECONDS * 1000}"
    return {
        "options": f"{url.query.get('options', '')} {lock_timeout} {idle_timeout}".strip(),
        "connect_timeout": int(max(wait_seconds, 2)),
    }


def advisory_lock(name: str) -> TextClause:
    """Return the PostgreSQL statement that takes the lock of a name until the end of the transaction."""
    number = int.from_bytes(sha256(name.encode()).digest()[:8], "big", signed=True)
    return text("SELECT pg_advisory_xact_lock(:number)").bindparams(bindparam("number", number, BigInteger))


def _check_folder(folder: Path) -> None:
    try:
        exists = folder.is_dir()
    except OSError as error:
        raise StoreError(
            "unreachable", f"the folder {folder} is not accessible: give this user permission"
        ) from error
    if not exists:
        raise StoreError("unreachable", f"the folder {folder} does not exist: create it, or use another path")


def _use_wal(connection: Any, wait_seconds: float) -> None:
    """Set the WAL mode of a file; SQLite ignores its lock timeout for this."""
    end = time.monotonic() + wait_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() >= end:
                raise
            time.sleep(_WAL_PAUSE_SECONDS)
        else:
            return


def _check_tables(connection: Any, place: str) -> None:
    """Refuse a file of another program before the first statement that writes: WAL mode is stored in the file."""
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    try:
        refuse_foreign_tables([name for (name,) in rows], place)
    except StoreError:
        connection.close()
        raise


def _sqlite(url: URL, wait_seconds: float, synchronous: str) -> Engine:
    if not in_memory(url):
        _check_folder(Path(str(url.database)).parent)
    memory: dict[str, Any] = {"poolclass": StaticPool} if in_memory(url) else {}
    engine = create_engine(url, connect_args={"timeout": wait_seconds, "check_same_thread": False}, **memory)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: Any) -> None:
        # The driver must not begin transactions by itself: `begin` below does.
        connection.isolation_level = None
        _check_tables(connection, str(url.database))
        connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        _use_wal(connection, wait_seconds)
        for statement in (
            # With WAL a killed process loses nothing. With NORMAL a power cut loses at most the last commits, never
            # the file: enough for cards, which are fetched again, but not for keys.
            f"PRAGMA synchronous = {synchronous}",
            "PRAGMA foreign_keys = ON",
            "PRAGMA cache_size = -32768",
            "PRAGMA temp_store = MEMORY",
        ):
            connection.execute(statement)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # SQLite cannot wait when a reader becomes a writer: writers must lock at the start.
        writes = connection.get_execution_options().get("write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    _ = (set_up, begin)
    return engine
