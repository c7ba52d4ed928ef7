"""What every source of cards gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from cardwright.card import Card

# ok: a card that is fresh; stale: one whose time is over; failing: none, or stale and not to be had anew;
# waiting: never asked; starting and idle: of a server of MCP.
State = Literal["ok", "stale", "failing", "waiting", "starting", "idle"]


@dataclass(frozen=True, slots=True)
class UpstreamCard:
    """A card as a source gives it.

    Attributes:
        card: The card as it came, perhaps with errors; of a server of MCP the seed's form of it.
        mark: Another one whenever the card, or what is made of it, is another.
        stale: Whether its time is over.
        age_seconds: How long ago it was last seen, unchanged or not.
        signature: `unsigned`, `verified` or `unverified`; "" where nobody looks.
        signed_by: The thumbprint of the key that verified it.
        inventory: What a server of MCP has.
    """

    card: Card
    mark: str
    stale: bool = False
    age_seconds: float | None = None
    signature: str = ""
    signed_by: str = ""
    inventory: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """How a source does now.

    Attributes:
        sourced: The card that is known, fresh or not.
        error: What is told of why the last look failed; "" where it did not.
        next_seconds: When it is looked at again; None where that has no time.
    """

    state: State
    sourced: UpstreamCard | None = None
    error: str = ""
    next_seconds: float | None = None


class Source(Protocol):
    """Gives the card of one agent."""

    def now(self) -> UpstreamCard | None:
        """Return the card if it is fresh; nobody is asked, and it takes no time."""

    async def card(self) -> UpstreamCard:
        """Return the card, asked for where it is not fresh; a stale one where that is allowed.

        Raises:
            CardError: If there is none.
        """
        ...

    async def refresh(self) -> UpstreamCard:
        """Return the card as it is now, fresh or not.

        Raises:
            CardError: If it cannot be had.
        """
        ...

    def standing(self) -> SourceStatus:
        """Return how it does; nobody is asked."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
