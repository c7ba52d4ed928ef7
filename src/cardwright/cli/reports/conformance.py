"""The reports of `conformance`: text, JSON, whose shape is a contract, JUnit, and a page; none holds a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.cli.reports.junit import Case, document
from cardwright.conformance import LEVELS, OPERATIONS
from cardwright.conformance.run import OUTCOMES
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.conformance import Expectations, Report, Result

_MARKS: Final = {"failed": "✗", "error": "!"}


def contract(report: Report, compared: Expectations) -> dict[str, Any]:
    """Return the JSON report: fields are added to it, never changed."""
    about = report.program
    return {
        "kit": report.kit,
        "program": {"name": about.name, "version": about.version, "language": about.language},
        "summary": {outcome: report.count(outcome) for outcome in OUTCOMES},
        "operations": {
            operation: {outcome: report.count(outcome, operation=operation) for outcome in OUTCOMES}
            for operation in OPERATIONS
        },
        "levels": {
            level: {outcome: report.count(outcome, level=level) for outcome in OUTCOMES} for level in LEVELS
        },
        "unexpected_failures": list(compared.unexpected_failures),
        "unexpected_passes": list(compared.unexpected_passes),
        "results": [
            {
                "id": one.case.id,
                "level": one.case.level,
                "outcome": one.outcome,
                "reason": one.reason,
                "description": one.case.description,
                "spec": list(one.case.spec),
                "requirements": list(one.case.requirements),
            }
            for one in report.results
        ],
    }


def text(report: Report, compared: Expectations) -> str:
    """Return the text report: a line per case that is not as expected, a table by operation, and a summary."""
    by_id = {one.case.id: one for one in report.results}
    lines = [line for identifier in compared.unexpected_failures for line in _lines(by_id[identifier])]
    lines += [
        f"✓ {identifier}: passes now; take it off the list of expected failures"
        for identifier in compared.unexpected_passes
    ]
    lines += ["", *_table(report), "", summary(report, compared), ""]
    return "\n".join(lines).lstrip("\n")


def summary(report: Report, compared: Expectations) -> str:
    """Return the last line of the text report."""
    bad = sum(one.bad for one in report.results)
    ran = f"{escaped(_name(report))}: {report.count('passed'):,} of {len(report.results):,} cases passed"
    ran += f", {report.count('unsupported'):,} unsupported" if report.count("unsupported") else ""
    if compared.met:
        return f"{ran}, {bad:,} failed as expected" if bad else ran
    parts = [f"{len(compared.unexpected_failures):,} failed"] if compared.unexpected_failures else []
    parts += (
        [f"{len(compared.unexpected_passes):,} expected to fail passed"] if compared.unexpected_passes else []
    )
    return f"{ran}; {' and '.join(parts)}"


def _lines(result: Result) -> Iterator[str]:
    case = result.case
    yield f"{_MARKS[result.outcome]} {case.id}: {escaped(result.reason)}"
    yield f"  {case.level}: {escaped(case.description)} ({'; '.join(case.spec)})"


def rows(report: Report) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield a row per operation and level: name, cases that passed, failed, gave no answer, are unsupported."""
    for operation in OPERATIONS:
        for level in LEVELS:
            counts = [
                report.count(outcome, operation=operation, level=level)
                for outcome in ("passed", "failed", "error", "unsupported")
            ]
            if any(counts):
                yield (f"{operation}, {level}", *counts)  # type: ignore[misc]


def _table(report: Report) -> Iterator[str]:
    heads = ("", "passed", "failed", "error", "unsupported")
    cells = [
        heads,
        *((name, *(f"{count:,}" if count else "" for count in counts)) for name, *counts in rows(report)),
    ]
    widths = [max(len(row[at]) for row in cells) for at in range(len(heads))]
    for row in cells:
        name, *counts = (
            text.rjust(width) if at else text.ljust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join((name, *counts)).rstrip()


def junit(report: Report, compared: Expectations) -> bytes:
    """Return a test case per case; an expected failure is skipped, and one that passed is a failure."""
    return document([_of(one, compared) for one in report.results])


def _of(result: Result, compared: Expectations) -> Case:
    case = result.case
    text = f"{case.level}: {case.description} ({'; '.join(case.spec)})"
    if case.id in compared.unexpected_passes:
        return Case(
            case.operation, case.id, "failure", "unexpected_passes", "passes now: take it off the list", text
        )
    if not result.bad:
        if result.outcome == "passed":
            return Case(case.operation, case.id, "pass")
        return Case(case.operation, case.id, "skipped", "", result.reason)
    if case.id not in compared.unexpected_failures:
        return Case(case.operation, case.id, "skipped", "", f"expected to fail: {result.reason}")
    return Case(
        case.operation,
        case.id,
        "failure" if result.outcome == "failed" else "error",
        case.level,
        result.reason,
        text,
    )


def html(report: Report, compared: Expectations) -> bytes:
    """Return a page: the table, and the cases that did not pass."""
    from cardwright.outline.fields import prose, words
    from cardwright.page.render import rendered

    findings = [
        {
            "id": words(one.case.id),
            "description": prose(one.case.description),
            "level": one.case.level,
            "spec": words("; ".join(one.case.spec)),
            "reason": prose(one.reason),
            "expected": one.case.id not in compared.unexpected_failures,
        }
        for one in report.results
        if one.bad
    ]
    return rendered(
        "conformance.html.jinja",
        title=words(_name(report)),
        summary=words(summary(report, compared)),
        kit=words(report.kit),
        met=compared.met,
        rows=list(rows(report)),
        findings=findings,
    )


def _name(report: Report) -> str:
    return " ".join(part for part in (report.program.name, report.program.version) if part)
