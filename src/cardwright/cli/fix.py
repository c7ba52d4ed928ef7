"""`cardwright fix`: mend cards, and say what was done and what is left."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.inputs import STDIN, sources
from cardwright.cli.option_groups import option
from cardwright.cli.terminal import at_terminal, emit_bytes, emit_json, fail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.cli.fix_run import Mended
    from cardwright_runtime.violation import Violation


def command(  # noqa: PLR0913 - one option, one argument
    paths: options.Paths,
    *,
    write: Annotated[bool, option("--write", "Write each fixed card in place of its file.")] = False,
    diff: Annotated[bool, option("--diff", "Print what would change; write nothing.")] = False,
    safe_only: Annotated[
        bool, option("--safe-only", "Only what keeps the meaning; make and ask for no guess.")
    ] = False,
    unsafe: Annotated[bool, option("--unsafe", "Make every guess that helps without asking.")] = False,
    break_signatures: Annotated[
        bool, option("--break-signatures", "Mend signed cards too: their signatures no longer hold.")
    ] = False,
    form: options.Format = "text",
    dialect: options.DialectName = None,
    checks: options.Limited,
) -> None:
    """Mend cards: print the mended one, or write each in its place; say what was done on standard error.

    Safe fixes keep the meaning. All others are guesses: each kind is asked for at a terminal, made
    with --unsafe, and listed where it is not made.

    Exits with 0 if all are valid then, 1 if errors are left, 2 if some could not be read, mended or written.
    """
    from cardwright.cli.fix_run import Settings, mended, shown, told, written

    if write and diff:
        fail("--write writes and --diff does not: give one of them")
    if safe_only and unsafe:
        fail("--safe-only makes no guess and --unsafe makes all: give one of them")
    found = sources(paths)
    if len(found) > 1 and not (write or diff or form == "json"):
        fail(f"{len(found)} cards cannot be printed as one: give --write, --diff or --format json")
    settings = Settings(
        dialect=dialect,
        checks=checks,
        safe_only=safe_only,
        break_signatures=break_signatures,
        ask=None if safe_only else _guesses(STDIN in paths, all_of_them=unsafe),
    )
    rows = [mended(source, settings) for source in found]
    if write:
        rows = [written(row) for row in rows]
    if form == "json":
        emit_json(told(rows))
    else:
        if not write:
            for row in rows:
                emit_bytes(_difference(row) if diff else row.after)
        typer.echo(shown(rows).encode("utf-8", "backslashreplace"), err=True, nl=False)
    raise typer.Exit(_status(rows))


def _guesses(reading: bool, *, all_of_them: bool) -> Callable[[Violation], bool]:  # noqa: FBT001 - private
    """Return how it is decided whether to make a guess: all, those that a person agrees to, or none."""
    if all_of_them:
        return lambda _: True
    if reading or not (at_terminal(sys.stdin) and at_terminal(sys.stderr)):
        return lambda _: False
    return Asked()


class Asked:
    """Asks a person about each kind of guess, once."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str], bool] = {}

    def __call__(self, violation: Violation) -> bool:
        """Return whether to make the guess that mends a violation."""
        from cardwright.cli.fix_run import kind_of, sentence

        kind = kind_of(violation)
        if kind not in self._answers:
            self._answers[kind] = typer.confirm(f"a guess: {sentence(violation)}?", default=False, err=True)
        return self._answers[kind]


def _difference(row: Mended) -> bytes:
    """Return a unified diff of a card's text, or nothing where nothing has changed."""
    from difflib import unified_diff
    from io import StringIO

    # A text may hold what Python takes for the end of a line; only a line feed is one in JSON.
    before, after = (
        StringIO(text.decode("utf-8"), newline="\n").readlines() for text in (row.before, row.after)
    )
    made = unified_diff(before, after, fromfile=row.shown_name, tofile=f"{row.shown_name} (fixed)")
    # Where a file ends without a line end, diff says so; difflib leaves it to us.
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in made
    ).encode("utf-8")


def _status(rows: Sequence[Mended]) -> int:
    if any(row.fault for row in rows):
        return 2
    return 0 if all(row.valid for row in rows) else 1
