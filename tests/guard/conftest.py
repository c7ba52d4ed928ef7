"""The same tests for both ways to connect: reused connections, and one for each request."""

from __future__ import annotations

import pytest

from cardwright.guard import GuardedClient


@pytest.fixture(params=[True, False], ids=["reused", "single"])
def both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with clients that reuse connections, and with clients that do not."""
    defaults = GuardedClient.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "keep_alive", request.param)
