"""What came of the kit's runs, as data that is kept and as the page that is read."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.tck.setups import ALONE, ROOT, SETUPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tests.tck.kit import Kit, Verdict

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "results.json"
REASONS: Final = HERE / "reasons.json"
PAGE: Final = ROOT / "docs" / "pages" / "explanation" / "compatibility-kit.md"
_HEAD: Final = """\
# The A2A compatibility kit

What [a2aproject/a2a-tck](https://github.com/a2aproject/a2a-tck) says of one agent made with a2a-sdk: on a2a-sdk's own
server, behind the gateway, and behind the gateway with tasks of the gateway's own. The sets of passed tests are
compared: whatever passes on a2a-sdk's own server passes behind the gateway. gRPC is left out.

`make tck TCK=path` runs a checkout of either branch against the three and fails where this page says otherwise;
`make tck TCK=path WRITE=1` writes it. The environment of the kit is `.venv` there, or `PYTHON_TCK=path`.
"""


@dataclass(frozen=True, slots=True)
class Branch:
    """What came of one branch of the kit.

    Attributes:
        commit: What was run.
        counts: By setup: how many tests passed, failed and were skipped.
        lost: By setup: the tests that pass on a2a-sdk's own server and not here.
        failed: By test: in which setups it fails.
    """

    commit: str
    counts: Mapping[str, Mapping[str, int]]
    lost: Mapping[str, list[str]]
    failed: Mapping[str, list[str]]

    @classmethod
    def of(cls, kit: Kit, verdicts: Mapping[str, Mapping[str, Verdict]]) -> Branch:
        """Return what came of the runs in all setups."""
        alone = {name for name, one in verdicts[ALONE].items() if one.state == "passed"}
        passed = {
            setup: {name for name, one in found.items() if one.state == "passed"}
            for setup, found in verdicts.items()
        }
        failed: dict[str, list[str]] = {}
        for setup, found in verdicts.items():
            for name, one in found.items():
                if one.state == "failed":
                    failed.setdefault(name, []).append(setup)
        return cls(
            commit=kit.commit,
            counts={setup: _counted(found.values()) for setup, found in verdicts.items()},
            lost={setup: sorted(alone - passed[setup]) for setup in verdicts if setup != ALONE},
            failed=dict(sorted(failed.items())),
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as it is kept."""
        return {
            "commit": self.commit,
            "counts": {setup: dict(counts) for setup, counts in self.counts.items()},
            "lost": dict(self.lost),
            "failed": dict(self.failed),
        }


def kept() -> dict[str, Branch]:
    """Return what was kept, by branch."""
    if not RESULTS.exists():
        return {}
    return {name: Branch(**one) for name, one in json.loads(RESULTS.read_bytes()).items()}


def keep(branches: Mapping[str, Branch]) -> None:
    """Keep what came of the runs, and write the page of it."""
    told = {name: branches[name].to_json() for name in sorted(branches)}
    RESULTS.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    PAGE.write_text(page(branches), encoding="utf-8")


def reasons() -> dict[str, dict[str, str]]:
    """Return why tests fail: by branch, and by a part of their names."""
    read: dict[str, dict[str, str]] = json.loads(REASONS.read_bytes())
    return read


def reason_of(branch: str, test: str) -> str:
    """Return why a test fails; "" where nobody has said."""
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
    for setup in SETUPS:
        counts = branch.counts[setup]
        lines.append(f"| {setup} | {counts['passed']} | {counts['failed']} | {counts['skipped']} |")
    lines += ["", "Passed on a2a-sdk's own server and not behind the gateway:"]
    lost = [f"- {setup}: `{test}`" for setup, tests in branch.lost.items() for test in tests]
    lines += ["", *(lost or ["- none"]), "", "Failed, and why:", ""]
    lines += ["| test | fails | because |", "|---|---|---|"]
    for test, setups in branch.failed.items():
        where = "everywhere" if len(setups) == len(SETUPS) else "; ".join(setups)
        lines.append(f"| {_short(test)} | {where} | {reason_of(name, test) or 'not known'} |")
    return "\n".join([*lines, ""])


def _short(test: str) -> str:
    category, _, name = test.partition(": ")
    return f"{category}: `{name.rpartition('.')[2]}`"


def _counted(verdicts: Iterable[Verdict]) -> dict[str, int]:
    counts = Counter(one.state for one in verdicts)
    return {"passed": counts["passed"], "failed": counts["failed"], "skipped": counts["skipped"]}
