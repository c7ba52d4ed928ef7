"""`fix`: apply the fixes of a card's violations that improve the card.

A fix is applied only if it removes its violation and adds none. A new violation that it uncovers must be
fixable, too; otherwise the fix is not applied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast

from cardwright.card import Document
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.errors import SignedCard
from cardwright.repair.rounds import FixRun, fixed
from cardwright.rewrite import check_base_url

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_runtime.violation import Fix, JsonObject, Violation

__all__ = ["AppliedFix", "fix", "is_signed"]

D = TypeVar("D", bound=Document)


@dataclass(frozen=True, slots=True)
class AppliedFix:
    """One fix that was applied.

    Attributes:
        violation: The violation that it removed; its pointer refers to the document before the fix.
        fix: The fix. A safe one keeps the meaning of the card; any other is a guess.
        breaks_signatures: Whether the card was signed, so that its signatures no longer verify.
    """

    violation: Violation
    fix: Fix
    breaks_signatures: bool


def fix(
    card: D,
    *,
    checks: Checks = DEFAULT_CHECKS,
    safe_only: bool = False,
    break_signatures: bool = True,
    ask: Callable[[Violation], bool] | None = None,
    base_url: str | None = None,
) -> tuple[D, tuple[AppliedFix, ...]]:
    """Return the fixed card or catalogue and the applied fixes in order; the card itself without fixes.

    The patches of the fixes, applied in order, turn the original document into the fixed one. Fixing is
    idempotent, lowers the numbers of errors, of unread fields or of findings, and never adds an error. Endpoints
    are never invented; a document that lacks three of name, description, version, capabilities and skills does
    not describe an agent, and is not changed. At most 1,000 fixes are applied, and a card with more than 1,000 violations is not changed:
    it has the violation `limits/violations`. The result has its detected dialect, unless the card was validated as a
    dialect other than the detected one: then it keeps that dialect.

    Args:
        card: The card or catalogue; it is not changed.
        checks: The registries and rule sets to validate with.
        safe_only: Whether to apply only safe fixes, and no guesses.
        break_signatures: Whether a signed card may be fixed. Its signatures stay in the card but no longer
            verify, as each applied fix states: sign the card again.
        ask: Called with the violation before each guess; the guess is applied only if it returns true.
        base_url: The public URL of the agent, such as `https://agents.example.com/travel`. It replaces the origin of
            each http or https URL whose host is loopback or a wildcard (`url/loopback-host`, `url/wildcard-host`),
            and is put before the relative URLs of a catalogue (`catalog/url-absolute`).

    >>> from cardwright import Card
    >>> known = {"name": "A", "description": "Adds.", "version": "1.0.0", "protocolVersion": "0.3.0"}
    >>> card = Card.from_document({**known, "iconUrl": None})
    >>> better, fixes = fix(card, safe_only=True)
    >>> "iconUrl" in better.document, better.document["preferredTransport"], fixes[0].violation.pointer
    (False, 'JSONRPC', '/preferredTransport')

    Raises:
        BadBaseURL: If `base_url` is not a URL that can be put before paths.
        SignedCard: If the card is signed, `break_signatures` is false, and there is something to fix.
    """
    base = None if base_url is None else check_base_url(base_url)
    run = FixRun(card, checks, None if safe_only else ask or (lambda _: True), base)
    better, violations = fixed(run)
    if not violations:
        return card, ()
    signed = is_signed(card.document)
    if signed and not break_signatures:
        raise SignedCard(len(violations))
    applied = tuple(AppliedFix(violation, violation.fix, signed) for violation in violations if violation.fix)
    better_card = Document.of_parts(better.document, better.dialect, checks=checks, found_at=card.found_at)
    return cast("D", better_card), applied


def is_signed(document: JsonObject) -> bool:
    """Return whether a card has signatures (A2A 0.3 §5.5.6, A2A 1.0 §8.4)."""
    return type(document) is dict and bool(document.get("signatures"))
