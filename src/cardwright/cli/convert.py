"""`cardwright convert`: a card in another dialect, and the losses and assumptions of the conversion."""

from __future__ import annotations

import os
import stat
from typing import Annotated, Final

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import card_of
from cardwright.cli.fetch_options import name_of, reach_of
from cardwright.cli.inputs import STDIN
from cardwright.cli.option_groups import option
from cardwright.cli.outputs import write_output
from cardwright.cli.terminal import emit_json, fail, json_text, legible, tell
from cardwright_models import DIALECTS

EXAMPLES: Final = (
    "cardwright convert --to a2a-1.0 old-card.json > agent-card.json",
    "cardwright convert --to a2a-0.3 --lossless --report losses.json card.json",
)


def command(  # noqa: PLR0913 - one parameter per option
    path: options.PathOrUrl,
    *,
    to: options.ToDialect,
    source: options.FromDialect = None,
    carry: Annotated[
        bool,
        option(
            "--carry",
            "Store fields that the dialect does not have in an extension, to convert back without loss.",
        ),
    ] = False,
    report: Annotated[
        str | None, option("--report", "Write all losses and assumptions to FILE, as JSON.", "FILE")
    ] = None,
    lossless: Annotated[
        bool, option("--lossless", "Exit with 1 if a field was lost and not stored by --carry.")
    ] = False,
    strict: Annotated[bool, option("--strict", "Reject an invalid card.")] = False,
    checks: options.LimitedAndRules,
    allowed: options.Reachable,
) -> None:
    """Convert a card to another dialect and print it; list losses and assumptions on standard error.

    Exit status: 0 success, 1 the result of a valid card is not valid, or --lossless or --strict failed, 2 the card could
    not be read or the report not written.
    """
    from cardwright.cli.reports.conversion import doubt, refusal, summary
    from cardwright.conversion import convert

    if report is not None:
        _check_target(report, path)
    reach = reach_of(allowed, [path])
    hint = f"name it with --from: {', '.join(DIALECTS)}"
    card = card_of(path, source, checks, hint=hint, reach=reach)
    path = name_of(path)
    if source is None:
        tell(doubt(path, card))
    if strict and not card.valid:
        tell(refusal(path, card))
        raise typer.Exit(1)
    result, conversion = convert(card, to=to, carry=carry, checks=checks)
    # Before the card: the reader of the pipe may take its end for success.
    if report is not None:
        write_output(report, json_text(conversion.to_json()), "the report")
    emit_json(result.document)
    tell(summary(path, card, result, conversion, report))
    broken = card.valid and not result.valid
    raise typer.Exit(1 if broken or (lossless and not conversion.lossless) else 0)


def _check_target(report: str, path: str) -> None:
    """End the command if the report would overwrite the card or mix with it on standard output."""
    if report == STDIN:
        fail("--report: expected a file; standard output is used for the card")
    if _is_standard_output(report):
        fail(
            f"--report {legible(report)}: standard output, which is used for the card, goes to this file; give another"
        )
    try:
        same = path != STDIN and os.path.samefile(report, path)  # noqa: PTH121 - paths as given, never normalised
    except (OSError, ValueError):
        return
    # A device such as /dev/null can be both.
    if same and stat.S_ISREG(os.stat(report).st_mode):  # noqa: PTH116 - a path as given, never normalised
        fail(f"--report {legible(report)} would overwrite the card: give another file")


def _is_standard_output(report: str) -> bool:
    """Return whether a path is the file or the pipe of standard output."""
    try:
        output, status = os.fstat(1), os.stat(report)  # noqa: PTH116 - a path as given, never normalised
    except (OSError, ValueError):
        return False
    return os.path.samestat(output, status) and not stat.S_ISCHR(status.st_mode)
