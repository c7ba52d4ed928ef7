"""What happens to peers, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from cardwright.difference import Change, Severity

EventKind = Literal["added", "changed", "gone", "back", "failed", "quarantined", "rejected", "signature-lost"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to one peer.

    Attributes:
        kind: `added` with its first card; `changed`; `gone` when no card is found any more, `failed` when
            it cannot be asked or answers what is no card, `back` after either; `quarantined` when a pinned
            card changed, `rejected` when one with errors would have replaced a valid one;
            `signature-lost`.
        url: The peer.
        at: When, in seconds since the epoch.
        id: The agent's id, where it has one.
        version: The version of the card that is good now, or that waits.
        changes: What changed, the most severe first; fifty changes at most.
        bump: The version bump that the changes demand.
        detail: What else there is to say, in a sentence.
    """

    kind: EventKind
    url: str
    at: float
    id: str | None = None
    version: int | None = None
    changes: tuple[Change, ...] = ()
    bump: Severity = "none"
    detail: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON value."""
        return {
            "kind": self.kind,
            "url": self.url,
            "at": self.at,
            "id": self.id,
            "version": self.version,
            "changes": [change.to_json() for change in self.changes],
            "bump": self.bump,
            "detail": self.detail,
        }
