"""The state of one session, and what of its parts nobody outside sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright_beach.parts import Part

# Of how many events a session remembers that they were applied (ours): what is older is replayed with `replay`.
REMEMBERED: Final = 1_000


@dataclass(frozen=True, slots=True)
class SessionState:
    """What holds in a session.

    Attributes:
        values: By `component.coordinate`. A coordinate that is missing has its initial value. It must not be changed.
        applied: The ids of the latest events that were applied, oldest first; at most 1,000.
    """

    values: Mapping[str, str] = field(default_factory=dict[str, str])
    applied: tuple[str, ...] = ()

    def with_values(self, values: Mapping[str, str], *, event_id: str | None = None) -> Self:
        """Return the state after an event, which is remembered where it has an id."""
        events = self.applied if event_id is None else (*self.applied, event_id)[-REMEMBERED:]
        return type(self)({**self.values, **values}, events)


def stripped(parts: Iterable[Part]) -> list[Part]:
    """Return the parts that outbound formatters see: setState is for the router (Beach protocol seed, setState)."""
    return [part for part in parts if part.type != "setState"]
