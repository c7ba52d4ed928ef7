"""The violations of a card for a page, grouped by rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright.outline.fields import words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright_runtime.violation import Severity, Violation

# Violations on a page; `cardwright check` lists all of them (project decision).
MAX_VIOLATIONS: Final = 100


@dataclass(frozen=True, slots=True)
class FindingView:
    """One violation with printable texts."""

    pointer: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class RuleView:
    """The violations of one rule with one severity.

    Attributes:
        rule: The id of the rule.
        severity: The severity.
        spec: The source of the rule.
        count: The number of violations.
        findings: Those that are shown.
    """

    rule: str
    severity: Severity
    spec: str
    count: int
    findings: tuple[FindingView, ...]


@dataclass(frozen=True, slots=True)
class FindingsView:
    """The violations of a card by rule, errors before warnings.

    Attributes:
        rules: The rules.
        errors: The number of errors.
        warnings: The number of warnings.
        more: The number of violations that are not shown.
    """

    rules: tuple[RuleView, ...]
    errors: int
    warnings: int
    more: int


def findings_view(violations: Sequence[Violation], text: Callable[[str], str] = words) -> FindingsView:
    """Return violations by rule.

    Args:
        violations: The violations.
        text: Returns a message or a description of a fix as printable text.
    """
    groups: dict[tuple[Severity, str], list[Violation]] = {}
    for violation in sorted(violations, key=lambda one: one.severity != "error"):
        groups.setdefault((violation.severity, violation.rule), []).append(violation)
    rules: list[RuleView] = []
    left = MAX_VIOLATIONS
    for (severity, rule), found in groups.items():
        shown = found[:left]
        left -= len(shown)
        if shown:
            views = tuple(_finding(violation, text) for violation in shown)
            rules.append(RuleView(rule, severity, found[0].spec, len(found), views))
    errors = sum(violation.severity == "error" for violation in violations)
    shown_count = MAX_VIOLATIONS - left
    return FindingsView(tuple(rules), errors, len(violations) - errors, len(violations) - shown_count)


def _finding(violation: Violation, text: Callable[[str], str]) -> FindingView:
    fix = text(violation.fix.description) if violation.fix else ""
    return FindingView(words(violation.pointer), text(violation.message), fix)
