"""A2A card that carries a 0.x and a 1.0 form: its rules, and the judge that asks them.

Generated from schemas/a2a/hybrid/dialect.json
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.agreement import halves_extended, halves_interfaces, halves_security
from cardwright_runtime.engine import Judge, break_rule
from cardwright_runtime.violation import Rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "hybrid/extended-card": Rule(
        id="hybrid/extended-card",
        severity="error",
        spec="ours; A2A 1.0 §A.2.2",
        message="supportsAuthenticatedExtendedCard is {value} but capabilities.extendedAgentCard is {other}",
    ),
    "hybrid/interfaces": Rule(
        id="hybrid/interfaces",
        severity="error",
        spec="ours; A2A 1.0 §A.2",
        message="{value} ({transport}) is not named by {half}: both halves of a hybrid must lead to the same endpoints",
    ),
    "hybrid/interfaces-missing": Rule(
        id="hybrid/interfaces-missing",
        severity="error",
        spec="A2A 1.0 §4.4.1",
        message="protocolVersion claims A2A 1.x but there are no supportedInterfaces: a 1.0 client finds no endpoint; add them, or state the 0.x version that the url speaks",
    ),
    "hybrid/security": Rule(
        id="hybrid/security",
        severity="error",
        spec="ours; A2A 1.0 §A.2",
        message="the halves ask for different security: the older one for {older}, the 1.0 one for {newer}",
    ),
}


def structural(document: dict[str, Any], found: list[Violation], vocabularies: Vocabularies) -> None:
    """Add what breaks the rules that JSON Schema cannot say."""
    halves_extended(found, RULES["hybrid/extended-card"], document)
    halves_interfaces(found, RULES["hybrid/interfaces"], document)
    if "supportedInterfaces" not in document:
        found.append(break_rule(RULES["hybrid/interfaces-missing"], "/supportedInterfaces", None))
    halves_security(found, RULES["hybrid/security"], document)
    del vocabularies


JUDGE: Final = Judge(__package__ or "", RULES, structural, schema=False)
