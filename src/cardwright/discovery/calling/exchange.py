"""Parameters of one call: message, interface, limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cardwright.guard import target_of
from cardwright.guard.grpc_target import grpc_target

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.discovery.calling.parts import Part
    from cardwright.discovery.selection import Selection
    from cardwright.guard import GuardedClient, Timeouts

# How long to wait for an agent to confirm a cancelled task (project decision).
_CANCEL_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Call:
    """Parameters of one call.

    Attributes:
        client: The guarded HTTP client.
        selection: The selected interface.
        parts: The message.
        credentials: Header fields by origin; each origin gets only its own.
        timeouts: The limits for connecting and for the wait between bytes.
        context_id: The conversation to continue, or None.
        task_id: The task to continue, or None.
        stream: Whether to request events.
        configured: An origin from the operator's configuration; connections to it are allowed at any address.
        output_modes: The media types that the agent may send.
        polls_until: The time of the event loop until which an unfinished task is read again.
        cancel_seconds: The limit for cancelling a task.
        waits: Whether to wait for the end of the task.
        on_event: Called with each event and each reading of the task, in the A2A 1.0 form.
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
    output_modes: tuple[str, ...] = ()
    polls_until: float = 0.0
    cancel_seconds: float = _CANCEL_SECONDS
    waits: bool = True
    on_event: Callable[[dict[str, Any]], None] | None = None

    @property
    def safe_url(self) -> str:
        """The URL without its query, for messages."""
        interface = self.selection.interface
        if interface.protocol == "a2a" and interface.binding == "GRPC":
            return grpc_target(interface.url).safe_url
        return target_of(interface.url).safe_url
