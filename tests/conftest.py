"""Hypothesis profiles, and the plugins of this test suite."""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ("tests.tiers", "tests.failures")

# A shell starts what runs in the background with SIGINT ignored, and the processes of the tests would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# How long examples take depends on what else the machine does: it fails no test.
any_time = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("dev", any_time, max_examples=25)
settings.register_profile("ci", any_time, max_examples=50, derandomize=True)
settings.register_profile("fuzz", any_time, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return Path(__file__).resolve().parents[1]


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine as a program would run it, so that it can count the tasks that are left."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True
