"""The rules of the probe, from `schemas/explanations/probe.json`: section, expected behaviour, fix and specification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cardwright_runtime.engine import load


@dataclass(frozen=True, slots=True)
class Rule:
    """One check of the probe.

    Attributes:
        section: The heading in the report, one of `SECTIONS`.
        expected: The correct behaviour of an agent.
        fix: How to fix a violation.
        spec: The specification of the rule.
    """

    section: str
    expected: str
    fix: str
    spec: str


RULES: Final[dict[str, Rule]] = {
    rule: Rule(**row["check"], spec=row["spec"])
    for rule, row in load("cardwright_rules", "explanations.json")["rules"].items()
    if "check" in row
}
# The headings of a report, in its order.
SECTIONS: Final = tuple(dict.fromkeys(rule.section for rule in RULES.values()))
