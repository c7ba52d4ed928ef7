"""The reports of `probe` as text, as JSON, whose shape is a contract, and as input of the JUnit and SARIF reports."""

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
_FIELDS: Final = ("id", "section", "outcome", "subject", "pointer", "seen", "expected", "fix", "spec")


def contract(report: Report) -> dict[str, Any]:
    """Return the JSON report: fields are added to it, never changed."""
    return {
        "url": report.url,
        "card": report.place,
        "dialect": str(report.card.dialect) if report.card else None,
        "true": report.true,
        "complete": report.complete,
        "requests": report.requests,
        "checks": [{name: getattr(check, name) for name in _FIELDS} for check in report.checks],
        "summary": {outcome: len(report.of(outcome)) for outcome in OUTCOMES},
    }


def piped(report: Report) -> str:
    """Return the text report: one line per check, then the summary."""
    return "\n".join([*(_line(check) for check in report.checks), summary(report), ""])


def summary(report: Report) -> str:
    """Return the summary line."""
    counts = [(len(report.of("error")), "error"), (len(report.of("warning")), "warning")]
    problems = ", ".join(counted(count, noun) for count, noun in counts if count)
    effort = f"{counted(len(report.checks), 'check')}, {counted(report.requests, 'request')}"
    if not report.true:
        return f"failed: the agent does not do what its card declares ({problems}; {effort})"
    if not report.complete:
        return f"incomplete: not all checks were run ({problems or 'no errors so far'}; {effort})"
    return f"passed: the agent does what its card declares ({problems + '; ' if problems else ''}{effort})"


def sentences(check: Check) -> Iterator[str]:
    """Yield the observation and, for an error or a warning, the expectation and the fix."""
    yield escaped(check.seen)
    if check.outcome in ("error", "warning"):
        yield f"expected: {check.expected}"
        yield f"fix: {check.fix}"


def cases(report: Report, *, strict: bool) -> Iterator[Case]:
    """Yield a test case per check; with `strict` a warning is a failure."""
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
    """Return errors and warnings as SARIF: violations of one document, the card."""
    from cardwright.cli.reports.sarif import sarif as log

    violations = tuple(
        Violation(check.id, check.outcome, check.pointer, _message(check), check.spec)
        for check in report.checks
        if check.outcome == "error" or check.outcome == "warning"  # noqa: PLR1714 - so that its type is known
    )
    dialect = str(report.card.dialect) if report.card else None
    row = Row(
        source=report.place,
        dialect=dialect,
        sure=report.card is not None and (report.card.detection is None or report.card.detection.sure),
        evidence=(),
        readable=True,
        valid=report.true,
        violations=violations,
    )
    return log([row])


def _message(check: Check) -> str:
    return f"{check.subject}: {check.seen}; expected: {check.expected}; fix: {check.fix}"


def _line(check: Check) -> str:
    details = "; ".join(sentences(check))
    return f"{MARKS[check.outcome]} {check.section}: {escaped(check.subject)}: {details} [{check.id}] ({check.spec})"
