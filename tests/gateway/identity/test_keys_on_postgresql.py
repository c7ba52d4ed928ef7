"""Whatever holds of keys in SQLite holds in PostgreSQL."""

from __future__ import annotations

import inspect
import os
import uuid
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from tests.gateway.identity import test_agent_keys
from tests.gateway.identity.callers import House, house
from tests.services import POSTGRESQL, USUAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SERVER = os.environ.get(POSTGRESQL, USUAL)
CLAIMS = [
    claim
    for name, claim in vars(test_agent_keys).items()
    if name.startswith("test_") and {*inspect.signature(claim).parameters} == {"home"}
]


@pytest.fixture(scope="module")
def place() -> Iterator[str]:
    """A database that is gone after this module."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    name = f"cardwright_{uuid.uuid4().hex}"
    url = SERVER.replace("postgresql://", "postgresql+psycopg://", 1)
    engine = create_engine(url, isolation_level="AUTOCOMMIT", connect_args={"connect_timeout": 2})
    try:
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
    except SQLAlchemyError:
        pytest.skip("no PostgreSQL answers: start one, or name one by CARDWRIGHT_POSTGRESQL")
    yield SERVER.rpartition("/")[0] + f"/{name}"
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture
def home(place: str, tmp_path: Path) -> Iterator[House]:
    """A house in it, emptied."""
    for made in house(tmp_path, place=place):
        with made.database.writing() as connection:
            connection.execute(text("TRUNCATE agent_keys, audit"))
        yield made


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
def test_what_holds_in_sqlite_holds_here(claim: Callable[[House], None], home: House) -> None:
    claim(home)
