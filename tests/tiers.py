"""The tiers of the tests, by what a test needs: `--tier fast`, `slow` (all others), `all` (both) or `cluster`.

A folder, a fixture or a database among the parameters says most of it; `pytestmark` and decorators say the rest.
A test that has no kind belongs to the fast tier: it may start no process, and may not take long.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path
    from types import FrameType

# What keeps a test out of the fast tier.
KINDS: Final = frozenset(
    {"process", "browser", "postgresql", "redis", "codegen", "cluster", "bulk"},
)
TIERS: Final = ("fast", "slow", "all", "cluster")

FOLDERS: Final = {
    "tests/codegen/": "codegen",
    "tests/typing/": "process",
    "tests/tck/test_requirements.py": "process",
    "tests/gateway/backends/test_mcp.py": "process",
    "tests/gateway/upstream/mcp/test_inventory.py": "process",
    "tests/gateway/upstream/mcp/test_session.py": "process",
    "tests/gateway/upstream/mcp/test_faults.py": "process",
    "tests/serve/test_framing.py": "process",
    "tests/oracles/test_a2a_sdk_bridge.py": "bulk",
    "tests/oracles/test_sdk_serving.py": "bulk",
    "tests/requirements/test_manifest.py": "bulk",
    "tests/oracles/test_cache_tests.py": "process",
    "tests/oracles/test_mcp_conformance.py": "process",
    "tests/oracles/test_js_sdk_conversion.py": "process",
    "tests/oracles/test_js_sdk_signing.py": "process",
    "tests/cluster/": "cluster",
    "tests/benchmarks/": "bulk",
    "tests/serve/test_schemathesis.py": "bulk",
    "tests/gateway/api/owner/test_schemathesis.py": "bulk",
}
FIXTURES: Final = {"tides": "process", "chromium": "browser", "postgresql": "postgresql", "redis": "redis"}

# What the processor may spend on a fast test, and how long one may take by the clock. A fast test takes less than a
# second; the limits are far above it, since a busy machine makes any test slow. `make test` lists what took a second.
SECONDS: Final = 5.0
CLOCK_SECONDS: Final = 15.0
# Who imports a library first pays for all who use it: such a test is judged in the next process.
IMPORTED: Final = 40
# How long the yardstick takes where nothing else runs, and how much slack there is beside it.
YARDSTICK_SECONDS: Final = 0.05
SLACK: Final = 1.25
# Documents that are drawn anew in each run cost more in one than in another.
DRAWN_SLACK: Final = 3.0

_spent = pytest.StashKey[list[float]]()
_shared: list[tuple[float, float]] = []
_running: list[pytest.Item] = []
_started: list[str] = []
STARTS: Final = "this test starts a process: mark it `process`"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--tier",
        choices=TIERS,
        help="fast: what needs nothing else; slow: the rest but cluster; all: both; cluster",
    )


def kinds_of(item: pytest.Item) -> set[str]:
    """Return what a test needs; nothing for a fast one."""
    return {mark.name for mark in item.iter_markers()} & KINDS


def _said(item: pytest.Item) -> set[str]:
    """Return the kinds that a test's place, its fixtures and its parameters say."""
    said = {kind for place, kind in FOLDERS.items() if item.nodeid.startswith(place)}
    said |= {FIXTURES[name] for name in getattr(item, "fixturenames", ()) if name in FIXTURES}
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    if any(type(value) is str and value == "postgresql" for value in parameters.values()):
        said.add("postgresql")
    return said


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what a tier has nothing of: some of it is slow to import."""
    tier = config.getoption("tier")
    if tier is None:
        return None
    path = (
        collection_path.relative_to(config.rootpath).as_posix()
        if collection_path.is_relative_to(config.rootpath)
        else ""
    )
    if collection_path.is_dir():
        path += "/"
    kinds = {kind for place, kind in FOLDERS.items() if path.startswith(place)}
    if tier == "cluster" and collection_path.is_file():
        return "cluster" not in kinds
    return True if kinds and not _belongs(kinds, tier) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        for kind in sorted(_said(item)):
            item.add_marker(kind)
    tier = config.getoption("tier")
    if tier is None:
        return
    kept = [item for item in items if _belongs(kinds_of(item), tier)]
    config.hook.pytest_deselected(items=[item for item in items if not _belongs(kinds_of(item), tier)])
    items[:] = kept


def _belongs(kinds: set[str], tier: str) -> bool:
    if tier in ("fast", "slow"):
        return bool(kinds) == (tier == "slow") and "cluster" not in kinds
    return ("cluster" in kinds) == (tier == "cluster")


# A fast test starts no process


def _refuse_processes() -> None:
    started = subprocess.Popen.__init__

    def start(self: Any, *arguments: Any, **named: Any) -> None:
        # The standard library itself asks `file` what machine this is.
        if _running and not kinds_of(_running[-1]) and not _called_by("platform"):
            _started.append(_running[-1].nodeid)
            # An exception of pytest's own would break what runs it in a group of tasks.
            raise RuntimeError(STARTS)
        started(self, *arguments, **named)

    subprocess.Popen.__init__ = start  # type: ignore[method-assign] # every way to a process leads through it


def _called_by(module: str) -> bool:
    frame: FrameType | None = inspect.currentframe()
    while frame is not None:
        if frame.f_globals.get("__name__") == module:
            return True
        frame = frame.f_back
    return False


def refuse_a_second_database() -> None:
    """Fail a test that asks for a database of PostgreSQL and is not marked by that."""
    if _running and _is_fast(_running[-1].config) and not kinds_of(_running[-1]) & {"postgresql", "cluster"}:
        pytest.fail("this test needs PostgreSQL: mark it `postgresql`, or name its fixture so")


def pytest_configure(config: pytest.Config) -> None:
    # What else runs, on a machine that other tiers keep busy, proves nothing about a fast test.
    if _is_fast(config):
        _refuse_processes()


def _is_fast(config: pytest.Config) -> bool:
    return bool(config.getoption("tier") == "fast")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    _running.append(item)
    try:
        return (yield)
    finally:
        _running.pop()


# A fast test takes less than a second


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any) -> Generator[None, object, object]:
    """Note what is made for several tests: none of them pays for it."""
    if fixturedef.scope == "function":
        return (yield)
    before = time.process_time(), time.monotonic()
    try:
        return (yield)
    finally:
        _shared.append((time.process_time() - before[0], time.monotonic() - before[1]))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    _shared.clear()
    with _counted(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    with _counted(item):
        result = yield
    cpu, clock, imported = item.stash[_spent]
    cpu -= sum(one for one, _ in _shared)
    clock -= sum(one for _, one in _shared)
    if imported <= IMPORTED and (cpu >= SECONDS or clock >= CLOCK_SECONDS) and _judged(item):
        cpu_limit, clock_limit = (
            took * limit * (DRAWN_SLACK if _draws(item) else 1.0)
            for took, limit in zip(_slower(), (SECONDS, CLOCK_SECONDS), strict=True)
        )
        if cpu >= cpu_limit or clock >= clock_limit:
            pytest.fail(
                f"a fast test takes less than 1 s; this one took {cpu:.1f} s of the processor"
                f" and {clock:.1f} s by the clock: make it quicker, or mark what it needs",
                pytrace=False,
            )
    return result


def _judged(item: pytest.Item) -> bool:
    """Return whether a test is held to the time: one with more examples than usual, or traced, is not."""
    if (
        not _is_fast(item.config)
        or kinds_of(item)
        or sys.gettrace() is not None
        or item.config.getoption("cov_source", None)
    ):
        return False
    many = os.environ.get("HYPOTHESIS_PROFILE", "dev") != "dev"
    return not (many and _draws(item))


def _draws(item: pytest.Item) -> bool:
    return bool(getattr(getattr(item, "obj", None), "is_hypothesis_test", False))


@contextlib.contextmanager
def _counted(item: pytest.Item) -> Generator[None]:
    before = time.process_time(), time.monotonic(), len(sys.modules)
    try:
        yield
    finally:
        spent = item.stash.setdefault(_spent, [0.0, 0.0, 0])
        spent[0] += time.process_time() - before[0]
        spent[1] += time.monotonic() - before[1]
        spent[2] += len(sys.modules) - before[2]
        if _started:
            # What it ran may have taken the refusal for a fault of the program.
            _started.clear()
            pytest.fail(STARTS, pytrace=False)


def _slower() -> tuple[float, float]:
    """Return how much slower than a quiet machine this one is now: its processor, and all of it by the clock."""
    before = time.process_time(), time.monotonic()
    told = b""
    for _ in range(100_000):
        told = hashlib.sha256(told).digest()
    took = time.process_time() - before[0], time.monotonic() - before[1]
    return max(1.0, took[0] / YARDSTICK_SECONDS) * SLACK, max(1.0, took[1] / YARDSTICK_SECONDS) * SLACK
