"""A pytest plugin that writes which tests failed (`--failures FILE`), for `checks.stages`, and lists what a run should show.

CI refuses a skipped test: its environment has what every test needs.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.shared import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterable

# What may be missing even in CI: data that lies beside the checkout, never in it. Tests that are made from such
# data are empty without it.
ABSENT: Final = ("is not beside this checkout", *(() if SHARED.exists() else ("got empty parameter set",)))
# A fast test takes less than a second. A busy machine makes any test slow: the list is for a person, it fails nothing.
SLOW_SECONDS: Final = 5.0


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--failures", metavar="FILE", help="write the ids of the tests that failed to FILE")


@pytest.hookimpl(tryfirst=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    reports: dict[str, list[pytest.TestReport]] = terminalreporter.stats
    if config.getoption("tier") == "fast":
        _list_slow(terminalreporter, reports.get("passed", []))
    skipped = _refused_skips(reports.get("skipped", [])) if "CARDWRIGHT_CI" in os.environ else []
    if skipped:
        terminalreporter.section("skipped in CI", red=True)
        for line in skipped:
            terminalreporter.line(line)
        terminalreporter._session.exitstatus = pytest.ExitCode.TESTS_FAILED  # type: ignore[union-attr] # pytest has no public way
    file = config.getoption("failures")
    if file:
        failed = sorted({report.nodeid for kind in ("failed", "error") for report in reports.get(kind, [])})
        # A run that is interrupted, or that collects with errors, has another fault than tests that failed.
        other = (
            bool(skipped)
            or _covers_too_little(config)
            or exitstatus != pytest.ExitCode.TESTS_FAILED
            or not all("::" in one for one in failed)
        )
        Path(file).write_text(json.dumps({"failed": failed, "other": other}), encoding="utf-8")


def _covers_too_little(config: pytest.Config) -> bool:
    coverage: Any = config.pluginmanager.getplugin("_cov")
    if coverage is None or not coverage.options.cov_fail_under:
        return False
    return bool((coverage.cov_total or 0) < coverage.options.cov_fail_under)


def _list_slow(terminalreporter: pytest.TerminalReporter, reports: Iterable[pytest.TestReport]) -> None:
    slow = [report for report in reports if report.when == "call" and report.duration >= SLOW_SECONDS]
    if slow:
        terminalreporter.section("slow tests of the fast tier: make them quicker, or mark what they need")
        for report in sorted(slow, key=lambda report: -report.duration):
            terminalreporter.line(f"{report.duration:6.1f} s {report.nodeid}")


def _refused_skips(reports: Iterable[pytest.TestReport]) -> list[str]:
    return [
        f"{report.nodeid}: {report.longrepr}"
        for report in reports
        if not any(reason in str(report.longrepr) for reason in ABSENT)
    ]
