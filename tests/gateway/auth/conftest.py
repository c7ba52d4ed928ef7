"""An authenticator for one test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.gateway.auth.callers import AuthSetup, auth_setup

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def auth(tmp_path: Path) -> Iterator[AuthSetup]:
    yield from auth_setup(tmp_path)
