"""One database: where it lies, how it is opened, and transactions on it."""

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
from cardwright.store.faults import translated
from cardwright.store.index import INDEXES
from cardwright.store.table_group import create_groups, missing_groups
from cardwright.store.tables import CARD_TABLES

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from sqlalchemy import URL, Connection, Engine, TextClause

    from cardwright.store.index import Index
    from cardwright.store.table_group import TableGroup

_MEMORY: Final = ":memory:"
# A row with a card is some 2 KiB; in pages of 4 KiB every second half would stay empty.
_PAGE_BYTES: Final = 8192
# No transaction waits for anything but the database for so long (ours).
_FROZEN_SECONDS: Final = 10
# Another process that makes the same new file has it for milliseconds (project decision).
_WAL_PAUSE_SECONDS: Final = 0.01
# How long threads that are at a database are waited for when it is closed (ours).
_CLOSING_SECONDS: Final = 2.0


class Database:
    """An engine, and its transactions; nothing of SQLAlchemy's errors leaves them."""

    def __init__(
        self, place: str | os.PathLike[str], *, wait_seconds: float, survives_power_cut: bool = False
    ) -> None:
        url = database_url(place)
        self.shown = "the database in memory" if in_memory(url) else f"the database {_shown(url)}"
        self.engine = _engine(url, wait_seconds, "FULL" if survives_power_cut else "NORMAL")
        self.index: Index = INDEXES[url.get_backend_name()]
        # All threads share the one connection of a database in memory.
        self._shared = in_memory(url)
        self._turn = threading.RLock() if self._shared else contextlib.nullcontext()
        self._closed = False
        self._users = 0
        self._left = threading.Condition()

    @classmethod
    def open(
        cls,
        place: str | os.PathLike[str],
        *,
        wait_seconds: float,
        survives_power_cut: bool = False,
        groups: Sequence[TableGroup] = (CARD_TABLES,),
    ) -> Self:
        """Open a database, with its tables made where they are missing.

        Args:
            place: A path, or a URL.
            wait_seconds: How long to wait for another process that writes.
            survives_power_cut: Whether SQLite waits at each commit until the disk has it, some half a millisecond;
                PostgreSQL always does.
            groups: The tables that it must hold.

        Raises:
            BadArgument: If the place is no path and no URL of a known database.
            MissingPackage: If PostgreSQL's driver is not installed.
            StoreError: If the database cannot be used.
        """
        database = cls(place, wait_seconds=wait_seconds, survives_power_cut=survives_power_cut)
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
        """Close all connections; threads that are at the database end their work there first.

        At one in memory however long that takes; at others, some seconds.
        """
        # SQLite does not outlive it that a connection is closed under a statement: the process ends.
        with self._turn, self._left:
            self._closed = True
            if not self._shared:
                # A connection that comes back after the others are closed stays open, and its file in use.
                self._left.wait_for(lambda: not self._users, _CLOSING_SECONDS)
            self.engine.dispose()

    @contextlib.contextmanager
    def reading(self) -> Generator[Connection]:
        """Return a connection that sees one state of the database."""
        with self._turn, translated(self.shown), self._connected() as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Generator[Connection]:
        """Return a connection in a transaction that is the only one to write (SQLite) or locks what it takes."""
        with (
            self._turn,
            translated(self.shown),
            self._connected() as connection,
            connection.execution_options(write=True).begin(),
        ):
            yield connection

    @contextlib.contextmanager
    def _connected(self) -> Generator[Connection]:
        with self._left:
            if self._closed:
                raise StoreError("unreachable", f"{self.shown} was closed: open it again")
            self._users += 1
        try:
            with self.engine.connect() as connection:
                yield connection
        finally:
            with self._left:
                self._users -= 1
                self._left.notify_all()


