"""A probe as lines for a pipe, as JSON whose shape is a contract, and as what the JUnit and SARIF writers take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.cli.check_run import Row
from cardwright.cli.reports.junit import Case
from cardwright.cli.reports.words import counted
from cardwright.discovery.probe.report import OUTCOMES
from cardwright_runtime.violation import Violation, escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.discovery.probe import Check, Outcome, Report

MARKS: Final[dict[Outcome, str]] = {"pass": "✓", "error": "✗", "warning": "!", "skip": "–", "info": "·"}
_MEMBERS: Final = (
    "id",
    "section",
    "outcome",
    "subject",
    "pointer",
    "seen",
    "expected",
    "mend",
    "spec",
)


def contract(report: Report) -> dict[str, Any]:
    """Return the JSON that programs read: members are added to it, never changed."""
    return {
        "url": report.url,
        "card": report.place,
        "dialect": str(report.card.dialect) if report.card else None,
        "true": report.true,
        "complete": report.complete,
        "requests": report.requests,
        "checks": [{name: getattr(check, name) for name in _MEMBERS} for check in report.checks],
        "summary": {outcome: len(report.of(outcome)) for outcome in OUTCOMES},
    }


def piped(report: Report) -> str:
    """Return the report for a pipe or a log: a line a check, the verdict last."""
    return "\n".join([*(_line(check) for check in report.checks), verdict(report), ""])


def verdict(report: Report) -> str:
    """Return the closing line."""
    counts = [(len(report.of("error")), "error"), (len(report.of("warning")), "warning")]
    told = ", ".join(counted(count, noun) for count, noun in counts if count)
    asked = f"{counted(len(report.checks), 'check')}, {counted(report.requests, 'request')}"
    if not report.true:
        return f"untrue: the agent does not do what its card says ({told}; {asked})"
    if not report.complete:
        return f"not all was looked at ({told or 'nothing untrue so far'}; {asked})"
    return f"true: the agent does what its card says, as far as one can see ({told + '; ' if told else ''}{asked})"


def sentences(check: Check) -> Iterator[str]:
    """Yield what was seen and, where it is not good, what was expected and how to mend it."""
    yield escaped(check.seen)
    if check.outcome in ("error", "warning"):
        yield f"expected: {check.expected}"
        yield f"fix: {check.mend}"


def cases(report: Report, *, strict: bool) -> Iterator[Case]:
    """Yield a case a check; with `strict` a warning fails, too."""
    for check in report.checks:
        name = f"{check.id}: {check.subject}"
        bad = check.outcome == "error" or (strict and check.outcome == "warning")
        text = "\n".join([*sentences(check), f"[{check.id}] ({check.spec})"])
        if bad:
            yield Case(check.section, name, "failure", check.id, check.seen, text)
        elif check.outcome == "skip":
            yield Case(check.section, name, "skipped", check.id, check.seen)
        else:
            yield Case(check.section, name, "pass", text=text)


def sarif(report: Report) -> dict[str, Any]:
    """Return errors and warnings as SARIF: the violations of one document, the card."""
    from cardwright.cli.reports.sarif import sarif as log

    found = tuple(
        Violation(check.id, check.outcome, check.pointer, _message(check), check.spec)
        for check in report.checks
        if check.outcome == "error" or check.outcome == "warning"  # noqa: PLR1714 - so that its type is known
    )
    dialect = str(report.card.dialect) if report.card else None
    return log([Row(report.place, dialect, True, (), True, report.true, found)])  # noqa: FBT003 - in the order of the row


def _message(check: Check) -> str:
    return f"{check.subject}: {check.seen}; expected: {check.expected}; fix: {check.mend}"


def _line(check: Check) -> str:
    told = "; ".join(sentences(check))
    return f"{MARKS[check.outcome]} {check.section}: {escaped(check.subject)}: {told} [{check.id}] ({check.spec})"
