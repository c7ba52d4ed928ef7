"""Validation of a document by its schema, its rules and the registries."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.dialect import older_half
from cardwright_rules import MESSAGES, ROWS
from cardwright_runtime.spelling import merged
from cardwright_runtime.violation import Violation
from cardwright_runtime.violation_limit import MAX_VIOLATIONS, RULE, sorted_once

if TYPE_CHECKING:
    from cardwright_runtime.engine import DialectValidator
    from cardwright_runtime.text import Text


def violations_of(
    document: Any,
    name: str,
    checks: Checks = DEFAULT_CHECKS,
    *,
    text: Text | None = None,
    limit: int = MAX_VIOLATIONS,
) -> list[Violation]:
    """Return the violations of a document as a dialect, at most `limit`; those of a hybrid also as each half.

    If there are more, the violation `limits/violations` says so.
    """
    # Several messages are a stream.
    allowed = (dict, list) if name in MESSAGES else (dict,)
    if type(document) not in allowed:
        message = "a card must be a JSON object"
        return [Violation("schema/type", "error", "", message, "RFC 8259 §4")]
    vocabularies, text_rules = checks.vocabularies, "text" in checks.rules
    violations = _validator_of(name).violations(
        document, vocabularies, text=text, text_rules=text_rules, limit=limit
    )
    row = ROWS[name]
    if not row.halves:
        return violations
    halves = [older_half(document)]
    if "supportedInterfaces" in document:
        halves.append(row.halves[0])
    for half in halves:
        violations += _half_validator(half, name).violations(
            document, vocabularies, text=text, text_rules=text_rules, limit=limit
        )
        # The texts of the other half are the same.
        text_rules = False
    return sorted_once(
        merged(violations), limit, dropped=any(violation.rule == RULE for violation in violations)
    )


@cache
def _validator_of(name: str) -> DialectValidator:
    return ROWS[name].validator()


@cache
def _half_validator(half: str, hybrid: str) -> DialectValidator:
    """Return the validator of one half, without the rules that do not apply beside the other half."""
    return _validator_of(half).within(_validator_of(hybrid), frozenset(ROWS[hybrid].silences))
