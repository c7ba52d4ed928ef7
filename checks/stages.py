"""The stages of `make check` and `make nightly`: `python -m checks.stages check|nightly [STAGE …]`.

Each stage prints its seconds, and the total is printed last. The lanes of a group run at the same time: one keeps a core
busy while the tests of another wait. A test that failed runs once more, alone, after all stages. One that passes then
is printed as FLAKY in a list at the end: the exit status is 0 in CI (CARDWRIGHT_CI), and 3 elsewhere, so that the cause is
found and fixed.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT: Final = Path(__file__).parent.parent
PYTHON: Final = sys.executable
BIN: Final = Path(PYTHON).parent
SERVICES: Final = (PYTHON, "-m", "tests.services")
PYTEST: Final = (PYTHON, "-m", "pytest", "-q")
DIST: Final = ROOT / "dist"
FLAKY_STATUS: Final = 3
# With more failures than this, the change is wrong and not the machine.
MAX_RERUNS: Final = 20
# The fast tier must cover this percentage of the statements of `src`.
COVERAGE: Final = ("--cov=src", "--cov-report=term:skip-covered", "--cov-fail-under=85")


@dataclass(frozen=True)
class Stage:
    """Commands that run one after the other, until one fails.

    Attributes:
        name: What is printed and named on the command line.
        commands: The commands, run in the root of the repository.
        environment: Variables that are added to the environment.
        tier: The tier of the tests; empty if the stage runs no tests.
    """

    name: str
    commands: tuple[tuple[str, ...], ...]
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    tier: str = ""


@dataclass
class Result:
    """What came of a stage.

    Attributes:
        stage: The stage.
        status: The exit status of the last command.
        seconds: How long it took.
        failed: Ids of the tests that failed, if these are the only reason for the status.
    """

    stage: Stage
    status: int
    seconds: float
    failed: list[str] = field(default_factory=list[str])


def _module(*words: str) -> tuple[str, ...]:
    return (PYTHON, "-m", *words)


def _tests(name: str, tier: str, *words: str, profile: str = "ci") -> Stage:
    return Stage(name, ((*SERVICES, *PYTEST, "--tier", tier, *words),), {"HYPOTHESIS_PROFILE": profile}, tier)


# Some tests wait for processes and for seconds: another worker than cores keeps the cores busy.
_GIVEN: Final = os.environ.get("WORKERS", "auto")
_WORKERS: Final = str((os.cpu_count() or 1) + 1) if _GIVEN == "auto" else _GIVEN
_PARALLEL: Final = ("-n", _WORKERS)
_ALL_WORKERS: Final = {"HYPOTHESIS_PROFILE": "ci", "WORKERS": _WORKERS}
_WHEEL: Final = ("--wheel", str(DIST))

# A plan is a sequence of groups. The lanes of a group run at the same time, the stages of a lane one after the other.
Group: TypeAlias = tuple[tuple[Stage, ...], ...]

CHECK: Final[tuple[Group, ...]] = (
    ((Stage("lint", (("make", "--silent", "lint"),)),),),
    # The cluster tests mostly wait for processes; the type checkers use one core each.
    (
        (_tests("cluster", "cluster", *_PARALLEL, "--dist", "loadfile", "--durations", "8"),),
        (
            Stage("mypy", ((str(BIN / "mypy"),),)),
            Stage("pyright", ((str(BIN / "pyright"),),)),
            Stage("generated", (("make", "--silent", "check-generated"),)),
            Stage("docs", (("make", "--silent", "docs"),)),
            Stage("dist", (_module("checks.distribution"),)),
        ),
    ),
    # The test command of the README.
    ((Stage("fast", (("make", "--silent", "test"),), _ALL_WORKERS, "fast"),),),
    ((_tests("slow", "slow", *_PARALLEL, "--dist", "worksteal"),),),
    (
        (Stage("installs", (_module("checks.installs", *_WHEEL, "base", "serve", "gateway", "all"),)),),
        (Stage("deploy", (_module("checks.deployment", *_WHEEL),)),),
    ),
)  # fmt: skip
NIGHTLY: Final[tuple[Group, ...]] = (
    ((Stage("dist", (_module("checks.distribution", "--twice"),)),),),
    ((Stage("installs", (_module("checks.installs", *_WHEEL),)),),),
    ((Stage("deploy", (_module("checks.deployment"),)),),),
    ((_tests("properties", "all", "-m", "hypothesis", *_PARALLEL, profile="fuzz"),),),
    ((Stage("interop", (("make", "--silent", "interop"),)),),),
    ((Stage("conformance", (("make", "--silent", "conformance-results"),)),),),
    ((Stage("hostile", (("make", "--silent", "hostile"),)),),),
)
PLANS: Final = {"check": CHECK, "nightly": NIGHTLY}


def main(arguments: Sequence[str]) -> int:
    """Run the stages of a plan, or some of them, and return the exit status."""
    plan, *names = arguments
    known = [stage.name for group in PLANS[plan] for lane in group for stage in lane]
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.stderr.write(f"unknown stage {', '.join(unknown)}; the stages of {plan}: {', '.join(known)}\n")
        return 2
    began = time.monotonic()
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        for group in PLANS[plan]:
            results += _run_group(
                [[stage for stage in lane if not names or stage.name in names] for lane in group],
                Path(folder),
            )
            # The stages of a nightly run do not depend on each other, and each is long.
            if plan == "check" and any(result.status and not result.failed for result in results):
                break
        flaky, failed = _rerun(results, Path(folder))
    return summary(results, flaky, failed, time.monotonic() - began)


def _run_group(group: Sequence[Sequence[Stage]], folder: Path) -> list[Result]:
    """Run lanes at the same time. The output of the first is printed as it comes, of the others when they have ended."""
    results: list[Result] = []
    buffers = [None, *(folder / f"lane-{number}" for number in range(1, len(group)))]

    def run(lane: Sequence[Stage], buffer: Path | None) -> None:
        with buffer.open("wb") if buffer else contextlib.nullcontext() as output:
            results.extend(_run(stage, folder, output) for stage in lane)

    threads = [
        threading.Thread(target=run, args=(lane, buffer)) for lane, buffer in zip(group, buffers, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread, buffer in zip(threads, buffers, strict=True):
        thread.join()
        if buffer is not None:
            _print(buffer.read_text(errors="replace"))
    return results


def _run(stage: Stage, folder: Path, output: BinaryIO | None) -> Result:
    """Run a stage, and print when it begins and ends."""
    _print(f"== {stage.name} …", output)
    began, status = time.monotonic(), 0
    report = folder / f"{stage.name}.json"
    for command in stage.commands:
        status = _status(_with_report(command, stage, report), stage, output)
        if status:
            break
    result = Result(
        stage, status, time.monotonic() - began, only_failures(report) if status and stage.tier else []
    )
    _print(f"== {stage.name}: {_word(result)} in {result.seconds:.0f} s\n", output)
    return result


def _with_report(command: tuple[str, ...], stage: Stage, report: Path) -> tuple[str, ...]:
    """Return the command of a stage; one of tests writes which failed."""
    if not stage.tier:
        return command
    options = ("--failures", str(report))
    if command[0] != "make":
        return (*command, *options)
    return (*command, f"OPTIONS={' '.join((*options, *COVERAGE))}")


def _status(words: Sequence[str], stage: Stage, output: BinaryIO | None = None) -> int:
    """Run a command in the environment of a stage, and return its exit status."""
    environment = {**os.environ, **stage.environment}
    return subprocess.run(
        words, cwd=ROOT, env=environment, stdout=output, stderr=output, stdin=subprocess.DEVNULL, check=False
    ).returncode


def only_failures(report: Path) -> list[str]:
    """Return the tests that failed; nothing if the run has another fault, which running them again cannot excuse."""
    if not report.exists():
        return []
    read = json.loads(report.read_bytes())
    return [] if read["other"] else list(read["failed"])


def _rerun(results: Sequence[Result], folder: Path) -> tuple[list[str], list[str]]:
    """Run each failed test once more, alone. Return those that passed, and those that failed again."""
    again = [(result.stage, test) for result in results for test in result.failed]
    if len(again) > MAX_RERUNS:
        return [], [test for _, test in again]
    flaky: list[str] = []
    failed: list[str] = []
    listed = folder / "test"
    for stage, test in again:
        _print(f"\n== once more, alone: {test}")
        listed.write_text(test, encoding="utf-8")
        again_failed = _status((*SERVICES, *PYTEST, "--tier", stage.tier, f"@{listed}"), stage)
        (failed if again_failed else flaky).append(test)
    return flaky, failed


def summary(results: Sequence[Result], flaky: Sequence[str], failed: Sequence[str], total: float) -> int:
    """Print the seconds of the stages, the flaky tests and the total; return the exit status."""
    broken = [
        result
        for result in results
        if result.status and not (result.failed and set(result.failed) <= set(flaky))
    ]
    _print("\n== stages")
    for result in results:
        _print(f"{result.seconds:7.0f} s  {result.stage.name}: {_word(result)}")
    for test in failed:
        _print(f"FAILED {test}")
    for test in flaky:
        _print(f"FLAKY {test}")
    _print(f"{total:7.0f} s  in all")
    if broken:
        return 1
    if flaky and "CARDWRIGHT_CI" not in os.environ:
        return FLAKY_STATUS
    return 0


def _word(result: Result) -> str:
    return f"exit status {result.status}" if result.status else "passed"


def _print(text: str, output: BinaryIO | None = None) -> None:
    if output is not None:
        output.write(f"{text}\n".encode())
        output.flush()
    else:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
