"""The interface of card sources."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from cardwright.card import Card

# ok: fresh; stale: expired; failing: no card, or expired and the refresh failed; waiting: never fetched;
# starting and idle: states of an MCP server's session.
State = Literal["ok", "stale", "failing", "waiting", "starting", "idle"]


@dataclass(frozen=True, slots=True)
class UpstreamCard:
    """An upstream card.

    Attributes:
        card: The card as received, possibly with errors; for an MCP server, the seed's form.
        mark: The revision; it changes with the card and with everything derived from it.
        stale: Whether it has expired.
        age_seconds: Seconds since it was last fetched or confirmed unchanged.
        signature: `unsigned`, `verified` or `unverified`; "" if signatures are not checked.
        signed_by: The thumbprint of the key that verified it.
        inventory: The tools, resources and prompts of an MCP server.
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
    """The status of a source.

    Attributes:
        upstream: The stored card, fresh or not.
        error: Why the last fetch failed; "" if it did not.
        next_seconds: Seconds until the next refresh; None if none is scheduled.
    """

    state: State
    upstream: UpstreamCard | None = None
    error: str = ""
    next_seconds: float | None = None


class Source(Protocol):
    """The source of one agent's card."""

    def now(self) -> UpstreamCard | None:
        """Return the card if it is fresh, without I/O."""

    async def card(self) -> UpstreamCard:
        """Return the card; fetch it if it is not fresh. A stale card is returned if the settings allow it.

        Raises:
            CardError: If there is no usable card.
        """
        ...

    async def refresh(self) -> UpstreamCard:
        """Fetch the card again, even if it is fresh, and return it.

        Raises:
            CardError: If it cannot be fetched.
        """
        ...

    def status(self) -> SourceStatus:
        """Return the status of the source, without an upstream request."""
        ...

    async def close(self) -> None:
        """Close the source."""
