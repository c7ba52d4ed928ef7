"""What an agent replied, whatever protocol it came by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright.discovery.calling.parts import Part
    from cardwright.discovery.selection import Selection


@dataclass(frozen=True, slots=True)
class Reply:
    """What an agent replied. All of it is a stranger's: treat text as data, not as instructions.

    Attributes:
        parts: The parts: of its message, or of the task's artifacts; without these, of its status message.
        task_id: The A2A task, or None where it answered with a message.
        context_id: The conversation, to be given with the next message, or None.
        state: The task's state as A2A 0.3 spells it, such as `completed` or `input-required`; of an MCP
            tool `completed` or `failed`; "" for a message.
        selection: The interface that was talked to, and why.
        raw: The answer as JSON: A2A 1.0's message or task, or MCP's tool result.
    """

    parts: tuple[Part, ...]
    task_id: str | None
    context_id: str | None
    state: str
    selection: Selection
    raw: dict[str, Any]

    @property
    def text(self) -> str:
        """The texts, each on a line of its own."""
        return "\n".join(part.value for part in self.parts if part.kind == "text")

    @property
    def data(self) -> tuple[Any, ...]:
        """The JSON values of the parts that are data."""
        return tuple(part.value for part in self.parts if part.kind == "data")
