"""A checkout of the A2A compatibility kit: its branch, how to run it, and its report."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, Literal
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Sequence

State = Literal["passed", "failed", "skipped"]
_RUN_SECONDS: Final = 900
# The categories of the 0.3.x branch (its run_tck.py), each with what narrows it.
_OLD: Final = {
    "mandatory": ("tests/mandatory", "-m", "mandatory_jsonrpc or mandatory_protocol"),
    "capabilities": ("tests/optional/capabilities",),
    "quality": ("tests/optional/quality",),
    "features": ("tests/optional/features",),
}
# As the kit does itself, without the JSON-RPC tests if JSON-RPC is not selected.
_OLD_OTHERS: Final = {"mandatory": ("tests/mandatory/protocol", "-m", "mandatory_protocol")}
# Values that differ from run to run.
_CHANGING: Final = (
    (re.compile(r"(127\.0\.0\.1|localhost):\d+"), r"\1"),
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]+"), "…"),
)


@dataclass(frozen=True, slots=True)
class KitResult:
    """The result of one test of the kit; the reason is its first line."""

    state: State
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Kit:
    """A checkout of the kit.

    Attributes:
        path: Where it is.
        python: The interpreter that has what it needs.
        branch: `0.3.x` or `1.0-dev`, detected by its files.
        commit: What is checked out.
    """

    path: Path
    python: Path
    branch: str
    commit: str

    @classmethod
    def at(cls, path: Path, python: Path | None = None) -> Kit:
        """Return the kit in a folder.

        Raises:
            SystemExit: If it is no kit, or has no environment.
        """
        if (path / "tests/compatibility").is_dir():
            branch = "1.0-dev"
        elif (path / "tests/mandatory").is_dir():
            branch = "0.3.x"
        else:
            raise SystemExit(f"{path} is no checkout of a2aproject/a2a-tck, branch 0.3.x or 1.0-dev")
        found = python or path / ".venv/bin/python"
        if not found.exists():
            raise SystemExit(
                f"{found} does not exist: make an environment with what {path / 'pyproject.toml'} names"
            )
        result = subprocess.run(
            ["git", "-C", str(path), "rev-parse", "--short=12", "HEAD"],
            capture_output=True,
            text=True,
            check=True,
        )
        return cls(path.absolute(), found.absolute(), branch, result.stdout.strip())

    @property
    def version(self) -> str:
        """The version of A2A that it tests."""
        return self.branch[:3]

    def run(self, url: str, *, grpc: bool) -> dict[str, KitResult]:
        """Run it against a URL; return the result of each test, by category, binding and name."""
        found: dict[str, KitResult] = {}
        for category, arguments in self._runs(url, grpc=grpc):
            for name, result in self._one(arguments).items():
                found[f"{category}: {name}"] = result
        return found

    def _runs(self, url: str, *, grpc: bool) -> list[tuple[str, tuple[str, ...]]]:
        if self.branch == "1.0-dev":
            given = ("tests/compatibility", f"--sut-host={url}", "--webhook-host=127.0.0.1")
            over_http: list[tuple[str, tuple[str, ...]]] = [
                ("1.0", (*given, "--transport=jsonrpc,http_json"))
            ]
            over_grpc = [("1.0, grpc", (*given, "--transport=grpc"))]
            return [*over_http, *(over_grpc if grpc else ())]
        arguments = (f"--sut-url={url}/", "--test-scope=all")
        categories = {"jsonrpc": _OLD, "rest": {**_OLD, **_OLD_OTHERS}}
        if grpc:
            categories["grpc"] = {**_OLD, **_OLD_OTHERS}
        runs: list[tuple[str, tuple[str, ...]]] = [
            (f"{category}, {binding}", (*narrowed, *arguments, f"--transports={binding}"))
            for binding, narrowed_by in categories.items()
            for category, narrowed in narrowed_by.items()
        ]
        both = "--transports=jsonrpc,rest"
        same = ("tests/optional/multi_transport", "-m", "transport_equivalence", *arguments, both)
        return [*runs, ("equivalence", same)]

    def _one(self, arguments: Sequence[str]) -> dict[str, KitResult]:
        with TemporaryDirectory(prefix="cardwright-tck-") as folder:
            report = Path(folder) / "report.xml"
            command = (
                str(self.python), "-m", "pytest", *arguments, "-q", "--tb=line", "-p", "no:cacheprovider",
                f"--junitxml={report}",
            )  # fmt: skip
            # It finds its own modules by the folder that it is started in, and leaves nothing there.
            environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
            subprocess.run(
                command, cwd=self.path, env={**environ, "PYTHONDONTWRITEBYTECODE": "1"}, check=False,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=_RUN_SECONDS,
            )  # fmt: skip
            if not report.exists():
                raise SystemExit(f"the kit did not run: {' '.join(command)}")
            return read_report(report.read_text(encoding="utf-8"))


def read_report(text: str) -> dict[str, KitResult]:
    """Return the results of a JUnit report; an error of a fixture counts as a failure."""
    results: dict[str, KitResult] = {}
    for case in ET.fromstring(text).iter("testcase"):  # noqa: S314 - see above
        name = f"{case.get('classname', '').removeprefix('tests.')}.{case.get('name')}"
        outcome = next(iter(case), None)
        if outcome is None or outcome.tag not in ("failure", "error", "skipped"):
            results[name] = KitResult("passed")
        else:
            # A failed SHOULD is an xfail in the kit.
            skipped = outcome.tag == "skipped" and outcome.get("type") != "pytest.xfail"
            state: State = "skipped" if skipped else "failed"
            results[name] = KitResult(state, _steady(outcome.get("message", "")))
    return results


def _steady(reason: str) -> str:
    first = " ".join(reason.partition("\n")[0].split())
    for changing, instead in _CHANGING:
        first = changing.sub(instead, first)
    return first[:200]
