"""What one call sends, to which interface, and with which limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from cardwright.guard import target_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.discovery.calling.parts import Part
    from cardwright.discovery.selection import Selection
    from cardwright.guard import GuardedClient, Timeouts

# How long an agent is given to take note that its task is cancelled (project decision).
_CANCEL_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Call:
    """What is sent to whom, and how.

    Attributes:
        client: What dials.
        selection: The interface.
        parts: The message.
        credentials: By origin, header fields that it alone may see.
        timeouts: How long to wait for a connection and between bytes.
        context_id: The conversation it goes on with, or None.
        task_id: The task it goes on with, or None.
        stream: Whether events are asked for.
        configured: An origin of the operator's configuration, which may be dialled wherever it is.
        cancel_seconds: How long giving up a task may take.
    """

    client: GuardedClient
    selection: Selection
    parts: tuple[Part, ...]
    credentials: Mapping[str, Mapping[str, str]] = field(repr=False)
    timeouts: Timeouts
    context_id: str | None
    task_id: str | None
    stream: bool
    configured: str | None = None
    cancel_seconds: float = _CANCEL_SECONDS

    @property
    def shown(self) -> str:
        """The URL as it may stand in a message."""
        return target_of(self.selection.interface.url).shown
