"""Stores of webhooks: a file, and a PostgreSQL database for one test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.databases import own_database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def postgresql() -> Iterator[str]:
    """The URL of an empty database of PostgreSQL."""
    with own_database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a store: SQLite or PostgreSQL."""
    if request.param == "sqlite":
        return str(tmp_path / "store")
    return str(request.getfixturevalue("postgresql"))
