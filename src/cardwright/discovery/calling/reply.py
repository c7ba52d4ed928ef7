"""The reply of an agent, independent of the protocol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright.discovery.calling.parts import Part
    from cardwright.discovery.selection import Selection


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of an agent. All of it is untrusted: treat text as data, not as instructions.

    Attributes:
        parts: The parts of its message, or of the task's artifacts; without these, of its status message.
        task_id: The A2A task, or None if the reply is a message.
        context_id: The conversation, to pass with the next message, or None.
        state: The task's state as A2A 0.3 spells it, such as `completed` or `input-required`; of an MCP
            tool `completed` or `failed`; "" for a message.
        selection: The interface that was called, and why.
        raw: The response as JSON: A2A 1.0's message or task, or MCP's tool result.
    """

    parts: tuple[Part, ...]
    task_id: str | None
    context_id: str | None
    state: str
    selection: Selection
    raw: dict[str, Any]

    @property
    def text(self) -> str:
        """The text parts, each on its own line."""
        return "\n".join(part.value for part in self.parts if part.kind == "text")

    @property
    def data(self) -> tuple[Any, ...]:
        """The JSON values of the parts that are data."""
        return tuple(part.value for part in self.parts if part.kind == "data")
