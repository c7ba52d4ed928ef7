"""The effect of fixes on real cards, by rule: `python -m tests.oracles.fix_table` prints the table."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

from cardwright import fix
from cardwright.canonical import Limits
from cardwright.card import Card
from cardwright.checks import Checks
from cardwright.errors import UnknownDialect
from tests.shared import SHARED, corpus_index

# One MCP server's list of tools is 1.9 MB.
WIDE = Checks(limits=Limits(max_bytes=4 * 1024 * 1024))
STAGES = ("before", "safe", "all")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One card as it was, after its safe fixes and after all: the card, and the fixes that led there."""

    file: str
    before: Card
    safe: Card
    all: Card

    def card(self, stage: str) -> Card:
        """Return the card of a stage."""
        return {"before": self.before, "safe": self.safe, "all": self.all}[stage]

    @property
    def is_safely_fixable(self) -> bool:
        """Whether each error has a safe fix."""
        return all(v.fix is not None and v.fix.safe for v in self.before.violations if v.severity == "error")


@cache
def outcomes() -> tuple[Outcome, ...]:
    """Return the outcome of every card of the corpus that some dialect claims."""
    made: list[Outcome] = []
    for row in corpus_index():
        if not row["file"].startswith("cards/"):
            continue
        try:
            before = Card.from_bytes((SHARED / "corpus" / row["file"]).read_bytes(), checks=WIDE)
        except UnknownDialect:
            continue
        made.append(Outcome(row["file"], before, _fixed(before, safe=True), _fixed(before)))
    return tuple(made)


def _fixed(card: Card, *, safe: bool = False) -> Card:
    return fix(card, safe_only=safe, checks=WIDE)[0]


def table() -> str:
    """Return how many cards are invalid, and how many break each rule, before and after."""
    rows = outcomes()
    invalid = {stage: sum(not row.card(stage).valid for row in rows) for stage in STAGES}
    counts = {stage: Counter(_broken(rows, stage)) for stage in STAGES}
    lines = [
        f"{len(rows)} cards",
        "",
        f"{'':58}{'before':>8}{'safe':>8}{'all':>8}",
        f"{'invalid cards':58}" + "".join(f"{invalid[stage]:>8}" for stage in STAGES),
        "",
        "cards that break a rule (at a place, * for any index or name):",
    ]
    for key, _ in counts["before"].most_common():
        severity, rule, place = key
        lines.append(
            f"{severity[0]} {f'{rule} {place}'[:55]:56}"
            + "".join(f"{counts[stage][key]:>8}" for stage in STAGES)
        )
    return "\n".join(lines) + "\n"


def _broken(rows: tuple[Outcome, ...], stage: str) -> list[tuple[str, str, str]]:
    return [key for row in rows for key in {_key(v) for v in row.card(stage).violations}]


def _key(violation: Any) -> tuple[str, str, str]:
    steps = violation.pointer.split("/")
    named = [
        "*" if step.isdecimal() or (at and steps[at - 1] == "securitySchemes") else step
        for at, step in enumerate(steps)
    ]
    return violation.severity, violation.rule, "/".join(named[:4])


if __name__ == "__main__":
    if not corpus_index():
        sys.exit("shared/corpus is not beside this checkout")
    sys.stdout.write(table())
