"""The text report of a conversion: counts, then a line for each loss, assumption and error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.cli.reports.words import counted, doubt_of, tally
from cardwright.cli.terminal import legible
from cardwright.conversion.report import value_text
from cardwright_rules import MESSAGES
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.card import Document
    from cardwright.conversion import ConversionReport

# More lines of one kind would push the others off the screen (project decision).
MAX_LINES: Final = 20


def doubt(path: str, card: Document) -> str:
    """Return why the dialect of a card is uncertain; "" if it is certain."""
    why = doubt_of(card.detection)
    line = f"{legible(path)}: read as {card.dialect}, not sure: {why}; give --from to choose"
    return _text([line]) if why else ""


def refusal(path: str, card: Document) -> str:
    """Return why --strict rejects a card: its errors."""
    return _text(
        [f"cardwright: {legible(path)}: not a valid {card.dialect} card", *_errors("the card", card)]
    )


def summary(
    path: str, card: Document, result: Document, report: ConversionReport, report_file: str | None
) -> str:
    """Return the losses and assumptions, and the errors of the card and of the result."""
    everything = f"{'--report FILE' if report_file is None else legible(report_file)} lists them all"
    losses = [(loss.pointer, loss.kind, loss.why) for loss in report.losses]
    assumptions = [(item.pointer, value_text(item), item.why) for item in report.assumptions]
    heading = counted(len(losses), "loss") + (", carried" if report.carried and losses else "")
    lines = [f"{legible(path)}: {report.source} → {report.target}"]
    if violations := tally(card.violations):
        what = "message" if report.source in MESSAGES else "card"
        lines.append(f"{violations} in the {what}: see `cardwright check`")
    lines += _block(heading, losses, everything)
    lines += _block(counted(len(assumptions), "assumption"), assumptions, everything)
    if not result.valid:
        lines += _errors("the result", result)
    return _text(lines)


def _errors(where: str, card: Document) -> Iterator[str]:
    """Yield a heading and a line for each error of a card."""
    errors = [(error.pointer, error.rule, error.message) for error in card.errors]
    yield from _block(f"{counted(len(errors), 'error')} in {where}", errors, "`cardwright check` lists them")


def _block(heading: str, rows: Sequence[tuple[str, str, str]], everything: str) -> Iterator[str]:
    """Yield a heading, the first rows, and where to find the others."""
    yield heading
    for pointer, kind, why in rows[:MAX_LINES]:
        yield f"  {pointer or '(root)'}  {kind}  {why}"
    if len(rows) > MAX_LINES:
        yield f"  … and {len(rows) - MAX_LINES:,} more: {everything}"


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{escaped(line)}\n" for line in lines)
