"""`fix`: apply the fixes of a card's violations, as far as they make the card better.

A fix is applied only where it removes its violation and adds none: what it brings to light is fixed
with it, or it is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.errors import SignedCard
from cardwright.repair.rounds import FixRun, fixed

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_runtime.violation import Fix, JsonObject, Violation

__all__ = ["AppliedFix", "fix", "is_signed"]


@dataclass(frozen=True, slots=True)
class AppliedFix:
    """One fix that was applied.

    Attributes:
        violation: What it removed; its pointer is that of the moment when it was applied.
        fix: What was done, and whether it is safe: safe keeps the meaning, else it is a guess.
        breaks_signatures: Whether the card was signed: its signatures no longer verify.
    """

    violation: Violation
    fix: Fix
    breaks_signatures: bool


def fix(
    card: Card,
    *,
    checks: Checks = DEFAULT_CHECKS,
    safe_only: bool = False,
    break_signatures: bool = True,
    ask: Callable[[Violation], bool] | None = None,
) -> tuple[Card, tuple[AppliedFix, ...]]:
    """Return the fixed card, and the fixes that were applied, in their order; the card itself if there are none.

    Applied one after the other, the patches of the fixes turn the one document into the other. Fixing is
    idempotent and never adds a violation: a fix that would is left out. No endpoint is ever invented. A card
    with more than 10,000 violations is left as it is. The result has the dialect that it is detected as,
    unless the card was read with a dialect that is not the detected one: then it keeps that.

    Args:
        card: The card; it is not changed.
        checks: The registries and rule sets to validate with.
        safe_only: Whether to leave guesses out: fixes that state an assumption.
        break_signatures: Whether a signed card may be fixed; each fix of one says that its
            signatures no longer verify. They are left in place: sign the card again.
        ask: Called with the violation before each guess; only where it returns true is one applied.

    >>> card = Card.from_document({"name": "A", "protocolVersion": "0.3.0", "iconUrl": None})
    >>> better, fixes = fix(card, safe_only=True)
    >>> "iconUrl" in better.document, better.document["defaultInputModes"], fixes[0].violation.pointer
    (False, ['text/plain'], '/preferredTransport')

    Raises:
        SignedCard: If the card is signed, `break_signatures` is false, and there is something to fix.
    """
    run = FixRun(card, checks, None if safe_only else ask or (lambda _: True))
    better, violations = fixed(run)
    if not violations:
        return card, ()
    signed = is_signed(card.document)
    if signed and not break_signatures:
        raise SignedCard(len(violations))
    applied = tuple(AppliedFix(one, one.fix, signed) for one in violations if one.fix)
    return Card.of_parts(better.document, better.dialect, checks=checks), applied


def is_signed(document: JsonObject) -> bool:
    """Whether a card carries anything as its signatures (A2A 0.3 §5.5.6, A2A 1.0 §8.4)."""
    return type(document) is dict and bool(document.get("signatures"))
