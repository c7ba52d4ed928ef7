"""A PostgreSQL database of one test module's own."""

from __future__ import annotations

import os
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from tests.services import POSTGRESQL, USUAL
from tests.tiers import refuse_a_second_database

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator


@contextmanager
def own_database() -> Generator[str]:
    """Make a database that is gone after the block, and yield its URL; skip where there is no server."""
    refuse_a_second_database()
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


@pytest.fixture(scope="module")
def place() -> Iterator[str]:
    """A database that is gone after the module."""
    with own_database() as url:
        yield url
