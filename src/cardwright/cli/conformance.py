"""`cardwright conformance`: run the cases of a conformance kit through any implementation."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from cardwright.cli.option_groups import Group, described
from cardwright.cli.outputs import write_output, write_report
from cardwright.cli.terminal import at_terminal, fail
from cardwright.errors import BadConfiguration

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.conformance import Case, Kit, Report

_FORMATS: Final = {
    "text": "conformance:text",
    "json": "conformance:contract",
    "junit": "conformance:junit",
    "html": "conformance:html",
}

EXAMPLES: Final = (
    "cardwright conformance -- node adapter.mjs",
    "cardwright conformance --level MUST --operation validate --expected failures.txt -- ./adapter",
    "cardwright conformance --format html --output report.html -- python adapter.py",
)


@dataclass(frozen=True, slots=True)
class Selection:
    """The cases to run."""

    operations: tuple[str, ...]
    levels: tuple[str, ...]
    patterns: tuple[str, ...]


def _selection(
    *,
    operation: Annotated[list[str] | None, described("conformance --operation")] = None,
    level: Annotated[list[str] | None, described("conformance --level")] = None,
    case: Annotated[list[str] | None, described("conformance --case")] = None,
) -> Selection:
    return Selection(_operations(operation or ()), _levels(level or ()), tuple(case or ()))


def command(  # noqa: PLR0913 - one parameter per option
    program: Annotated[list[str], described("conformance COMMAND")],
    *,
    kit: Annotated[str | None, described("conformance --kit")] = None,
    chosen: Annotated[Selection, Group(_selection)],
    expected: Annotated[str | None, described("conformance --expected")] = None,
    write_expected: Annotated[str | None, described("conformance --write-expected")] = None,
    form: Annotated[Literal["text", "json", "junit", "html"], described("conformance --format")] = "text",
    output: Annotated[str | None, described("conformance --output")] = None,
    jobs: Annotated[int | None, described("conformance --jobs")] = None,
    timeout: Annotated[float, described("conformance --timeout")] = 10,
) -> None:
    """Run the cases of a conformance kit through a program, and report where it differs from the specifications.

    The program, an adapter of an implementation in any language, reads one JSON object a line and writes one a line; the
    README of the kit describes them. It is run in several processes, and restarted when it ends or does not answer.

    Exit status: 0 every case passed, or exactly the expected ones failed; 1 not; 2 the kit, the list or the program cannot be
    used.
    """
    from cardwright.conformance import Expectations, find_kit, read_expectations, read_kit
    from cardwright.conformance.program import ProgramFailed
    from cardwright.conformance.run import run

    path = Path(kit) if kit is not None else find_kit(Path())
    if path is None:
        fail(
            "no conformance kit was found here: name one with --kit, or build it with `python -m conformance.build`"
        )
    try:
        found = read_kit(path)
        listed = read_expectations(Path(expected), found) if expected is not None else frozenset[str]()
        cases = _cases(found, chosen)
        made = _run_with_progress(
            cases,
            lambda progress: run(
                program,
                cases,
                kit=found.version,
                jobs=jobs or os.cpu_count() or 1,
                seconds=timeout,
                progress=progress,
            ),
        )
    except BadConfiguration as error:
        fail(str(error))
    except ProgramFailed as error:
        fail(f"the program cannot be used: {error}")
    compared = Expectations.of(made, listed)
    if write_expected is not None:
        _write_expected(write_expected, made)
    write_report(output, form, _FORMATS, made, compared)
    raise typer.Exit(0 if compared.met else 1)


def _operations(names: Sequence[str]) -> tuple[str, ...]:
    from cardwright.conformance import OPERATIONS

    for name in names:
        if name not in OPERATIONS:
            fail(f"unknown operation {name!r}; known operations: {', '.join(OPERATIONS)}")
    return tuple(names)


def _levels(names: Sequence[str]) -> tuple[str, ...]:
    known = {"MUST": "MUST", "SHOULD": "SHOULD", "project": "project decision"}
    for name in names:
        if name not in known:
            fail(f"unknown level {name!r}; known levels: {', '.join(known)}")
    return tuple(known[name] for name in names)


def _cases(kit: Kit, chosen: Selection) -> tuple[Case, ...]:
    """Return the selected cases; end the command without any, or without the extra that they need."""
    from cardwright.extras import check_extra

    cases = kit.selected(operations=chosen.operations, levels=chosen.levels, patterns=chosen.patterns)
    if not cases:
        fail("no case of the kit is selected: see --operation, --level and --case")
    if any(one.operation == "sign" for one in cases):
        check_extra("sign")
    return cases


def _write_expected(file: str, report: Report) -> None:
    lines = [f"{one.case.id}  # {one.reason}\n" for one in report.results if one.bad]
    write_output(file, "".join(lines).encode(), "the list of expected failures")


def _run_with_progress(cases: Sequence[Case], made: Callable[[Callable[[], object]], Report]) -> Report:
    if not at_terminal(sys.stderr):
        return made(lambda: None)
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Running cases", total=len(cases))
        return made(lambda: bar.advance(task))
