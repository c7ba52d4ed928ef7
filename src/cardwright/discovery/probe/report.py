"""Results of a probe, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from cardwright.discovery.probe.rules import RULES, SECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card

# `error`: the card is wrong or a MUST is violated; `warning`: a SHOULD is violated.
Outcome = Literal["pass", "info", "skip", "warning", "error"]
OUTCOMES: Final[tuple[Outcome, ...]] = ("pass", "info", "skip", "warning", "error")


@dataclass(frozen=True, slots=True)
class Check:
    """Result of one check; it contains no byte of a response body.

    Attributes:
        id: A key of `RULES`.
        outcome: `pass`, `info`, `skip` with the reason, `warning` or `error`.
        subject: What was checked: a URL without its query, or an interface.
        seen: What the probe observed, in its own words.
        pointer: JSON Pointer into the card, or "".
        spec: The specification of the rule.
    """

    id: str
    outcome: Outcome
    subject: str
    seen: str
    pointer: str = ""
    spec: str = ""

    @property
    def section(self) -> str:
        """The heading in the report."""
        return RULES[self.id].section

    @property
    def expected(self) -> str:
        """The correct behaviour of an agent."""
        return RULES[self.id].expected

    @property
    def fix(self) -> str:
        """How to fix a violation."""
        return RULES[self.id].fix


@dataclass(frozen=True, slots=True)
class Report:
    """Result of a probe.

    Attributes:
        url: The requested URL, without its query.
        place: The URL that served the card.
        card: The card, valid or not; None if the response is not a card.
        checks: All results, in the order of `SECTIONS`.
        requests: The number of requests.
        complete: Whether all checks ran; False if the time or the requests ran out.
    """

    url: str
    place: str
    card: Card | None
    checks: tuple[Check, ...]
    requests: int
    complete: bool = True

    @property
    def true(self) -> bool:
        """Whether the card is correct: no check is an error."""
        return all(check.outcome != "error" for check in self.checks)

    def of(self, outcome: Outcome) -> tuple[Check, ...]:
        """Return the checks with an outcome."""
        return tuple(check for check in self.checks if check.outcome == outcome)

    def sections(self) -> Iterator[tuple[str, tuple[Check, ...]]]:
        """Yield each section that has checks, with its checks."""
        for section in SECTIONS:
            section_checks = tuple(check for check in self.checks if check.section == section)
            if section_checks:
                yield section, section_checks
