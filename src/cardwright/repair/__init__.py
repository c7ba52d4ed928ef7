"""Mending a card: the fixes of its violations, as far as they make it better.

A fix is taken only where it mends its violation and adds none: what it brings to light is mended
with it, or it is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.canonical import DEFAULT_LIMITS, Limits, copied
from cardwright.errors import SignedCard
from cardwright.repair.rounds import Bench, mended
from cardwright.validate import vocabularies_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.dialect import Dialect
    from cardwright.registries import Registries
    from cardwright_runtime.violation import Fix, Violation

__all__ = ["Repair", "fix"]


@dataclass(frozen=True, slots=True)
class Repair:
    """One fix that was applied.

    Attributes:
        violation: What it mended; its pointer is that of the moment when it was applied.
        fix: What was done, and whether it is safe: safe keeps the meaning, else it is a guess.
        breaks_signatures: Whether the card was signed: its signatures no longer hold.
    """

    violation: Violation
    fix: Fix
    breaks_signatures: bool


def fix(
    document: Any,
    *,
    dialect: Dialect | str | None = None,
    registries: Registries | None = None,
    limits: Limits = DEFAULT_LIMITS,
    safe_only: bool = False,
    break_signatures: bool = True,
    ask: Callable[[Violation], bool] | None = None,
) -> tuple[Any, tuple[Repair, ...]]:
    """Return a mended copy of a document, and the fixes that were applied, in their order.

    Applied one after the other, their patches make the one of the other. Mending is idempotent and
    never adds a violation: a fix that would is left out. No endpoint is ever invented. A document
    that breaks its schema in more than 10,000 places is left as it is.

    Args:
        document: A JSON value from `canonical.decode` or of the same kinds; it is not changed.
        dialect: The dialect to judge by; detected where not given.
        registries: What the application has registered; the canonical cores where not given.
        limits: How much of a document is judged.
        safe_only: Whether to leave guesses out: fixes that state an assumption.
        break_signatures: Whether a signed card may be mended; each fix of one says that its
            signatures no longer hold. They are left in place: sign the card again.
        ask: Called with the violation before each guess; only where it returns true is one applied.

    >>> card, fixes = fix({"name": "A", "protocolVersion": "0.3.0", "iconUrl": None}, safe_only=True)
    >>> "iconUrl" in card, card["defaultInputModes"], fixes[0].violation.pointer
    (False, ['text/plain'], '/preferredTransport')

    Raises:
        MalformedDocument: If it holds what is no JSON value, or is past a limit.
        UnknownDialect: If no dialect is given and none is recognised.
        SignedCard: If the card is signed, must not be broken, and has something to mend.
    """
    value = copied(document, limits)
    bench = Bench(dialect, vocabularies_of(registries), None if safe_only else ask or (lambda _: True))
    better, applied = mended(bench, value)
    signed = is_signed(value)
    if applied and signed and not break_signatures:
        raise SignedCard(len(applied))
    repairs = (Repair(violation, violation.fix, signed) for violation in applied if violation.fix)
    return better, tuple(repairs)


def is_signed(document: Any) -> bool:
    """Whether a card carries anything as its signatures (A2A 0.3 §5.5.6, A2A 1.0 §8.4)."""
    return type(document) is dict and bool(document.get("signatures"))
