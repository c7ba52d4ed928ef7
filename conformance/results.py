"""`python -m conformance.results`: run the kit through the installed implementations, and compare with the documentation.

Exits with 1 if a result differs from what is stored; `--write` stores it: the page of the documentation, a list of expected
failures and, for the differences that a specification decides, a report for the project that it is about.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cardwright.conformance import LEVELS, read_kit, run
from conformance.build import build
from conformance.implementations import IMPLEMENTATIONS, Implementation
from conformance.readings import READINGS, differences
from conformance.sources import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardwright.conformance import Report
    from conformance.readings import Difference

HERE: Final = Path(__file__).parent
PAGE: Final = ROOT / "docs" / "pages" / "explanation" / "conformance-results.md"
# A large SDK takes seconds to import, and its first answer with it.
_SECONDS: Final = 60.0
# A longer example would hide the report.
_LONGEST_EXAMPLE: Final = 3000
_HEAD: Final = """\
# Conformance results

What implementations of agent cards answer to the cases of the [conformance kit](../how-to/conformance-kit.md), cardwright first.
A script ran every case: `make conformance-results` installs the implementations, each in an environment of its own, runs all of
it again and fails if a result differs from this page; with `WRITE=1` it writes the page.

A cell has the cases that passed, of those that the implementation has an operation and a version for. MUST and SHOULD are those of
the specifications (RFC 2119); cases of this project's own decisions are apart, and no measure of others.

The case ids of every difference are in `conformance/expected/`, an id a line, and reports for other projects in `conformance/reports/`.
"""
_NOT_RUN: Final = """\
capiscio 2.7.0 is not in the table: its package downloads a program when it runs. @a2a-js/sdk 0.3 has no reader of cards, only a
server. The Go, Java, .NET and Rust SDKs have no adapter yet.
"""


def main() -> int:
    """Run the kit through each implementation, and compare or write the results."""
    parser = argparse.ArgumentParser(prog="python -m conformance.results", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}, the lists and the reports")
    arguments = parser.parse_args()
    missing = [one.id for one in IMPLEMENTATIONS if one.command is None]
    if missing:
        sys.stderr.write(f"not installed: {', '.join(missing)}; run `make conformance-results`\n")
        return 2
    files = _files({one.id: _run(one) for one in IMPLEMENTATIONS})
    if arguments.write:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return 0
    changed = [
        path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path in changed:
        sys.stderr.write(
            f"{path.relative_to(ROOT)} has other results: run it with --write, and look at the difference\n"
        )
    return 1 if changed else 0


def _run(implementation: Implementation) -> Report:
    command = implementation.command
    assert command is not None  # noqa: S101 - main has looked
    with tempfile.TemporaryDirectory() as folder:
        archive = build(Path(folder))
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        os.environ["CARDWRIGHT_SCHEMAS"] = str(next(Path(folder).glob("*/schemas")))
        kit = read_kit(archive)
        report = run(command, kit.cases, kit=kit.version, jobs=os.cpu_count() or 1, seconds=_SECONDS)
    sys.stderr.write(f"{implementation.id}: {report.count('passed'):,} passed\n")
    return report


def _files(reports: Mapping[str, Report]) -> dict[Path, str]:
    """Return the text of every file that follows from the results."""
    found = {name: differences(name, report.results) for name, report in reports.items()}
    page = [_HEAD, *_table(reports), "", _NOT_RUN, *_sections(reports, found)]
    files = {PAGE: "\n".join(page).rstrip("\n") + "\n"}
    for name, report in reports.items():
        lines = [f"{one.case.id}  # {one.reason}" for one in report.results if one.bad]
        files[HERE / "expected" / f"{name}.txt"] = "".join(f"{line}\n" for line in lines)
        ready = [one for one in found[name] if one.reading == "kit" and one.is_of_a_specification]
        if ready and name != "cardwright":
            files[HERE / "reports" / f"{name}.md"] = "\n".join(_issues(report, ready))
    return files


def _table(reports: Mapping[str, Report]) -> Iterator[str]:
    yield "| implementation | operations | MUST | SHOULD | project decision |"
    yield "|---|---|---:|---:|---:|"
    for report in reports.values():
        cells = [_share(report, level) for level in LEVELS]
        operations = ", ".join(report.program.operations)
        yield f"| {_name(report)} | {operations} | {' | '.join(cells)} |"


def _share(report: Report, level: str) -> str:
    passed = report.count("passed", level=level)
    total = passed + report.count("failed", level=level) + report.count("error", level=level)
    return f"{passed:,} of {total:,}" if total else "–"


def _sections(reports: Mapping[str, Report], found: Mapping[str, list[Difference]]) -> Iterator[str]:
    for name, report in reports.items():
        yield f"## {_name(report)}\n"
        if not found[name]:
            yield "No difference.\n"
            continue
        yield "| difference | cases | section | right | why |"
        yield "|---|---|---|---|---|"
        for one in found[name]:
            first = next(iter(one.results)).case.id
            cases = f"{len(one.results):,}, such as " if len(one.results) > 1 else ""
            sections = _short(one.sections)
            yield (
                f"| {_cell(one.title)} | {cases}`{first}` | {_cell(sections)}"
                f" | {_right(one)} | {_cell(one.why)} |"
            )
        yield ""


def _right(one: Difference) -> str:
    if one.reading == "kit" and not one.is_of_a_specification:
        return "no section decides"
    return READINGS[one.reading]


def _issues(report: Report, found: list[Difference]) -> Iterator[str]:
    yield f"# {_name(report)}: differences that a specification decides\n"
    yield f"Found with the conformance kit {report.kit}; each part can be reported as one issue. `cases` names the cases of the kit.\n"
    for one in found:
        # Cases of levels that are no duty stay out of a report.
        results = [result for result in one.results if result.case.level != "project decision"]
        first = min(results, key=lambda result: (len(str(result.case.input)), result.case.id))
        yield f"## {one.title}\n"
        yield f"- version: {_name(report)}"
        yield f"- section: {_short(tuple(sorted({section for result in results for section in result.case.spec})))}"
        yield f"- seen: {first.reason}"
        yield f"- why it matters: {one.why}"
        yield f"- example: `{first.case.id}`: {first.case.description}"
        yield f"- cases: {len(results):,}\n"
        text = json.dumps(first.case.input, ensure_ascii=False, indent=1)
        if len(text) <= _LONGEST_EXAMPLE:
            yield f"```json\n{text}\n```\n"
        yield "```text"
        yield from (result.case.id for result in results)
        yield "```\n"


def _short(sections: tuple[str, ...]) -> str:
    longest = 3
    more = f" and {len(sections) - longest} more" if len(sections) > longest else ""
    return "; ".join(sections[:longest]) + more


def _name(report: Report) -> str:
    return f"{report.program.name} {report.program.version}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    sys.exit(main())
