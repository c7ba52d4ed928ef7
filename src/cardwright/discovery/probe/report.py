"""What a probe found, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from cardwright.discovery.probe.rules import RULES, SECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card

# `error`: the card is untrue, or a MUST is broken; `warning`: a SHOULD.
Outcome = Literal["pass", "info", "skip", "warning", "error"]
OUTCOMES: Final[tuple[Outcome, ...]] = ("pass", "info", "skip", "warning", "error")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at, and what was seen; no byte of an answer's body stands in it.

    Attributes:
        id: A key of `RULES`.
        outcome: `pass`, `info`, `skip` with the reason, `warning` or `error`.
        subject: What was looked at, in words: a URL without its query, or an interface.
        seen: What was seen, in words of ours.
        pointer: Where in the card it is said, or "".
        spec: Where the rule is written.
    """

    id: str
    outcome: Outcome
    subject: str
    seen: str
    pointer: str = ""
    spec: str = ""

    @property
    def section(self) -> str:
        """The heading that it is told under."""
        return RULES[self.id].section

    @property
    def expected(self) -> str:
        """What a good agent does."""
        return RULES[self.id].expected

    @property
    def mend(self) -> str:
        """What to do about it."""
        return RULES[self.id].mend


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was looked at.

    Attributes:
        url: What was asked for, as it may be shown.
        place: Where the card came from.
        card: It, valid or not; None where what came is no card.
        checks: All of them, in the order of `SECTIONS`.
        requests: How many requests that took.
        complete: Whether nothing was left out for want of time or of requests.
    """

    url: str
    place: str
    card: Card | None
    checks: tuple[Check, ...]
    requests: int
    complete: bool = True

    @property
    def true(self) -> bool:
        """Whether nothing is untrue: no check is an error."""
        return all(check.outcome != "error" for check in self.checks)

    def of(self, outcome: Outcome) -> tuple[Check, ...]:
        """Return the checks with an outcome."""
        return tuple(check for check in self.checks if check.outcome == outcome)

    def sections(self) -> Iterator[tuple[str, tuple[Check, ...]]]:
        """Yield each section that has checks, with them."""
        for section in SECTIONS:
            found = tuple(check for check in self.checks if check.section == section)
            if found:
                yield section, found
