"""A database of a gateway, in SQLite and in PostgreSQL, emptied for each test."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete

from cardwright_gateway.database.tables import METADATA, open_database
from tests.databases import own_database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.store.database import Database


@pytest.fixture(scope="package")
def place() -> Iterator[str]:
    """A database of PostgreSQL that is gone after these modules."""
    with own_database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    """An empty database with the tables of a gateway."""
    where = ":memory:" if request.param == "sqlite" else request.getfixturevalue("place")
    with closing(open_database(where, wait_seconds=10)) as opened:
        with opened.writing() as connection:
            for table in METADATA.sorted_tables:
                connection.execute(delete(table))
        yield opened
