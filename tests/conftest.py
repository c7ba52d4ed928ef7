"""Hypothesis profiles, and the plugins of this test suite."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ("tests.tiers", "tests.failures")

settings.register_profile("dev", max_examples=25, deadline=None)
# A shell starts what runs in the background with SIGINT ignored, and the processes of the tests would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("ci", max_examples=100, deadline=None, derandomize=True)
settings.register_profile(
    "fuzz", max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return Path(__file__).resolve().parents[1]
