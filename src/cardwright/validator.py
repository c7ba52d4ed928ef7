"""Every violation of a document: its schema, then its rules, then the registries."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.dialect import older_half
from cardwright_models import DIALECTS
from cardwright_runtime.engine import MAX_VIOLATIONS
from cardwright_runtime.violation import Violation

if TYPE_CHECKING:
    from cardwright_runtime.engine import Judge, Text


def violations_of(
    document: Any,
    name: str,
    checks: Checks = DEFAULT_CHECKS,
    *,
    text: Text | None = None,
    most: int = MAX_VIOLATIONS,
) -> list[Violation]:
    """Return the violations by the dialect of a name; a hybrid is validated by each half's dialect, too."""
    if type(document) is not dict:
        message = "a card is a JSON object, and this is none"
        return [Violation("schema/type", "error", "", message, "RFC 8259 §4")]
    vocabularies, text_rules = checks.vocabularies, "text" in checks.rules
    found = _judge_of(name).violations(document, vocabularies, text=text, text_rules=text_rules, most=most)
    row = DIALECTS[name]
    if not row.halves:
        return found
    halves = [older_half(document)]
    if "supportedInterfaces" in document:
        halves.append(row.halves[0])
    for half in halves:
        found += _half_judge(half, name).violations(
            document, vocabularies, text=text, text_rules=text_rules, most=most
        )
    by_place = {(violation.pointer, violation.rule): violation for violation in reversed(found)}
    return [by_place[place] for place in sorted(by_place)]


@cache
def _judge_of(name: str) -> Judge:
    return DIALECTS[name].judge()


@cache
def _half_judge(half: str, hybrid: str) -> Judge:
    """Return the validator of one half, without the rules that make no sense beside the other half."""
    return _judge_of(half).within(_judge_of(hybrid), frozenset(DIALECTS[hybrid].silences))
