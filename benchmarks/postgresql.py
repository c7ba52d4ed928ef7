"""A database of PostgreSQL for one benchmark, on the server that CARDWRIGHT_POSTGRESQL names."""

from __future__ import annotations

import contextlib
import os
import uuid
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

if TYPE_CHECKING:
    from collections.abc import Generator

_SERVER: Final = os.environ.get("CARDWRIGHT_POSTGRESQL", "postgresql://postgres@127.0.0.1:5432/test")


@contextlib.contextmanager
def temporary_database() -> Generator[str]:
    """Yield the URL of a temporary database; "" if no PostgreSQL server is reachable."""
    name = f"cardwright_{uuid.uuid4().hex}"
    url = _SERVER.replace("postgresql://", "postgresql+psycopg://", 1)
    engine: Any = create_engine(url, isolation_level="AUTOCOMMIT", connect_args={"connect_timeout": 2})
    try:
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
    except SQLAlchemyError:
        yield ""
        return
    try:
        yield f"{_SERVER.rpartition('/')[0]}/{name}"
    finally:
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()
