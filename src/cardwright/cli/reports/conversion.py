"""What a person is told of a conversion: counts, then a line for each loss, assumption and error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.cli.reports.words import counted, tally
from cardwright.cli.terminal import legible
from cardwright.conversion.report import told
from cardwright.dialect import detect
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.card import Card
    from cardwright.conversion import ConversionReport

# More lines of one kind would push the other kinds off a screen (ours).
MOST_LINES: Final = 20


def doubt(path: str, card: Card) -> str:
    """Return why the dialect of a card is only a guess; nothing where it is none."""
    seen = detect(card.document)
    if seen.sure:
        return ""
    others = ", ".join(str(one) for one in seen.candidates if one != seen.dialect)
    could = f"; it could also be {others}" if others else ""
    evidence = "; ".join(seen.evidence)
    return _text(
        [f"{legible(path)}: read as {card.dialect}, not sure: {evidence}{could}: --from names another"]
    )


def refusal(path: str, card: Card) -> str:
    """Return why an invalid card is refused: its errors."""
    return _text([f"cardwright: {legible(path)}: no valid {card.dialect} card", *_errors("the card", card)])


def summary(path: str, card: Card, result: Card, report: ConversionReport, report_file: str | None) -> str:
    """Return what was lost and assumed, and what is wrong with the card and with the result."""
    everything = f"{'--report FILE' if report_file is None else legible(report_file)} has them all"
    losses = [(loss.pointer, loss.kind, loss.why) for loss in report.losses]
    assumptions = [(one.pointer, told(one), one.why) for one in report.assumptions]
    lost = counted(len(losses), "loss") + (", carried" if report.carried and losses else "")
    lines = [f"{legible(path)}: {report.source} → {report.target}"]
    if wrong := tally(card.violations):
        lines.append(f"{wrong} in the card: see `cardwright check`")
    lines += _block(lost, losses, everything)
    lines += _block(counted(len(assumptions), "assumption"), assumptions, everything)
    if not result.valid:
        lines += _errors("the result", result)
    return _text(lines)


def _errors(where: str, card: Card) -> Iterator[str]:
    """Yield a heading and a line for each error of a card."""
    errors = [(one.pointer, one.rule, one.message) for one in card.errors]
    yield from _block(f"{counted(len(errors), 'error')} in {where}", errors, "`cardwright check` lists them")


def _block(heading: str, rows: Sequence[tuple[str, str, str]], everything: str) -> Iterator[str]:
    """Yield a heading, its first rows, and where the others are."""
    yield heading
    for pointer, kind, why in rows[:MOST_LINES]:
        yield f"  {pointer or '(root)'}  {kind}  {why}"
    if len(rows) > MOST_LINES:
        yield f"  … and {len(rows) - MOST_LINES:,} more: {everything}"


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{escaped(line)}\n" for line in lines)
