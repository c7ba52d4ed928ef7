"""`fix` from document to document, as most tests of it look at both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright import Card, fix
from cardwright.checks import DEFAULT_CHECKS

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright import AppliedFix, Checks, Violation


def fixed(
    document: Any,
    *,
    dialect: str | None = None,
    checks: Checks = DEFAULT_CHECKS,
    safe_only: bool = False,
    break_signatures: bool = True,
    ask: Callable[[Violation], bool] | None = None,
) -> tuple[Any, tuple[AppliedFix, ...]]:
    """Return the fixed document, and the fixes."""
    card = Card.from_document(document, dialect=dialect, checks=checks)
    better, fixes = fix(card, checks=checks, safe_only=safe_only, break_signatures=break_signatures, ask=ask)
    # The properties of the fixed card are those of the card when read again.
    again = Card.from_document(better.document, dialect=better.dialect, checks=checks)
    assert better.violations == again.violations
    return better.document, fixes
