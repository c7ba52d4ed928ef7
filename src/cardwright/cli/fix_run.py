"""What is done to each input of `cardwright fix`, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import decode
from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.cli.inputs import STDIN, Source, read
from cardwright.cli.outputs import replace_file
from cardwright.cli.rewrite import rewritten
from cardwright.cli.terminal import legible
from cardwright.errors import MalformedDocument, SignedCard, UnknownDialect
from cardwright.repair import AppliedFix, fix
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cardwright_runtime.violation import Violation

# A kind of fix that was made in more places than these is told by the first of them (ours).
_PLACES: Final = 3


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run mends: what its options say. `ask` says whether to make a guess."""

    dialect: str | None = None
    checks: Checks = DEFAULT_CHECKS
    safe_only: bool = False
    break_signatures: bool = False
    ask: Callable[[Violation], bool] | None = None


@dataclass(frozen=True, slots=True)
class Mended:
    """What became of one input.

    Attributes:
        source: The path as given.
        dialect: What it is judged by when it is mended; None where nothing is.
        before: The bytes that were read; empty where none could be.
        after: The bytes of the mended card, in the manner of those read.
        document: The mended card.
        fixes: What was done, in its order.
        left: What is wrong with it still.
        fault: Why it could not be read, mended or written, or "".
        written: Whether its file was replaced.
    """

    source: str
    dialect: str | None = None
    before: bytes = b""
    after: bytes = b""
    document: Any = None
    fixes: tuple[AppliedFix, ...] = ()
    left: tuple[Violation, ...] = ()
    fault: str = ""
    written: bool = False

    @property
    def shown_name(self) -> str:
        """The path as a person may see it."""
        return escaped(legible(self.source))

    @property
    def valid(self) -> bool:
        """Whether no error is left."""
        return not self.fault and self.dialect is not None and not self.errors

    @property
    def errors(self) -> int:
        """How many errors are left."""
        return sum(violation.severity == "error" for violation in self.left)

    @property
    def open_guesses(self) -> list[Violation]:
        """What is left although there is a fix for it: guesses that were not made."""
        return [violation for violation in self.left if violation.fix and not violation.fix.safe]


def mended(source: Source, settings: Settings) -> Mended:
    """Read and mend one input; every fault of it is a row, never an exception."""
    row = Mended(source.name)
    try:
        body = read(source, settings.checks.limits)
        document = decode(body, settings.checks.limits)
        row = replace(row, before=body, after=body)
        card = Card.from_document(document, dialect=settings.dialect, checks=settings.checks)
        better, fixes = fix(
            card,
            checks=settings.checks,
            safe_only=settings.safe_only,
            break_signatures=settings.break_signatures,
            ask=settings.ask,
        )
    except MalformedDocument as error:
        return replace(row, fault=str(error))
    except SignedCard as error:
        return replace(row, fault=f"{error}: use --break-signatures to fix it, then sign it again")
    except UnknownDialect as error:
        # As for `check`: a document of no dialect is read, and not valid.
        return replace(row, left=(_unknown(error),))
    return replace(
        row,
        dialect=str(better.dialect),
        after=rewritten(body, card.document, better.document) if fixes else body,
        document=better.document,
        fixes=fixes,
        left=better.violations,
    )


def written(row: Mended) -> Mended:
    """Put a mended card in its file's place; one that did not change is left alone."""
    if row.fault or row.after == row.before:
        return row
    if row.source == STDIN:
        return replace(row, fault="standard input cannot be written: leave --write out")
    try:
        replace_file(row.source, row.before, row.after)
    except OSError as error:
        return replace(row, fault=f"it cannot be written: {error.strerror}")
    return replace(row, written=True)


def told(rows: Sequence[Mended]) -> dict[str, Any]:
    """Return what programs read: `{"results": […], "summary": {…}}`, a result for each input."""
    valid = sum(row.valid for row in rows)
    faults = sum(bool(row.fault) for row in rows)
    return {
        "results": [_result(row) for row in rows],
        "summary": {
            "documents": len(rows),
            "valid": valid,
            "invalid": len(rows) - valid - faults,
            "failed": faults,
            "changed": sum(bool(row.fixes) for row in rows),
        },
    }


def shown(rows: Iterable[Mended]) -> str:
    """Return what was done to each input, by rule, safe fixes and guesses apart, and what is left."""
    return "".join(f"{line}\n" for row in rows for line in _lines(row))


def kind_of(violation: Violation) -> tuple[str, str]:
    """Return what makes two fixes the same to a person: the rule and what is done."""
    return violation.rule, violation.fix.description if violation.fix else ""


def sentence(violation: Violation) -> str:
    """Return a fix as one line: what is done, where, and by which rule."""
    described = escaped(violation.fix.description) if violation.fix else ""
    return f"{escaped(violation.pointer)}: {described} [{violation.rule}]"


def _lines(row: Mended) -> Iterator[str]:
    if row.fault:
        yield f"{row.shown_name}: {escaped(row.fault)}"
        return
    if row.dialect is None:
        yield f"{row.shown_name}: {escaped(row.left[0].message)}"
        return
    done = _counted(len(row.fixes), "fix", "fixes")
    outcome = f"{_counted(row.errors, 'error', 'errors')} left" if row.errors else "valid"
    yield f"{row.shown_name}: {row.dialect}: {done}, {outcome}{', written' if row.written else ''}"
    if row.fixes and row.fixes[0].breaks_signatures:
        yield "  the card is signed: its signatures no longer hold, so sign it again"
    yield from _kinds("safe", [one.violation for one in row.fixes if one.fix.safe])
    yield from _kinds("guess", [one.violation for one in row.fixes if not one.fix.safe])
    yield from _kinds("not made, --unsafe does", row.open_guesses)


def _kinds(label: str, violations: Sequence[Violation]) -> Iterator[str]:
    kinds: dict[tuple[str, str], list[str]] = {}
    for one in violations:
        kinds.setdefault(kind_of(one), []).append(escaped(one.pointer))
    for (rule, description), pointers in sorted(kinds.items()):
        places, count = sorted(pointers), len(pointers)
        more = f" and {count - _PLACES} more" if count > _PLACES else ""
        yield f"  {label}: {escaped(description)}: {', '.join(places[:_PLACES])}{more} [{rule}]"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count or 'no'} {one if count == 1 else many}"


def _result(row: Mended) -> dict[str, Any]:
    from cardwright.cli.reports.contract import violation_of

    result: dict[str, Any] = {
        "source": legible(row.source),
        "dialect": row.dialect,
        "valid": row.valid,
        "fixes": [
            {**violation_of(one.violation), "breaksSignatures": one.breaks_signatures} for one in row.fixes
        ],
        "violations": [violation_of(violation) for violation in row.left],
        "written": row.written,
        "document": row.document,
    }
    return {**result, "fault": row.fault} if row.fault else result


def _unknown(error: UnknownDialect) -> Violation:
    from cardwright_runtime.violation import Violation as Made

    return Made("dialect/unknown", "error", "", str(error), "ours")
