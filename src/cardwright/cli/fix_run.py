"""The run of `cardwright fix`: one result for each input, and the reports of it."""

from __future__ import annotations

from codecs import BOM_UTF8
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import decode
from cardwright.card import Document
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.cli.inputs import STDIN, Source, read
from cardwright.cli.outputs import replace_file
from cardwright.cli.rewrite import rewritten
from cardwright.cli.terminal import legible
from cardwright.dialect import detect
from cardwright.errors import MalformedDocument, SignedCard, UnknownDialect
from cardwright.explanations import spec_of
from cardwright.repair import AppliedFix, fix
from cardwright.repair.rounds import MAX_FIXES, reason_against
from cardwright_rules import MESSAGES
from cardwright_runtime.violation import Fix, Violation, escaped
from cardwright_runtime.violation_limit import RULE as TOO_MANY_VIOLATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cardwright.cli.project import Effective

# Pointers that a report lists for one kind of fix (project decision).
_MAX_POINTERS: Final = 3
_MARK: Final = "decode/byte-order-mark"
_UNMARK: Final = Fix(safe=True, description="removes the byte-order mark", patch=())


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a run. `ask` decides whether to apply a guess; with `unsafe` it applies all."""

    dialect: str | None = None
    checks: Checks = DEFAULT_CHECKS
    safe_only: bool = False
    break_signatures: bool = False
    unsafe: bool = False
    ask: Callable[[Violation], bool] | None = None
    base_url: str | None = None

    def over(self, effective: Effective) -> Settings:
        """Return the options with the settings for one input."""
        return replace(self, dialect=effective.dialect, checks=effective.checks)


@dataclass(frozen=True, slots=True)
class FixResult:
    """The result for one input.

    Attributes:
        source: The path as given.
        dialect: The dialect of the fixed card, or None if unknown.
        sure: Whether it is certain: declared by the fixed card, or given by --dialect.
        before: The bytes that were read; empty if it could not be read.
        after: The bytes of the fixed card, laid out like those that were read.
        document: The fixed card.
        fixes: The applied fixes, in order.
        remaining: The remaining violations.
        left_out: Those of them whose fix was left out, and why, by kind.
        fault: Why it could not be read, fixed or written, or "".
        written: Whether its file was replaced.
    """

    source: str
    dialect: str | None = None
    sure: bool = False
    before: bytes = b""
    after: bytes = b""
    document: Any = None
    fixes: tuple[AppliedFix, ...] = ()
    remaining: tuple[Violation, ...] = ()
    left_out: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    fault: str = ""
    written: bool = False

    @property
    def display_name(self) -> str:
        """The path, escaped for output."""
        return escaped(legible(self.source))

    @property
    def valid(self) -> bool:
        """Whether no error remains."""
        return not self.fault and self.dialect is not None and not self.errors

    @property
    def errors(self) -> int:
        """The number of remaining errors."""
        return sum(violation.severity == "error" for violation in self.remaining)

    @property
    def open_guesses(self) -> list[Violation]:
        """The remaining violations that a guess would fix."""
        return [
            violation
            for violation in self.remaining
            if violation.fix and not violation.fix.safe and kind_of(violation) not in self.left_out
        ]


def is_card(source: Source, checks: Checks) -> bool:
    """Return whether a file that was found in a folder is an agent card, by its name or its content."""
    if source.has_card_name or source.fault:
        return True
    try:
        found = detect(decode(read(source, checks.limits), checks.limits), found_at=source.name)
    except (MalformedDocument, UnknownDialect):
        return False
    # As in `check`, a message is only read if it is named.
    return str(found) not in MESSAGES


def fix_source(source: Source, settings: Settings) -> FixResult:
    """Read and fix one input; an input that cannot be read or fixed is a row, not an exception."""
    row = FixResult(source.name)
    try:
        before = read(source, settings.checks.limits)
        body = before.removeprefix(BOM_UTF8)
        document = decode(body, settings.checks.limits)
        row = replace(row, before=before, after=body)
        card = Document.from_document(
            document, dialect=settings.dialect, checks=settings.checks, found_at=source.name
        )
        fixed, fixes = fix(
            card,
            checks=settings.checks,
            safe_only=settings.safe_only,
            break_signatures=settings.break_signatures,
            ask=settings.ask,
            base_url=settings.base_url,
        )
    except MalformedDocument as error:
        return replace(row, fault=str(error))
    except SignedCard as error:
        return replace(row, fault=f"{error}; give --break-signatures to fix it, then sign it again")
    except UnknownDialect as error:
        # As in `check`: a document of an unknown dialect is readable and invalid.
        return replace(row, remaining=(_unknown(error),))
    return replace(
        row,
        dialect=str(fixed.dialect),
        sure=settings.dialect is not None or fixed.detection is None or fixed.detection.sure,
        after=rewritten(body, card.document, fixed.document) if fixes else body,
        document=fixed.document,
        fixes=fixes if body == before else (*fixes, _unmarked()),
        remaining=fixed.violations,
        left_out=_left_out(fixed, settings) if len(fixes) < MAX_FIXES else {},
    )


def _unmarked() -> AppliedFix:
    """Return the fix of a byte-order mark, which JSON may not begin with (RFC 8259 §8.1)."""
    mark = Violation(
        _MARK, "error", "", "the document begins with a byte-order mark", spec_of(_MARK), _UNMARK
    )
    return AppliedFix(mark, _UNMARK, breaks_signatures=False)


def _left_out(card: Document, settings: Settings) -> dict[tuple[str, str], str]:
    """Return the kinds of fixes that could be applied and were not, with the reason of the first one."""
    kinds: dict[tuple[str, str], Violation] = {}
    for violation in card.violations:
        if violation.fix and (violation.fix.safe or settings.unsafe):
            kinds.setdefault(kind_of(violation), violation)
    return {kind: reason_against(card, violation, settings.checks) for kind, violation in kinds.items()}


def write_back(row: FixResult) -> FixResult:
    """Replace the file of a card if the card has changed."""
    if row.fault or row.after == row.before:
        return row
    if row.source == STDIN:
        return replace(row, fault="--write cannot write to standard input; leave it out to print the card")
    try:
        replace_file(row.source, row.before, row.after)
    except OSError as error:
        return replace(row, fault=f"cannot be written: {error.strerror}")
    return replace(row, written=True)


def to_json(rows: Sequence[FixResult]) -> dict[str, Any]:
    """Return the JSON report `{"results": […], "summary": {…}}`, with a result for each input."""
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


def to_text(rows: Iterable[FixResult]) -> str:
    """Return the text report: for each input its safe fixes, its guesses and the guesses not applied."""
    return "".join(f"{line}\n" for row in rows for line in _lines(row))


def kind_of(violation: Violation) -> tuple[str, str]:
    """Return the kind of a fix: its rule and its description."""
    return violation.rule, violation.fix.description if violation.fix else ""


def sentence(violation: Violation) -> str:
    """Return a fix in one line: the location, the description and the rule."""
    described = escaped(violation.fix.description) if violation.fix else ""
    return f"{escaped(violation.pointer)}: {described} [{violation.rule}]"


def _lines(row: FixResult) -> Iterator[str]:
    if row.fault:
        yield f"{row.display_name}: {escaped(row.fault)}"
        return
    if row.dialect is None:
        yield f"{row.display_name}: {escaped(row.remaining[0].message)}"
        return
    fixes = _counted(len(row.fixes), "fix", "fixes")
    outcome = f"{_counted(row.errors, 'error', 'errors')} left" if row.errors else "valid"
    dialect = f"{row.dialect}{'' if row.sure else ', not sure'}"
    yield f"{row.display_name}: {dialect}: {fixes}, {outcome}{', written' if row.written else ''}"
    if row.fixes and row.fixes[0].breaks_signatures:
        yield "  the signatures of the card are no longer valid: sign it again"
    yield from _kinds("safe", [applied.violation for applied in row.fixes if applied.fix.safe])
    yield from _kinds("guess", [applied.violation for applied in row.fixes if not applied.fix.safe])
    beyond = next((violation for violation in row.remaining if violation.rule == TOO_MANY_VIOLATIONS), None)
    if beyond:
        yield f"  {escaped(beyond.message)} [{beyond.rule}]"
    elif len(row.fixes) >= MAX_FIXES:
        yield f"  {MAX_FIXES:,} fixes were applied, the most of one run: run the command again for more"
    else:
        yield from _kinds("guess not applied, use --unsafe", row.open_guesses)
        left_out = [violation for violation in row.remaining if kind_of(violation) in row.left_out]
        yield from _kinds("left out", left_out, row.left_out)


def _kinds(
    label: str, violations: Sequence[Violation], reasons: Mapping[tuple[str, str], str] | None = None
) -> Iterator[str]:
    kinds: dict[tuple[str, str], list[str]] = {}
    for violation in violations:
        kinds.setdefault(kind_of(violation), []).append(escaped(violation.pointer))
    for (rule, description), pointers in sorted(kinds.items()):
        places, count = sorted(pointers), len(pointers)
        more = f" and {count - _MAX_POINTERS} more" if count > _MAX_POINTERS else ""
        why = f": {escaped(reasons[rule, description])}" if reasons else ""
        yield f"  {label}: {escaped(description)}: {', '.join(places[:_MAX_POINTERS])}{more} [{rule}]{why}"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count or 'no'} {one if count == 1 else many}"


def _result(row: FixResult) -> dict[str, Any]:
    from cardwright.cli.reports.contract import violation_of

    result: dict[str, Any] = {
        "source": legible(row.source),
        "dialect": row.dialect,
        "sure": row.sure,
        "valid": row.valid,
        "fixes": [
            {**violation_of(applied.violation), "breaksSignatures": applied.breaks_signatures}
            for applied in row.fixes
        ],
        "violations": [violation_of(violation) for violation in row.remaining],
        "leftOut": [
            {"rule": rule, "description": description, "reason": reason}
            for (rule, description), reason in row.left_out.items()
        ],
        "written": row.written,
        "document": row.document,
    }
    return {**result, "fault": row.fault} if row.fault else result


def _unknown(error: UnknownDialect) -> Violation:
    from cardwright_runtime.violation import Violation as UnknownDialectViolation

    return UnknownDialectViolation("dialect/unknown", "error", "", str(error), spec_of("dialect/unknown"))
