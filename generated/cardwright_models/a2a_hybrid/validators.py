"""A2A card with a 0.x and a 1.0 form: its rules and its validator.

Generated from schemas/a2a/hybrid/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.agreement import halves_extended, halves_interfaces, halves_security
from cardwright_runtime.engine import DialectValidator, break_rule
from cardwright_runtime.violation import Rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "hybrid/extended-card": Rule(
        id="hybrid/extended-card",
        severity="error",
        spec="project decision; A2A 1.0 §A.2.2",
        message="supportsAuthenticatedExtendedCard is {value}, but capabilities.extendedAgentCard is {other}. Give both the same value",
    ),
    "hybrid/interfaces": Rule(
        id="hybrid/interfaces",
        severity="error",
        spec="project decision; A2A 1.0 §A.2",
        message="{value} ({transport}) is missing from {half}. Both forms in a hybrid card must list the same endpoints",
    ),
    "hybrid/interfaces-missing": Rule(
        id="hybrid/interfaces-missing",
        severity="error",
        spec="A2A 1.0 §4.4.1",
        message="protocolVersion claims A2A 1.x, but supportedInterfaces is missing, so 1.0 clients find no endpoint. Add supportedInterfaces, or write the 0.x version that the url supports",
    ),
    "hybrid/security": Rule(
        id="hybrid/security",
        severity="error",
        spec="project decision; A2A 1.0 §A.2",
        message="the two forms in the hybrid card require different security: {older} in 0.x, {newer} in 1.0. Require the same in both",
    ),
}


def structural(document: dict[str, Any], violations: list[Violation], vocabularies: Vocabularies) -> None:
    """Add the violations of the rules that JSON Schema cannot express."""
    halves_extended(violations, RULES["hybrid/extended-card"], document)
    halves_interfaces(violations, RULES["hybrid/interfaces"], document)
    if "supportedInterfaces" not in document:
        violations.append(break_rule(RULES["hybrid/interfaces-missing"], "/supportedInterfaces", None))
    halves_security(violations, RULES["hybrid/security"], document)
    del vocabularies


VALIDATOR: Final = DialectValidator(__package__ or "", RULES, structural, schema=False)
