"""What tests of tasks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.gateway.running import AGENTS, Process, process

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def tides() -> Iterator[Process]:
    """An agent of a2a-sdk 1.3, in a process of its own."""
    with process(AGENTS / "modern.py") as peer:
        yield peer
