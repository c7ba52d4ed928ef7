"""The database of a queue: in memory, in an SQLite file and in PostgreSQL, without turns and workers."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete

from cardwright_gateway.database.tables import QUEUE_WORKERS, QUEUED_TURNS, QUEUED_WORDS, open_database
from tests.databases import own_database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardwright.store.database import Database


@pytest.fixture(scope="package")
def place() -> Iterator[str]:
    """A database of PostgreSQL that is gone after these modules."""
    with own_database() as url:
        yield url


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database with the tables of a gateway, and no queued turns."""
    files = {"memory": ":memory:", "sqlite": str(tmp_path / "queue.db")}
    where = files.get(request.param) or request.getfixturevalue("place")
    with closing(open_database(where, wait_seconds=5.0)) as opened:
        with opened.writing() as connection:
            for table in (QUEUED_TURNS, QUEUED_WORDS, QUEUE_WORKERS):
                connection.execute(delete(table))
        yield opened
