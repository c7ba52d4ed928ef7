"""Conversion of database errors to `StoreError` with a cause and a fix."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from cardwright.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Generator

_MESSAGES: Final = {
    "full": "is full, and this was not stored: free disk space, or purge peers with their history",
    "locked": "is locked by another process: wait until it ends, or use a longer timeout",
    "corrupt": "is damaged or not a database: use another file, or restore a backup",
    "read-only": "is not writable: give this user write permission for the file and its folder, or use another",
    "unreachable": "is unreachable",
    "other": "rejected a statement",
}
# SQLite's primary result codes; extended ones have them in the low byte.
_SQLITE_CAUSES: Final = {
    sqlite3.SQLITE_FULL: "full", sqlite3.SQLITE_BUSY: "locked", sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_CORRUPT: "corrupt", sqlite3.SQLITE_NOTADB: "corrupt", sqlite3.SQLITE_IOERR: "other",
    sqlite3.SQLITE_READONLY: "read-only", sqlite3.SQLITE_PERM: "read-only", sqlite3.SQLITE_AUTH: "read-only",
    sqlite3.SQLITE_CANTOPEN: "unreachable",
}  # fmt: skip
# PostgreSQL, Appendix A: classes have two characters, single error codes five.
_POSTGRESQL_CAUSES: Final = {
    "53100": "full", "53200": "full", "55P03": "locked", "40P01": "locked", "40001": "locked", "25006": "read-only",
    "42501": "read-only", "XX001": "corrupt", "XX002": "corrupt", "08": "unreachable", "28": "unreachable",
    "3D": "unreachable", "57": "unreachable", "53": "unreachable",
}  # fmt: skip


@contextlib.contextmanager
def converted_errors(display_name: str) -> Generator[None]:
    """Convert database errors to `StoreError`; `display_name` is the name of the database, without a password."""
    try:
        yield
    except SQLAlchemyError as error:
        raise store_error(display_name, error) from error


def store_error(display_name: str, error: SQLAlchemyError) -> StoreError:
    """Return the `StoreError` with the cause and the fix."""
    if isinstance(error, PoolTimeout):
        return StoreError("locked", f"{display_name}: all connections are in use; wait, or use fewer threads")
    original = error.orig if isinstance(error, DBAPIError) else None
    cause = cause_of(original)
    # The driver's message is about the database and the statement; it contains no value of a card.
    reason = str(original).partition("\n")[0] if cause in ("unreachable", "other") and original else ""
    message = f"{display_name} {_MESSAGES[cause]}{f': {reason}' if reason else ''}"
    return StoreError(cause, message)


def cause_of(original: BaseException | None) -> str:
    """Return the cause for a driver's exception."""
    if isinstance(original, sqlite3.Error):
        return _SQLITE_CAUSES.get(getattr(original, "sqlite_errorcode", 0) & 0xFF, "other")
    state = getattr(original, "sqlstate", None)
    if isinstance(state, str):
        return _POSTGRESQL_CAUSES.get(state, _POSTGRESQL_CAUSES.get(state[:2], "other"))
    # psycopg has no SQLSTATE if the connection failed or broke.
    return "unreachable" if type(original).__name__ in ("OperationalError", "InterfaceError") else "other"
