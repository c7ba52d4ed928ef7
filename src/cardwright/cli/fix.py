"""`cardwright fix`: fix cards, and report the applied fixes and the remaining violations."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.inputs import STDIN, sources
from cardwright.cli.option_groups import described
from cardwright.cli.terminal import at_terminal, emit_bytes, emit_document, emit_json, escaped_json, fail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.cli.fix_run import FixResult
    from cardwright_runtime.violation import Violation

EXAMPLES: Final = (
    "cardwright fix agent-card.json > fixed.json",
    "cardwright fix --diff agent-card.json",
    "cardwright fix --write --safe-only cards/",
    "cardwright fix --base-url https://agents.example.com agent-card.json",
)


def command(  # noqa: PLR0913 - one parameter per option
    paths: options.Paths,
    *,
    write: Annotated[bool, described("fix --write")] = False,
    diff: Annotated[bool, described("fix --diff")] = False,
    safe_only: Annotated[bool, described("fix --safe-only")] = False,
    unsafe: Annotated[bool, described("fix --unsafe")] = False,
    base_url: Annotated[str | None, described("fix --base-url")] = None,
    break_signatures: Annotated[bool, described("fix --break-signatures")] = False,
    form: options.Format = "text",
    dialect: options.AnyDialectName = None,
    exclude: options.Excluded = None,
    given: options.GivenLimits,
) -> None:
    """Fix cards and print them, or write them back with --write; report the fixes on standard error.

    Safe fixes keep the meaning of the card. All others are guesses: on a terminal you are asked about each kind;
    --unsafe applies them all. Guesses that are not applied are listed.

    Exit status: 0 all cards are valid now, 1 errors remain, 2 a card could not be read, fixed or written.
    """
    from cardwright.cli.fix_run import Settings, fix_source, is_card, to_json, to_text, write_back
    from cardwright.cli.project import Project

    if write and diff:
        fail("--write and --diff exclude each other")
    if safe_only and unsafe:
        fail("--safe-only and --unsafe exclude each other")
    project = Project(given, dialect=dialect, exclude=exclude or ())
    inputs = sources(paths, excluded=project.excluded)
    inputs = [source for source in inputs if not source.found or is_card(source, project.of(source).checks)]
    if not inputs:
        fail("no agent card was found; name a file to fix it as a card")
    if len(inputs) > 1 and not (write or diff or form == "json"):
        fail(f"cannot print {len(inputs)} cards as one document: give --write, --diff or --format json")
    if base_url is not None:
        base_url = _checked(base_url)
    settings = Settings(
        safe_only=safe_only,
        break_signatures=break_signatures,
        unsafe=unsafe,
        base_url=base_url,
        ask=None if safe_only else _guesses(STDIN in paths, apply_all=unsafe),
    )
    rows = [fix_source(source, settings.over(project.of(source))) for source in inputs]
    if write:
        rows = [write_back(row) for row in rows]
    if form == "json":
        emit_json(to_json(rows))
    else:
        if not write:
            for row in rows:
                _print(row, diff=diff)
        typer.echo(to_text(rows).encode("utf-8", "backslashreplace"), err=True, nl=False)
    raise typer.Exit(_status(rows))


def _checked(base_url: str) -> str:
    from cardwright.rewrite import BadBaseURL, check_base_url

    try:
        return check_base_url(base_url)
    except BadBaseURL as error:
        fail(f"--base-url: {error}")


def _print(row: FixResult, *, diff: bool) -> None:
    """Print the fixed card or the difference. In a pipe a difference keeps its bytes: it may be a patch."""
    if diff:
        lines = _difference(row)
        emit_bytes(escaped_json(lines) if at_terminal(sys.stdout) else lines)
    else:
        emit_document(row.after)


def _guesses(reads_stdin: bool, *, apply_all: bool) -> Callable[[Violation], bool]:  # noqa: FBT001 - private
    """Return the decision about guesses: apply all, ask the user, or apply none."""
    if apply_all:
        return lambda _: True
    if reads_stdin or not (at_terminal(sys.stdin) and at_terminal(sys.stderr)):
        return lambda _: False
    return GuessPrompt()


class GuessPrompt:
    """Prompt that asks the user once about each kind of guess."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str], bool] = {}

    def __call__(self, violation: Violation) -> bool:
        """Return whether to apply the guess that fixes a violation."""
        from cardwright.cli.fix_run import kind_of, sentence

        kind = kind_of(violation)
        if kind not in self._answers:
            self._answers[kind] = typer.confirm(
                f"apply this guess: {sentence(violation)}?", default=False, err=True
            )
        return self._answers[kind]


def _difference(row: FixResult) -> bytes:
    """Return a unified diff of a card's text; empty if nothing has changed."""
    from difflib import unified_diff
    from io import StringIO

    # Split at line feeds only: Python's splitlines() also splits at characters that a JSON string may contain.
    before, after = (
        StringIO(text.decode("utf-8"), newline="\n").readlines() for text in (row.before, row.after)
    )
    lines = unified_diff(before, after, fromfile=row.display_name, tofile=f"{row.display_name} (fixed)")
    # difflib does not mark a missing line end at the end of a file, as diff does.
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    ).encode("utf-8")


def _status(rows: Sequence[FixResult]) -> int:
    if any(row.fault for row in rows):
        return 2
    return 0 if all(row.valid for row in rows) else 1
