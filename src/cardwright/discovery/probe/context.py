"""What every check needs, and where it puts down what was seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.discovery.probe.report import Check
from cardwright.discovery.probe.rules import RULES
from cardwright_runtime.violation import clipped

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card
    from cardwright.discovery.probe.client import ProbeClient
    from cardwright.discovery.probe.report import Outcome
    from cardwright.guard import Target


@dataclass(slots=True)
class CheckContext:
    """The work of one probe.

    Attributes:
        asker: What asks.
        card: The card, once it is known.
        home: Where the card came from, once it is known.
        new_id: Gives ids that nobody has.
        send: Whether messages may be sent.
        progress: Told what is looked at next.
        checks: What was seen so far.
    """

    asker: ProbeClient
    card: Card | None
    home: Target
    new_id: Callable[[], str]
    send: bool
    progress: Callable[[str], None]
    checks: list[Check] = field(default_factory=list[Check])

    def say(
        self, rule: str, outcome: Outcome, subject: str, seen: str, *, pointer: str = "", spec: str = ""
    ) -> None:
        """Put down what was seen."""
        told = Check(rule, outcome, clipped(subject), clipped(seen), pointer, spec or RULES[rule].spec)
        self.checks.append(told)
