"""What replicas share: a database for each module, and a Redis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.databases import own_database, place
from tests.services import redis_named

if TYPE_CHECKING:
    from collections.abc import Iterator


__all__ = ["place"]


@pytest.fixture
def postgresql() -> Iterator[str]:
    """The URL of an empty database of PostgreSQL."""
    with own_database() as url:
        yield url


@pytest.fixture(scope="session")
def redis() -> str:
    """The URL of a Redis that answers."""
    url = redis_named()
    if url is None:
        pytest.skip("no Redis answers: start one, or name one by CARDWRIGHT_REDIS")
    return url
