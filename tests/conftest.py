"""Hypothesis profiles, and the rule that CI skips nothing it should run."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.shared import SHARED

# The tiers, and what keeps a test out of the fast one.
pytest_plugins = ("tests.tiers",)

# What may be missing even in CI: data that lies beside the checkout, never in it. Tests that are made from such
# data are empty without it.
ABSENT = ["is not beside this checkout"] + ([] if SHARED.exists() else ["got empty parameter set"])

settings.register_profile("dev", max_examples=25, deadline=None)
# A shell starts what runs in the background with SIGINT ignored, and the processes of the tests would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Tracing makes each example several times as slow.
settings.register_profile("coverage", max_examples=25, deadline=None, derandomize=True)
settings.register_profile("ci", max_examples=200, deadline=None, derandomize=True)
settings.register_profile(
    "fuzz", max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if "CARDWRIGHT_CI" not in os.environ:
        return
    unexpected = [
        report
        for report in terminalreporter.stats.get("skipped", [])
        if not any(reason in str(report.longrepr) for reason in ABSENT)
    ]
    if unexpected:
        terminalreporter.section("skipped in CI", red=True)
        for report in unexpected:
            terminalreporter.line(f"{report.nodeid}: {report.longrepr}")
        terminalreporter._session.exitstatus = pytest.ExitCode.TESTS_FAILED  # type: ignore[union-attr] # pytest has no public way


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return Path(__file__).resolve().parents[1]
