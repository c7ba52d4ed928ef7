"""A peer as a program sees it: what is stored of it, and its card."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.conversion.extensions import BEACH_EXTENSION_URI
from cardwright.discovery.contracts import check_input, check_output
from cardwright.discovery.interfaces import interfaces
from cardwright.discovery.schemas import Schemas
from cardwright.errors import UnknownPeer

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card
    from cardwright.discovery.interfaces import Interface
    from cardwright.store import Answer, PeerRecord
    from cardwright_runtime.violation import Violation


@dataclass(frozen=True, slots=True)
class Peer:
    """One known agent.

    Attributes:
        record: Everything that is stored of it.
        card: The last good card, or None where none was seen yet. It may have violations.
        now: When it was looked up, in seconds since the epoch.
    """

    record: PeerRecord
    card: Card | None
    now: float
    _schemas: Callable[[], Schemas] = field(default=Schemas, repr=False, compare=False)

    @property
    def url(self) -> str:
        """How the peer was named."""
        return self.record.url

    @property
    def id(self) -> str | None:
        """The configured id, else the card's own; None where there is none."""
        return self.record.id

    @property
    def name(self) -> str:
        """The name that the card says; another agent may say the same."""
        return self.record.name

    @property
    def transports(self) -> tuple[Interface, ...]:
        """Every way to reach it, in the card's order of preference (Beach card seed, Discovering a peer)."""
        return interfaces(self.card) if self.card is not None else ()

    @property
    def violations(self) -> tuple[Violation, ...]:
        """What is wrong with the card."""
        return self.card.violations if self.card is not None else ()

    @property
    def provenance(self) -> Answer | None:
        """Where the card came from, and when."""
        return self.record.answer

    def check_input(self, skill: str, data: Any) -> bool:
        """Return whether its card has a schema of what a skill takes; raise what breaks it.

        Schemas that it refers to were fetched when the card was; nothing is fetched here.

        Raises:
            ContractBroken: With all violations, if there is one.
            ContractUnusable: If the card's schema cannot be used, or what it refers to could not be had.
            UnknownPeer: If no card of it was seen yet.
            UnknownSkill: If the card has no such skill or capability.
            MalformedDocument: If the data is no JSON value.
        """
        return check_input(self._card(), skill, data, schemas=self._schemas(), base=self._base)

    def check_output(self, skill: str, data: Any) -> bool:
        """Return whether its card has a schema of what a skill gives; raise what breaks it.

        Errors are those of `check_input`.
        """
        return check_output(self._card(), skill, data, schemas=self._schemas(), base=self._base)

    @property
    def _base(self) -> str:
        return self.record.answer.url if self.record.answer else ""

    def _card(self) -> Card:
        if self.card is None:
            raise UnknownPeer(self.url)
        return self.card

    @property
    def stale(self) -> bool:
        """Whether there is a card and its time is over: it could not be had anew."""
        return self.card is not None and not self.record.fresh(self.now)

    @property
    def age_seconds(self) -> float | None:
        """How long ago the card was last seen, unchanged or not; None where it never was."""
        return None if self.record.last_ok_at is None else max(0.0, self.now - self.record.last_ok_at)

    @property
    def error(self) -> str:
        """Why the last look failed; "" where it did not."""
        return self.record.error


def agent_id(card: Card) -> str | None:
    """Return the id that a card says: a Beach card's own, or that of the extension's `params`.

    Source: Beach card seed, Field reference; Beach protocol seed, the extension.
    """
    document = card.document
    if card.dialect.family == "beach":
        return _text(document.get("id"))
    capabilities = document.get("capabilities")
    extensions = capabilities.get("extensions") if type(capabilities) is dict else None
    for one in extensions if type(extensions) is list else ():
        if type(one) is dict and one.get("uri") == BEACH_EXTENSION_URI:
            params = one.get("params")
            return _text(params.get("id")) if type(params) is dict else None
    return None


def _text(value: Any) -> str | None:
    # What is longer is no name that anybody types; the store's own limit.
    return value if type(value) is str and 0 < len(value) <= 256 else None