def database_url(place: str | os.PathLike[str]) -> URL:
    """Return the URL of a database that is known here.

    Raises:
        BadArgument: If the place is no path and no URL of one.
    """
    told = os.fspath(place)
    if not isinstance(told, str) or not told or "\x00" in told:
        raise BadArgument("url", "is a path, or a URL such as postgresql://host/database")
    if told == _MEMORY:
        return make_url("sqlite://")
    if isinstance(place, os.PathLike) or "://" not in told:
        return make_url("sqlite://").set(database=str(Path(told).expanduser()))
    try:
        url = make_url(told)
    except ArgumentError as error:
        raise BadArgument(
            "url", "is no URL of a database: give a path, or postgresql://host/database"
        ) from error
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "postgresql+psycopg"):
        raise BadArgument(
            "url", f"{url.drivername} is no database that is known here: use SQLite or PostgreSQL"
        )
    return url


def in_memory(url: URL) -> bool:
    """Whether a database is gone with its process."""
    return url.get_backend_name() == "sqlite" and url.database in (None, "", _MEMORY)


def _shown(url: URL) -> str:
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
    # Whoever waits for a connection waits no longer than he was told to, either.
    return create_engine(
        url,
        pool_pre_ping=True,
        pool_timeout=max(wait_seconds, 1.0),
        connect_args=session_arguments(url, wait_seconds),
    )


def session_arguments(url: URL, wait_seconds: float) -> dict[str, Any]:
    """Return what psycopg begins each session with, beside what the URL says.

    Whoever waits for a row or for the server waits no longer than that. A process that is frozen, or whose machine
    is gone, holds the rows that it has locked no longer than some seconds: others have to end its tasks.
    """
    waits = f"-c lock_timeout={max(1, int(wait_seconds * 1000))}"
    frozen = f"-c idle_in_transaction_session_timeout={_FROZEN_SECONDS * 1000}"
    return {
        "options": f"{url.query.get('options', '')} {waits} {frozen}".strip(),
        "connect_timeout": int(max(wait_seconds, 2)),
    }


def advisory_lock(name: str) -> TextClause:
    """Return the statement that waits for others of that name in PostgreSQL, until the end of a transaction."""
    number = int.from_bytes(sha256(name.encode()).digest()[:8], "big", signed=True)
    return text("SELECT pg_advisory_xact_lock(:number)").bindparams(bindparam("number", number, BigInteger))


def _look_for_folder(folder: Path) -> None:
    try:
        there = folder.is_dir()
    except OSError as error:
        raise StoreError(
            "unreachable", f"the folder {folder} may not be looked into: give this user the right to"
        ) from error
    if not there:
        raise StoreError("unreachable", f"the folder {folder} does not exist: make it, or name another place")


def _use_wal(connection: Any, wait_seconds: float) -> None:
    """Have a file written by WAL; SQLite waits for nobody there, whatever its timeout."""
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


def _sqlite(url: URL, wait_seconds: float, synchronous: str) -> Engine:
    if not in_memory(url):
        _look_for_folder(Path(str(url.database)).parent)
    memory: dict[str, Any] = {"poolclass": StaticPool} if in_memory(url) else {}
    engine = create_engine(url, connect_args={"timeout": wait_seconds, "check_same_thread": False}, **memory)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: Any) -> None:
        # The driver begins no transaction by itself: `begin` below does.
        connection.isolation_level = None
        connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        _use_wal(connection, wait_seconds)
        for statement in (
            # In WAL a killed process loses nothing; with NORMAL a power cut takes at most the last commits, never
            # the file: enough for cards, which the next refresh finds again, and not for keys.
            f"PRAGMA synchronous = {synchronous}",
            "PRAGMA foreign_keys = ON",
            "PRAGMA cache_size = -32768",
            "PRAGMA temp_store = MEMORY",
        ):
            connection.execute(statement)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A reader that turns writer midway could not wait for its turn: say at the start who writes.
        writes = connection.get_execution_options().get("write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    _ = (set_up, begin)
    return engine
