"""Run what shows each row of the five documents, and print the rows with the result: `make seeds`, `make seeds ROW=B7`.

With `--write`, the table is written into the documentation. The exit status is 1 if a row is not met.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.seeds.rows import rows, wrong_cases
from tests.seeds.table import PAGE, written

if TYPE_CHECKING:
    from tests.seeds.rows import Row

ROOT: Final = Path(__file__).parents[2]
# So many tests run sooner without the start of more processes.
_FEW: Final = 5


class Outcomes:
    """A plugin of pytest: the outcome of each test file and function."""

    def __init__(self) -> None:
        self.of: dict[str, set[str]] = defaultdict(set)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note an outcome; that of the call counts, or one that kept the call from running."""
        if report.when == "call" or report.outcome != "passed":
            name = str(report.nodeid).partition("[")[0]
            for key in (name, name.partition("::")[0]):
                self.of[key].add(report.outcome)


def main(arguments: list[str] | None = None) -> int:
    """Run the rows that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.seeds", description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="ROW", help="an id such as B7; without one, all rows")
    parser.add_argument("--write", action="store_true", help=f"write the table into {PAGE}")
    given = parser.parse_args(arguments)
    chosen = [row for row in rows() if not given.ids or row.id in given.ids]
    if unknown := set(given.ids) - {row.id for row in chosen}:
        parser.error(f"no such row: {', '.join(sorted(unknown))}")
    outcomes = Outcomes()
    named = sorted({test for row in chosen for test in row.tests})
    if named:
        parallel = ["-n", "auto"] if len(named) > _FEW else ["-p", "no:xdist"]
        # The plugin of the package is imported here, before pytest could rewrite its assertions.
        quiet = ["-q", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
        pytest.main(["--tier", "all", *quiet, *parallel, *named], plugins=[outcomes])
    failed = 0
    for row in chosen:
        wrong = _wrong(row, outcomes)
        failed += bool(wrong)
        lines = [f"{row.id:>4}  {'no ' if wrong else 'yes'}  {row.document}, {row.section}: {row.says}"]
        lines += [f"           {line}" for line in wrong]
        sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.write(f"yes: {len(chosen) - failed}, no: {failed}\n")
    if given.write:
        (ROOT / PAGE).write_text(written(rows()), encoding="utf-8")
    return 1 if failed else 0


def _wrong(row: Row, outcomes: Outcomes) -> list[str]:
    lines = [line for dialect, rule in row.rules for line in wrong_cases(dialect, rule)]
    for test in row.tests:
        seen = outcomes.of.get(test, set())
        if "failed" in seen:
            lines.append(f"failed: {test}")
        elif "passed" not in seen:
            lines.append(f"did not run: {test}")
    return lines


if __name__ == "__main__":
    sys.exit(main())
