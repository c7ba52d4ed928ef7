"""A store that is gone after the test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardwright.store import CardStore
from tests.store.cards import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def store() -> Iterator[CardStore]:
    """A store in memory, at a time that stands still."""
    with CardStore.open(clock=lambda: NOW) as opened:
        yield opened
