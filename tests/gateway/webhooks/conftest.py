"""Stores that webhooks stand on: a file, and a database of PostgreSQL that is gone afterwards."""

from __future__ import annotations

import os
import uuid
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from tests.services import POSTGRESQL, USUAL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def postgresql() -> Iterator[str]:
    """The URL of an empty database of PostgreSQL."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    server = os.environ.get(POSTGRESQL, USUAL)
    name = f"cardwright_{uuid.uuid4().hex}"
    url = server.replace("postgresql://", "postgresql+psycopg://", 1)
    engine = create_engine(url, isolation_level="AUTOCOMMIT", connect_args={"connect_timeout": 2})
    try:
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
    except SQLAlchemyError:
        pytest.skip("no PostgreSQL answers: start one, or name one by CARDWRIGHT_POSTGRESQL")
    yield server.rpartition("/")[0] + f"/{name}"
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store is: what holds in one database holds in the other."""
    if request.param == "sqlite":
        return str(tmp_path / "store")
    return str(request.getfixturevalue("postgresql"))
