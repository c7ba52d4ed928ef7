"""Results of kit runs, as stored data and as a documentation page."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.tck.setups import ROOT, SETUPS, alone_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tests.tck.kit import Kit, KitResult

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "results.json"
REASONS: Final = HERE / "reasons.json"
PAGE: Final = ROOT / "docs" / "pages" / "explanation" / "compatibility-kit.md"
_HEAD: Final = """\
# The A2A compatibility kit

The results of [a2aproject/a2a-tck](https://github.com/a2aproject/a2a-tck) for an agent that uses a2a-sdk 1.3, and one that uses
a2a-sdk 0.3.26, in several setups:

| setup | meaning |
|---|---|
| a2a-sdk | the agent on the server of a2a-sdk, without the gateway |
| gateway | behind the gateway, which passes tasks on to the agent (`tasks: pass`) |
| gateway, own tasks | behind the gateway, which stores the tasks itself (`tasks: own`) |
| a2a-sdk, tasks left working; gateway, own tasks left working | with an agent that leaves tasks `working` instead of asking a question (branch 0.3.x only) |
| a2a-sdk 0.3; gateway, a2a-sdk 0.3; gateway, own tasks, a2a-sdk 0.3 | with the agent that uses a2a-sdk 0.3.26 (branch 0.3.x only) |

Every test that passes without the gateway has to pass behind it, unless the reason below says why that is wrong. The tests themselves are compared, not their numbers. Tests
of gRPC are run where there is gRPC: the gateway passes no call over gRPC on, so a setup with `tasks: pass` has none, and the agent of
a2a-sdk 0.3.26 has none.

What the agent is sent over JSON-RPC by the kit and by the gateway, and what it answers, is recorded and validated, as
`cardwright check` does. A request of an unknown method or form is left out: the kit sends those to see them refused.

`python -m tests.tck.run PATH` runs a checkout of either branch of the kit in these setups, and fails if a result differs from
this page; with `--write` it writes the page. The kit runs in the virtual environment `.venv` of its checkout, or with the
interpreter that `--python` names.
"""


@dataclass(frozen=True, slots=True)
class Branch:
    """The results of one branch of the kit.

    Attributes:
        commit: The commit of the kit.
        counts: The numbers of passed, failed and skipped tests by setup.
        lost: The tests that pass without the gateway and not in this setup, by setup.
        failed: The setups in which a test fails, by test.
        differences: Where cardwright validates what was sent over JSON-RPC otherwise than a2a-sdk.
    """

    commit: str
    counts: Mapping[str, Mapping[str, int]]
    lost: Mapping[str, list[str]]
    failed: Mapping[str, list[str]]
    differences: list[str]

    @classmethod
    def of(
        cls, kit: Kit, results: Mapping[str, Mapping[str, KitResult]], differences: Iterable[str]
    ) -> Branch:
        """Return the results of the runs in all setups."""
        passed = {
            setup: {name for name, one in found.items() if one.state == "passed"}
            for setup, found in results.items()
        }
        failed: dict[str, list[str]] = {}
        for setup, found in results.items():
            for name, one in found.items():
                if one.state == "failed":
                    failed.setdefault(name, []).append(setup)
        return cls(
            commit=kit.commit,
            counts={setup: _counted(found.values()) for setup, found in results.items()},
            lost={
                setup: sorted((passed[alone_of(setup)] & found.keys()) - passed[setup])
                for setup, found in results.items()
                if SETUPS[setup].tasks is not None
            },
            failed=dict(sorted(failed.items())),
            differences=sorted(set(differences)),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the results as stored JSON."""
        return {
            "commit": self.commit,
            "counts": {setup: dict(counts) for setup, counts in self.counts.items()},
            "lost": dict(self.lost),
            "failed": dict(self.failed),
            "differences": self.differences,
        }


def kept() -> dict[str, Branch]:
    """Return the stored results, by branch."""
    if not RESULTS.exists():
        return {}
    return {name: Branch(**one) for name, one in json.loads(RESULTS.read_bytes()).items()}


def keep(branches: Mapping[str, Branch]) -> None:
    """Store the results, and write the page."""
    document = {name: branches[name].to_json() for name in sorted(branches)}
    RESULTS.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    PAGE.write_text(page(branches), encoding="utf-8")


def reasons() -> dict[str, dict[str, str]]:
    """Return the reasons of failed tests, by branch and by a part of the test's name."""
    read: dict[str, dict[str, str]] = json.loads(REASONS.read_bytes())
    return read


def reason_of(branch: str, test: str) -> str:
    """Return the reason why a test fails, or ""."""
    return next((why for part, why in reasons().get(branch, {}).items() if part in test), "")


def page(branches: Mapping[str, Branch]) -> str:
    """Return the page."""
    return "\n".join([_HEAD, *(_section(name, branches[name]) for name in sorted(branches))])


def _section(name: str, branch: Branch) -> str:
    lines = [
        f"## Branch {name}, commit {branch.commit}",
        "",
        "| | passed | failed | skipped |",
        "|---|---|---|---|",
    ]
    for setup in branch.counts:
        counts = branch.counts[setup]
        lines.append(f"| {setup} | {counts['passed']} | {counts['failed']} | {counts['skipped']} |")
    lines += ["", "Passed without the gateway and not behind it:"]
    lost = [
        f"- {setup}: `{test}`: {reason_of(name, test) or 'unknown'}"
        for setup, tests in branch.lost.items()
        for test in tests
    ]
    lines += ["", *(lost or ["- none"]), "", "Failed tests:", ""]
    lines += ["| test | fails in | reason |", "|---|---|---|"]
    for test, setups in branch.failed.items():
        where = "all setups" if len(setups) == len(branch.counts) else "; ".join(setups)
        lines.append(f"| {_short(test)} | {where} | {reason_of(name, test) or 'unknown'} |")
    lines += ["", "Messages that cardwright and a2a-sdk validate differently:", ""]
    lines += ["| method and finding | reason |", "|---|---|"]
    for found in branch.differences:
        lines.append(f"| {found} | {reason_of(name, found) or 'unknown'} |")
    return "\n".join([*lines, ""])


def _short(test: str) -> str:
    category, _, name = test.partition(": ")
    return f"{category}: `{name.rpartition('.')[2]}`"


def _counted(results: Iterable[KitResult]) -> dict[str, int]:
    counts = Counter(one.state for one in results)
    return {"passed": counts["passed"], "failed": counts["failed"], "skipped": counts["skipped"]}
