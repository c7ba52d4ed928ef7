"""The tiers of the tests, by what a test needs: `--tier fast`, `slow` (all others), `all` (both) or `cluster`.

A folder, a fixture or a database among the parameters says most of it; `pytestmark` and decorators say the rest.
A test that has no kind belongs to the fast tier: it may start no process, and takes less than a second on a quiet machine
(`tests/failures.py` lists slower ones; no test fails by its time).
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path
    from types import FrameType

# What keeps a test out of the fast tier.
KINDS: Final = frozenset({"process", "browser", "postgresql", "redis", "codegen", "cluster", "bulk"})
TIERS: Final = ("fast", "slow", "all", "cluster")

FOLDERS: Final = {
    "tests/codegen/": "codegen", "tests/typing/": "process", "tests/tck/test_requirements.py": "process",
    "tests/gateway/backends/test_mcp.py": "process", "tests/gateway/upstream/mcp/test_inventory.py": "process",
    "tests/gateway/upstream/mcp/test_session.py": "process", "tests/gateway/upstream/mcp/test_faults.py": "process",
    "tests/serve/test_framing.py": "process", "tests/oracles/test_a2a_sdk_bridge.py": "bulk",
    "tests/oracles/test_sdk_serving.py": "bulk", "tests/oracles/test_cache_tests.py": "process",
    "tests/oracles/test_mcp_conformance.py": "process", "tests/oracles/test_js_sdk_conversion.py": "process",
    "tests/oracles/test_js_sdk_signing.py": "process", "tests/cluster/": "cluster", "tests/benchmarks/": "bulk",
    "tests/serve/test_schemathesis.py": "bulk", "tests/gateway/api/owner/test_schemathesis.py": "bulk",
}  # fmt: skip
# The end of a file's name, and the kind of all its tests.
ENDINGS: Final = {"_in_a_browser.py": "browser"}
FIXTURES: Final = {"chromium": "browser", "postgresql": "postgresql", "redis": "redis"}

# Of the parameters of a test, coverage measures so many in each worker.
TRACED_CASES: Final = 2

_running: list[pytest.Item] = []
_started: list[str] = []
_cases: Counter[str] = Counter()
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


def _kinds_by_place(item: pytest.Item) -> set[str]:
    """Return the kinds of a test's folder, fixtures and parameters."""
    kinds = _kinds_of_file(item.nodeid.partition("::")[0])
    kinds |= {FIXTURES[name] for name in getattr(item, "fixturenames", ()) if name in FIXTURES}
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    if any(type(value) is str and value == "postgresql" for value in parameters.values()):
        kinds.add("postgresql")
    return kinds


def _kinds_of_file(path: str) -> set[str]:
    kinds = {kind for place, kind in FOLDERS.items() if path.startswith(place)}
    return kinds | {kind for ending, kind in ENDINGS.items() if path.endswith(ending)}


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
    kinds = _kinds_of_file(path)
    if tier == "cluster" and collection_path.is_file():
        return "cluster" not in kinds
    return True if kinds and not _belongs(kinds, tier) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        for kind in sorted(_kinds_by_place(item)):
            item.add_marker(kind)
    tier = config.getoption("tier")
    if tier is None:
        return
    config.hook.pytest_deselected(items=[item for item in items if not _belongs(kinds_of(item), tier)])
    items[:] = [item for item in items if _belongs(kinds_of(item), tier)]


def _belongs(kinds: set[str], tier: str) -> bool:
    if tier in ("fast", "slow"):
        return bool(kinds) == (tier == "slow") and "cluster" not in kinds
    return ("cluster" in kinds) == (tier == "cluster")


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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    return (yield from _checked())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    # pytest-cov's `no_cover` has no effect in a worker of pytest-xdist.
    trace = None if _is_traced(item) else sys.gettrace()
    if trace is not None:
        sys.settrace(None)
    try:
        return (yield from _checked())
    finally:
        if trace is not None:
            sys.settrace(trace)


def _is_traced(item: pytest.Item) -> bool:
    """Return whether coverage measures a test: the examples and most parameters of a function repeat lines, at twice the time."""
    function = item.nodeid.partition("[")[0]
    _cases[function] += 1
    generated = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    return not generated and _cases[function] <= TRACED_CASES


def _checked() -> Generator[None, object, object]:
    """Fail a fast test that started a process, even if what it ran took the refusal for a fault of the program."""
    try:
        return (yield)
    finally:
        if _started:
            _started.clear()
            pytest.fail(STARTS, pytrace=False)
