"""The stages of `make check`: what a failed, a flaky and a broken stage do to the exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from checks.stages import CHECK, NIGHTLY, ROOT, Result, Stage, only_failures, summary

if TYPE_CHECKING:
    from pathlib import Path

FAST = Stage("fast", (), tier="fast")
LINT = Stage("lint", ())
TEST = "tests/test_x.py::test_y"


@pytest.mark.parametrize(("environment", "status"), [({"CARDWRIGHT_CI": "1"}, 0), ({}, 3)])
def test_a_flaky_test_is_listed_and_fails_only_outside_of_ci(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    environment: dict[str, str],
    status: int,
) -> None:
    monkeypatch.delenv("CARDWRIGHT_CI", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert summary([Result(FAST, 1, 2.0, [TEST])], flaky=[TEST], failed=[], total=3.0) == status
    *_, flaky, total = capsys.readouterr().out.splitlines()
    assert flaky == f"FLAKY {TEST}"
    assert total.split() == ["3", "s", "in", "all"]


@pytest.mark.parametrize(
    ("results", "failed"),
    [
        ([Result(FAST, 1, 2.0, [TEST])], [TEST]),
        ([Result(FAST, 1, 2.0, [TEST]), Result(LINT, 2, 1.0)], []),
        ([Result(FAST, 2, 2.0)], []),
    ],
)
def test_a_test_that_fails_twice_and_any_other_fault_fail_in_ci(
    monkeypatch: pytest.MonkeyPatch, results: list[Result], failed: list[str]
) -> None:
    monkeypatch.setenv("CARDWRIGHT_CI", "1")

    assert summary(results, flaky=[] if failed else [TEST], failed=failed, total=3.0) == 1


def test_the_stages_have_unique_names() -> None:
    for plan in (CHECK, NIGHTLY):
        names = [stage.name for group in plan for lane in group for stage in lane]
        assert len(set(names)) == len(names)


@pytest.mark.process
@pytest.mark.parametrize(
    ("source", "environment", "failed"),
    [
        ("def test_y(): assert 0", {}, ["test_x.py::test_y"]),
        ("import nothing_of_this_name", {}, []),
        (
            "import pytest\ndef test_y(): assert 0\ndef test_z(): pytest.skip('no browser')",
            {"CARDWRIGHT_CI": "1"},
            [],
        ),
    ],
    ids=["a failed test", "an error at import", "a skipped test in CI"],
)
def test_only_failed_tests_may_run_again(
    tmp_path: Path, source: str, environment: dict[str, str], failed: list[str]
) -> None:
    (tmp_path / "test_x.py").write_text(source, encoding="utf-8")
    report = tmp_path / "report.json"
    plugins = ("-p", "tests.tiers", "-p", "tests.failures", "-p", "no:cacheprovider")
    command = [
        sys.executable, "-m", "pytest", *plugins, "--rootdir", ".", "--failures", str(report), "test_x.py",
    ]  # fmt: skip

    done = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT), **environment}, capture_output=True, check=False
    )

    assert done.returncode
    assert only_failures(report) == failed
    assert json.loads(report.read_bytes())["other"] is not bool(failed)
