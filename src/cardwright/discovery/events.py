"""Events of peers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from cardwright.difference import Change, Severity

EventKind = Literal[
    "added", "changed", "gone", "back", "failed", "quarantined", "rejected", "signature-lost", "unlisted"
]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of one peer.

    Attributes:
        kind: `added`: the first card; `changed`; `gone`: the card is no longer found; `failed`: no response, or
            no card; `back`: recovered after either; `quarantined`: a pinned card changed; `rejected`: an invalid
            card would have replaced a valid one; `signature-lost`; `unlisted`: the catalogue that it came from no
            longer lists it, and it was removed. `failed` and `back` may also be of a catalogue.
        url: The peer.
        at: The time, in seconds since the epoch.
        id: The agent's id, if it has one.
        version: The version of the current card, or of the waiting one.
        changes: The changes, the most severe first; at most fifty.
        bump: The version bump that the changes require.
        detail: Further information, as a sentence.
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
