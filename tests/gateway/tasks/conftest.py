"""Fixtures shared by tests of managed tasks."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from cardwright_gateway.database.tables import METADATA, open_database
from tests.databases import own_database
from tests.gateway.processes import AGENTS, Process, process

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def upstream_agent() -> Iterator[Process]:
    """An a2a-sdk 1.3 agent in its own process."""
    with process(AGENTS / "all_features.py") as peer:
        yield peer


@pytest.fixture(scope="module")
def on_postgresql() -> Iterator[str]:
    """A database of PostgreSQL that is gone after this module."""
    with own_database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a gateway stores its tasks: a database that is empty at the start of each test."""
    if request.param == "sqlite":
        return str(tmp_path / "gateway.db")
    url = str(request.getfixturevalue("on_postgresql"))
    with closing(open_database(url)) as database, database.writing() as connection:
        connection.execute(text(f"TRUNCATE {', '.join(table.name for table in METADATA.sorted_tables)}"))
    return url
