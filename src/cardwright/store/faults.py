"""From what a database driver raises to a `StoreError` that names the cause and how to mend it."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from cardwright.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Generator

_MEND: Final = {
    "full": "is full, and nothing of this was stored: make room on its disk, or remove peers with their history",
    "locked": "is locked by another process: wait for that to end, or allow a longer wait",
    "corrupt": "is damaged, or no database at all: name another file, or put a copy of it back",
    "read-only": "may not be written: give this user the right to write the file and its folder, or name another",
    "unreachable": "cannot be reached",
    "other": "refused a statement",
}
# SQLite's primary result codes; extended ones have them in the low byte.
_SQLITE: Final = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_CORRUPT: "corrupt",
    sqlite3.SQLITE_NOTADB: "corrupt",
    sqlite3.SQLITE_IOERR: "other",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_PERM: "read-only",
    sqlite3.SQLITE_AUTH: "read-only",
    sqlite3.SQLITE_CANTOPEN: "unreachable",
}
# PostgreSQL, Appendix A: whole classes by two characters, single conditions by five.
_POSTGRESQL: Final = {
    "53100": "full",
    "53200": "full",
    "55P03": "locked",
    "40P01": "locked",
    "40001": "locked",
    "25006": "read-only",
    "42501": "read-only",
    "XX001": "corrupt",
    "XX002": "corrupt",
    "08": "unreachable",
    "28": "unreachable",
    "3D": "unreachable",
    "57": "unreachable",
    "53": "unreachable",
}


@contextlib.contextmanager
def translated(shown: str) -> Generator[None]:
    """Raise a `StoreError` in place of whatever the database raises; `shown` is its name, without a password."""
    try:
        yield
    except SQLAlchemyError as error:
        raise store_error(shown, error) from error


def store_error(shown: str, error: SQLAlchemyError) -> StoreError:
    """Return the error that names the cause and what to do."""
    if isinstance(error, PoolTimeout):
        return StoreError("locked", f"{shown}: all connections are in use: wait, or use fewer threads")
    original = error.orig if isinstance(error, DBAPIError) else None
    cause = cause_of(original)
    # A driver's message is of the database and of our statement; no value of a card stands in it.
    reason = str(original).partition("\n")[0] if cause in ("unreachable", "other") and original else ""
    mend = f"{shown} {_MEND[cause]}{f': {reason}' if reason else ''}"
    return StoreError(cause, mend)


def cause_of(original: BaseException | None) -> str:
    """Return the cause for a driver's exception."""
    if isinstance(original, sqlite3.Error):
        return _SQLITE.get(getattr(original, "sqlite_errorcode", 0) & 0xFF, "other")
    state = getattr(original, "sqlstate", None)
    if isinstance(state, str):
        return _POSTGRESQL.get(state, _POSTGRESQL.get(state[:2], "other"))
    # psycopg has no state where no connection came about, or it broke.
    return "unreachable" if type(original).__name__ in ("OperationalError", "InterfaceError") else "other"
