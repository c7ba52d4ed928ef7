"""`cardwright check`: validate cards and report their violations."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.fetch_options import reach_of
from cardwright.cli.inputs import Source, sources
from cardwright.cli.option_groups import described
from cardwright.cli.outputs import write_report
from cardwright.cli.terminal import at_terminal, emit_stderr, fail, legible
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.cli.check_run import Row
    from cardwright.cli.project import Effective

T = TypeVar("T")
_FORMATS: Final = {
    "text": "piped:piped",
    "terminal": "terminal:report",
    "json": "contract:contract",
    "github": "github:github",
    "gitlab": "gitlab:gitlab",
    "sarif": "sarif:sarif",
    "junit": "junit:junit",
}

# Fewer documents are checked before a progress bar is of use (project decision).
_MIN_FOR_BAR: Final = 50

EXAMPLES: Final = (
    "cardwright check agent-card.json",
    "cardwright check --strict --format sarif cards/ > cards.sarif",
    "cardwright check https://agent.example.com",
    "cardwright check --for gemini-enterprise agent-card.json",
)


def command(  # noqa: PLR0913 - one parameter per option
    paths: options.PathsOrUrls,
    *,
    dialect: options.AnyDialectName = None,
    form: options.CheckFormat = "text",
    output: Annotated[str | None, described("check --output")] = None,
    strict: Annotated[bool, described("check --strict")] = False,
    select: Annotated[list[str] | None, described("check --select")] = None,
    ignore: Annotated[list[str] | None, described("check --ignore")] = None,
    exclude: options.Excluded = None,
    rules: options.Rules = None,
    platform: Annotated[str | None, described("check --for")] = None,
    quiet: Annotated[bool, described("check --quiet")] = False,
    verbose: Annotated[bool, described("check --verbose")] = False,
    given: options.GivenLimits,
    allowed: options.Reachable,
) -> None:
    """Validate cards and print each violation with its location, its rule and its fix.

    In folders, every file that is an agent card by its name or content is checked; what git ignores is skipped, and so
    are node_modules and virtual environments. A file that is named is always checked. Settings are read from the
    nearest cardwright.toml, or table tool.cardwright of a pyproject.toml.

    Exit status: 0 all cards are valid, 1 a card is invalid, 2 an input could not be read.
    """
    from cardwright.cli.check_run import summarize
    from cardwright.cli.project import Project
    from cardwright.cli.reports.words import Detail

    reach = reach_of(allowed, paths)
    project = Project(
        given,
        dialect=dialect,
        strict=strict,
        rules=rules,
        select=select or (),
        ignore=ignore or (),
        exclude=exclude or (),
    )
    inputs = sources(paths, reach, yaml=True, excluded=project.excluded)
    if platform is not None:
        from cardwright.cli.platform_check import check_platforms

        raise typer.Exit(
            check_platforms(_with_progress(inputs, len(inputs)), project, platform, form, output)
        )
    results = _checked([(source, project.of(source)) for source in inputs])
    checked = list(zip(inputs, _with_progress(results, len(inputs)), strict=True))
    rows = [row for _, row in checked if row is not None]
    skipped = [source.name for source, row in checked if row is None]
    if not rows:
        fail(f"no agent card was found: {skipped_files(len(skipped))}; name a file to check it as a card")
    if form != "text":
        _print_refusals(rows)
    for name in [source.name for source, row in checked if source.is_yaml and row is not None][:1]:
        emit_stderr(f"{escaped(legible(name))} is checked as JSON; agents publish cards as JSON, not YAML\n")
    detail = Detail(quiet=quiet, verbose=verbose)
    reported = (rows, detail) if form == "text" else (rows,)
    write_report(output, form, _FORMATS, *reported)
    if verbose:
        for name in skipped:
            emit_stderr(f"skipped {escaped(legible(name))}: not an agent card\n")
    elif skipped and not quiet:
        emit_stderr(f"{skipped_files(len(skipped))}\n")
    raise typer.Exit(summarize(rows).status)


def skipped_files(count: int) -> str:
    """Return how many files were skipped.

    >>> skipped_files(4)
    '4 other JSON files skipped'
    """
    return f"{count:,} other JSON file{'' if count == 1 else 's'} skipped"


def _checked(inputs: Sequence[tuple[Source, Effective]]) -> Iterable[Row | None]:
    """Return the row of each input; many files are checked by several processes, and URLs by this one."""
    from cardwright.cli.check_run import check_input
    from cardwright.cli.processes import in_processes

    if any(source.reach for source, _ in inputs):
        return map(check_input, inputs)
    return in_processes(check_input, inputs)


def _with_progress(results: Iterable[T], count: int) -> Iterable[T]:
    if count <= _MIN_FOR_BAR or not at_terminal(sys.stderr):
        return results
    from rich.console import Console
    from rich.progress import track

    return track(results, total=count, description="Checking", console=Console(stderr=True), transient=True)


def _print_refusals(rows: Sequence[Row]) -> None:
    """Print the requests that the guard refused on standard error, since the report is for programs."""
    from cardwright.cli.reports.words import refusal_of

    for row in rows:
        if refusal_of(row):
            emit_stderr(f"{refusal_of(row)}\n")
