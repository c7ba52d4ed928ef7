"""The requirements of http-cache-tests, applied to the card cache; needs node to print the tests."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from tests.oracles.cache_engine import outcome
from tests.oracles.cached_fetcher import MemoryAnswers, StoredAnswer
from tests.oracles.signers import JS, peer

LISTED: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "private-cache.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module", autouse=True)
def package() -> None:
    """Skip what needs node."""
    peer("http-cache-tests")


@cache
def suites() -> list[dict[str, Any]]:
    done = subprocess.run(["node", "private-cache.mjs"], cwd=JS, capture_output=True, check=True)
    read: list[dict[str, Any]] = json.loads(done.stdout)
    return read


@cache
def outcomes(kind: str) -> dict[str, str]:
    """Return how the tests of a kind end, those of the suites left out aside."""
    return {
        test["id"]: outcome(test)
        for suite in suites()
        if suite["id"] not in LISTED["suites_left_out"]
        for test in suite["tests"]
        if test.get("kind", "required") == kind
    }


def listed(*parts: str) -> set[str]:
    """Return the tests that these parts of the list name."""
    return {name for part in parts for row in LISTED[part] for name in row["tests"]}


def failing(kind: str) -> dict[str, str]:
    """Return the failing tests of a kind that count, and how they end."""
    return {
        name: ended
        for name, ended in outcomes(kind).items()
        if ended != "pass" and name not in listed("left_out")
    }


@pytest.mark.process
def test_the_package_has_the_suites_that_were_looked_through() -> None:
    names = [test["id"] for suite in suites() for test in suite["tests"]]

    assert (len(suites()), len(names), len(set(names))) == (24, 355, 355)
    assert [len(outcomes(kind)) for kind in ("required", "optimal", "check")] == [160, 88, 86]


def test_every_test_has_one_reason_at_most() -> None:
    names = [
        name
        for part in ("left_out", "required", "optimal", "checks")
        for row in LISTED[part]
        for name in row["tests"]
    ]

    assert len(names) == len(set(names))


@pytest.mark.process
def test_every_excluded_test_would_fail() -> None:
    ends = {**outcomes("required"), **outcomes("optimal"), **outcomes("check")}

    assert {name for name in listed("left_out") if ends[name] == "pass"} == set()


@pytest.mark.process
def test_every_required_test_passes_but_those_listed() -> None:
    assert failing("required").keys() == listed("required"), failing("required")


@pytest.mark.process
def test_every_optimal_test_passes_but_those_listed() -> None:
    assert failing("optimal").keys() == listed("optimal"), failing("optimal")


@pytest.mark.process
def test_nine_of_ten_optimal_tests_pass() -> None:
    selected = outcomes("optimal").keys() - listed("left_out")

    assert len(selected) == 75
    assert len(failing("optimal")) <= 0.1 * len(selected)


@pytest.mark.process
def test_every_failed_check_is_still_failed() -> None:
    assert failing("check").keys() == listed("checks"), failing("check")


class Forgetful(MemoryAnswers):
    """Finds nothing again."""

    async def get(self, key: str) -> tuple[StoredAnswer, ...]:  # noqa: ARG002 # that is the point
        return ()


@pytest.mark.process
def test_a_cache_that_stores_nothing_fails_the_suite() -> None:
    got = [
        test["id"]
        for suite in suites()
        for test in suite["tests"]
        if test.get("kind") == "optimal" and outcome(test, Forgetful()) == "pass"
    ]

    # There the caller's own condition is what the origin answers.
    assert got == ["conditional-lm-stale"]
