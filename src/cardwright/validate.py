"""Every violation of a document: its schema, then its rules, then the registries."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from cardwright.canonical import DEFAULT_LIMITS, Limits, copied, text_of
from cardwright.dialect import Dialect, detect, named, older_half
from cardwright.errors import InvalidCard
from cardwright.registries import Registries
from cardwright_models import DIALECTS
from cardwright_runtime.engine import MAX_VIOLATIONS
from cardwright_runtime.violation import Fix, Violation

if TYPE_CHECKING:
    from cardwright_runtime.engine import Judge, Text, Vocabularies

__all__ = ["Fix", "Violation", "check", "judge", "violations"]


def violations(
    document: Any,
    *,
    dialect: Dialect | str | None = None,
    registries: Registries | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Violation, ...]:
    """Return all violations of a decoded document, errors and warnings, sorted by pointer.

    Args:
        document: A JSON value from `canonical.decode` or of the same kinds; it is not changed.
        dialect: The dialect to judge by; detected where not given.
        registries: What the application has registered; the canonical cores where not given.
        limits: How much of a document is judged.

    >>> [v.pointer for v in violations({"name": "A", "supportedInterfaces": []})][:2]
    ['/capabilities', '/defaultInputModes']

    Raises:
        MalformedDocument: If it holds what is no JSON value, or is past a limit.
        UnknownDialect: If no dialect is given and none is recognised.
    """
    value = copied(document, limits)
    name = str(named(str(dialect if dialect is not None else detect(value).dialect)))
    return tuple(judge(value, name, vocabularies_of(registries), text=text_of(value)))


def check(
    document: Any,
    *,
    dialect: Dialect | str | None = None,
    registries: Registries | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> None:
    """Raise what `violations` finds, if any of it is an error.

    >>> check({"name": "A", "supportedInterfaces": []})
    Traceback (most recent call last):
        ...
    cardwright.errors.InvalidCard: ...

    Raises:
        InvalidCard: With all violations, warnings too, if there is an error among them.
        MalformedDocument: If it holds what is no JSON value, or is past a limit.
        UnknownDialect: If no dialect is given and none is recognised.
    """
    found = violations(document, dialect=dialect, registries=registries, limits=limits)
    if any(violation.severity == "error" for violation in found):
        raise InvalidCard(found)


def judge(
    document: Any,
    name: str,
    vocabularies: Vocabularies,
    *,
    text: Text | None = None,
    text_rules: bool = False,
    most: int = MAX_VIOLATIONS,
) -> list[Violation]:
    """Return the violations by the dialect of a name; a hybrid is judged by each half's dialect too."""
    if type(document) is not dict:
        message = "a card is a JSON object, and this is none"
        return [Violation("schema/type", "error", "", message, "RFC 8259 §4")]
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


def vocabularies_of(registries: Registries | None) -> Vocabularies:
    """Return the names that each open registry knows."""
    return _canonical() if registries is None else registries.by_name()


@cache
def _canonical() -> Vocabularies:
    # Frozen, so that no caller can make one judgement depend on another.
    return {name: frozenset(registry) for name, registry in Registries().by_name().items()}


@cache
def _judge_of(name: str) -> Judge:
    return DIALECTS[name].judge()


@cache
def _half_judge(half: str, hybrid: str) -> Judge:
    """Return the judge of one half, without the rules that make no sense beside the other half."""
    return _judge_of(half).within(_judge_of(hybrid), frozenset(DIALECTS[hybrid].silences))
