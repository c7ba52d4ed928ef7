"""An identity that is gone after the test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.gateway.auth.callers import House, house

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path) -> Iterator[House]:
    yield from house(tmp_path)
