"""Shared state of the checks of one probe."""

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
    """Shared state of the checks of one probe.

    Attributes:
        client: The HTTP client of the probe.
        card: The card, or None before it is parsed.
        home: Where the card was served, after redirects.
        new_id: Creates unused ids.
        send: Whether messages may be sent.
        progress: Called with a name before each step.
        checks: The results so far.
    """

    client: ProbeClient
    card: Card | None
    home: Target
    new_id: Callable[[], str]
    send: bool
    progress: Callable[[str], None]
    checks: list[Check] = field(default_factory=list[Check])

    def add(
        self, rule: str, outcome: Outcome, subject: str, seen: str, *, pointer: str = "", spec: str = ""
    ) -> None:
        """Add a result."""
        result = Check(rule, outcome, clipped(subject), clipped(seen), pointer, spec or RULES[rule].spec)
        self.checks.append(result)
