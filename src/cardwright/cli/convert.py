"""`cardwright convert`: one card in another dialect, and all that was lost or assumed on the way."""

from __future__ import annotations

import os
import stat
from typing import Annotated

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import card_of
from cardwright.cli.fetch_options import name_of, reach_of
from cardwright.cli.inputs import STDIN
from cardwright.cli.option_groups import option
from cardwright.cli.outputs import write_output
from cardwright.cli.terminal import emit_json, fail, json_text, legible, tell
from cardwright_models import DIALECTS


def command(  # noqa: PLR0913 - an argument an option
    path: options.PathOrUrl,
    *,
    to: options.ToDialect,
    source: options.FromDialect = None,
    carry: Annotated[
        bool, option("--carry", "Keep in an extension what the dialect cannot say, for the way back.")
    ] = False,
    report: Annotated[
        str | None, option("--report", "Write every loss and assumption to FILE, as JSON.", "FILE")
    ] = None,
    lossless: Annotated[
        bool, option("--lossless", "Exit with 1 if anything was lost and is not carried.")
    ] = False,
    strict: Annotated[bool, option("--strict", "Refuse an invalid card.")] = False,
    checks: options.LimitedAndRules,
    allowed: options.Reachable,
) -> None:
    """Print a card in another dialect; standard error says what was lost and what was assumed.

    Exits with 0 if it was converted, 1 if --lossless or --strict speaks against it, 2 if it could not
    be read or the report not be written.
    """
    from cardwright.cli.reports.conversion import doubt, refusal, summary
    from cardwright.conversion import convert

    if report is not None:
        _check_target(report, path)
    reach = reach_of(allowed, [path])
    hint = f"--from takes {', '.join(DIALECTS)}"
    card = card_of(path, source, checks, hint=hint, reach=reach)
    path = name_of(path)
    if source is None:
        tell(doubt(path, card))
    if strict and not card.valid:
        tell(refusal(path, card))
        raise typer.Exit(1)
    result, told = convert(card, to=to, carry=carry, checks=checks)
    # Before the card: who reads the pipe may take its end for success.
    if report is not None:
        write_output(report, json_text(told.to_json()), "the report")
    emit_json(result.document)
    tell(summary(path, card, result, told, report))
    raise typer.Exit(1 if lossless and not told.lossless else 0)


def _check_target(report: str, path: str) -> None:
    """Refuse to write the report over the card, or between the card's lines."""
    if report == STDIN:
        fail("--report takes a file: standard output is for the card")
    if _takes_output(report):
        fail(f"--report {legible(report)} is where standard output goes, and that is for the card")
    try:
        same = path != STDIN and os.path.samefile(report, path)  # noqa: PTH121 - paths as given, never normalised
    except (OSError, ValueError):
        return
    # A device such as /dev/null may be both.
    if same and stat.S_ISREG(os.stat(report).st_mode):  # noqa: PTH116 - a path as given, never normalised
        fail(f"--report {legible(report)} is the card itself: it would be overwritten")


def _takes_output(report: str) -> bool:
    """Whether a path leads to the file or the pipe that standard output goes to."""
    try:
        output, told = os.fstat(1), os.stat(report)  # noqa: PTH116 - a path as given, never normalised
    except (OSError, ValueError):
        return False
    return os.path.samestat(output, told) and not stat.S_ISCHR(told.st_mode)
