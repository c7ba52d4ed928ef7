"""Session state, and the filter that removes setState parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright_beach.parts import Part

# Number of remembered events; replay older ones with `replay=True` (project decision).
MAX_APPLIED: Final = 1_000


@dataclass(frozen=True, slots=True)
class SessionState:
    """State of a session.

    Attributes:
        values: States by `component.coordinate`; a missing coordinate has its initial state. Do not change it.
        applied: Ids of the latest applied events, oldest first; at most 1,000.
    """

    values: Mapping[str, str] = field(default_factory=dict[str, str])
    applied: tuple[str, ...] = ()

    def with_values(self, values: Mapping[str, str], *, event_id: str | None = None) -> Self:
        """Return the state after an event; the event id, if given, is remembered."""
        events = self.applied if event_id is None else (*self.applied, event_id)[-MAX_APPLIED:]
        return type(self)({**self.values, **values}, events)


def stripped(parts: Iterable[Part]) -> list[Part]:
    """Return the parts without setState parts, which are only for the router (Beach protocol seed, setState)."""
    return [part for part in parts if part.type != "setState"]
