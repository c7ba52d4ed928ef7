"""A2A card with a 0.x and a 1.0 form: its rules and its validator.

Generated from schemas/a2a/hybrid/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.agreement import halves_extended, halves_interfaces, halves_security
from cardwright_runtime.engine import DialectValidator
from cardwright_runtime.violation import Rule, break_rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "hybrid/authentication": Rule(
        id="hybrid/authentication",
        severity="warning",
        spec="A2A 1.0 §4.5; A2A 0.1 §5.5",
        message="`authentication` is a field of A2A 0.1; clients of later versions ignore it and treat the agent as open. Require the same in `securityRequirements` and `security`",
    ),
    "hybrid/extended-card": Rule(
        id="hybrid/extended-card",
        severity="error",
        spec="project decision; A2A 1.0 §A.2.2",
        message="supportsAuthenticatedExtendedCard is {value}, but capabilities.extendedAgentCard is {other}. Give both the same value",
    ),
    "hybrid/interfaces": Rule(
        id="hybrid/interfaces",
        severity="warning",
        spec="project decision; A2A 1.0 §A.2",
        message="{value} ({transport}) is missing from {half}, so clients of one version find another endpoint than those of the other. If that is not meant, list the endpoint in both",
    ),
    "hybrid/interfaces-missing": Rule(
        id="hybrid/interfaces-missing",
        severity="error",
        spec="A2A 1.0 §4.4.1",
        message="protocolVersion claims A2A 1.x, but supportedInterfaces is missing, so 1.0 clients find no endpoint. Add supportedInterfaces, or write the 0.x version that the url supports",
    ),
    "hybrid/older-version": Rule(
        id="hybrid/older-version",
        severity="warning",
        spec="A2A 1.0 §A.2; A2A 0.3 §5.5",
        message="{value} is the version of the 0.x fields (url, preferredTransport), and their clients do not know 1.x. Write the 0.x version that the url supports",
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
    halves_security(violations, RULES["hybrid/security"], document)
    del vocabularies


def names(document: dict[str, Any], violations: list[Violation]) -> None:
    """Add the violations of the rules about the names of fields."""
    if "supportedInterfaces" not in document:
        violations.append(break_rule(RULES["hybrid/interfaces-missing"], "/supportedInterfaces", None))


VALIDATOR: Final = DialectValidator(__package__ or "", RULES, structural, names)
