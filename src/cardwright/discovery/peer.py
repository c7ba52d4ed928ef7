"""A known peer: its stored record and its card."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.discovery.contracts import check_input, check_output
from cardwright.discovery.schemas import Schemas
from cardwright.errors import UnknownPeer
from cardwright.view.interfaces import BEACH_EXTENSION_URI, interfaces
from cardwright_runtime.checks import dig, objects

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card
    from cardwright.store import FetchRecord, PeerRecord
    from cardwright.view.interfaces import Interface
    from cardwright_runtime.violation import Violation


@dataclass(frozen=True, slots=True)
class Peer:
    """A known agent.

    Attributes:
        record: The stored data of the peer.
        card: The last accepted card, or None before the first. It may have violations.
        now: The time of the lookup, in seconds since the epoch.
    """

    record: PeerRecord
    card: Card | None
    now: float
    _schemas: Callable[[], Schemas] = field(default=Schemas, repr=False, compare=False)

    @property
    def url(self) -> str:
        """The configured URL of the peer."""
        return self.record.url

    @property
    def id(self) -> str | None:
        """The configured id, else that of the card; None if absent."""
        return self.record.id

    @property
    def name(self) -> str:
        """The name in the card; other agents may have the same name."""
        return self.record.name

    @property
    def transports(self) -> tuple[Interface, ...]:
        """All interfaces, in the card's order of preference (Beach card seed, Discovering a peer)."""
        return interfaces(self.card) if self.card is not None else ()

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The violations of the card."""
        return self.card.violations if self.card is not None else ()

    @property
    def provenance(self) -> FetchRecord | None:
        """Where the card came from, and when."""
        return self.record.answer

    def check_input(self, skill: str, data: Any) -> bool:
        """Check data against the card's input schema of a skill; return whether there is such a schema.

        Referenced schemas were fetched with the card; nothing is fetched here.

        Raises:
            ContractBroken: With all violations, if there are any.
            ContractUnusable: If the card's schema cannot be used, or a referenced schema could not be fetched.
            UnknownPeer: If the peer has no card yet.
            UnknownSkill: If the card has no such skill or capability.
            MalformedDocument: If the data is not a JSON value.
        """
        return check_input(self._card(), skill, data, schemas=self._schemas(), base=self._base)

    def check_output(self, skill: str, data: Any) -> bool:
        """Check data against the card's output schema of a skill; return whether there is such a schema.

        Raises the errors of `check_input`.
        """
        return check_output(self._card(), skill, data, schemas=self._schemas(), base=self._base)

    @property
    def _base(self) -> str:
        return self.record.answer.url if self.record.answer else ""

    def _card(self) -> Card:
        if self.card is None:
            raise UnknownPeer(self.url, self.why_no_card)
        return self.card

    @property
    def stale(self) -> bool:
        """Whether the card is past its time because it could not be refreshed."""
        return self.card is not None and not self.record.fresh(self.now)

    @property
    def age_seconds(self) -> float | None:
        """The seconds since the card was last confirmed; None if it never was."""
        return None if self.record.last_ok_at is None else max(0.0, self.now - self.record.last_ok_at)

    @property
    def error(self) -> str:
        """Why the last check failed; "" if it did not."""
        return self.record.error

    @property
    def why_no_card(self) -> str:
        """Why there is no card yet, for a peer without one."""
        return self.error or "it was not fetched; refresh the registry"


def agent_id(card: Card) -> str | None:
    """Return the id in a card: that of a Beach card, or that of the extension's `params`.

    Source: Beach card seed, Field reference; Beach protocol seed, the extension.
    """
    document = card.document
    if card.dialect.family == "beach":
        return _text(document.get("id"))
    for _, one in objects(dig(document, ("capabilities", "extensions"))):
        if one.get("uri") == BEACH_EXTENSION_URI:
            return _text(dig(one, ("params", "id")))
    return None


def _text(value: Any) -> str | None:
    # The maximum of the store; a longer id is ignored.
    return value if type(value) is str and 0 < len(value) <= 256 else None
