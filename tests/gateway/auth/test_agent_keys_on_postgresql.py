"""Agent keys on PostgreSQL behave as on SQLite."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from tests.databases import place
from tests.gateway.auth import test_agent_keys
from tests.gateway.auth.callers import AuthSetup, auth_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from pathlib import Path

CLAIMS = [
    claim
    for name, claim in vars(test_agent_keys).items()
    if name.startswith("test_") and {*inspect.signature(claim).parameters} == {"auth"}
]

__all__ = ["place"]
pytestmark = pytest.mark.postgresql


@pytest.fixture
def auth(place: str, tmp_path: Path) -> Iterator[AuthSetup]:
    """An authenticator on it, with empty tables."""
    for made in auth_setup(tmp_path, place=place):
        with made.database.writing() as connection:
            connection.execute(text("TRUNCATE agent_keys, audit"))
        yield made


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
def test_keys_work_on_postgresql_as_on_sqlite(
    claim: Callable[[AuthSetup], Coroutine[None, None, None] | None], auth: AuthSetup
) -> None:
    ended = claim(auth)
    if ended is not None:
        asyncio.run(ended)
