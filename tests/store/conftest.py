"""A store that is gone after the test."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cardwright.store import CardStore
from cardwright.store.database import Database
from tests.store.cards import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def database() -> Iterator[Database]:
    """A database in memory."""
    with closing(Database.open(":memory:", wait_seconds=1)) as opened:
        yield opened


@pytest.fixture
def store(database: Database) -> CardStore:
    """A store in it, with a fixed clock."""
    return CardStore(database, clock=lambda: NOW)
