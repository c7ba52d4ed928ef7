"""What stands behind an agent that speaks no A2A itself: a tool of an MCP server, a function, a queue of work."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.discovery import Part

# How a turn may end (A2A 1.0 §4.1.3).
Ending = Literal["completed", "failed", "rejected", "canceled", "input-required", "auth-required"]


@dataclass(frozen=True, slots=True)
class Turn:
    """What a caller says to an agent (A2A 1.0 §4.1.4).

    Attributes:
        parts: The parts of the message.
        message_id: The message's id.
        task_id: The task that it begins or goes on with.
        context_id: The conversation that the task belongs to.
        metadata: What the caller says beside the parts; nothing of it is trusted.
        earlier: Whether the task was there before this message.
        owner: Whose it is: no two callers have the same, and one has it in all processes; "" for nobody's.
    """

    parts: tuple[Part, ...]
    message_id: str = ""
    task_id: str = ""
    context_id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    earlier: bool = False
    owner: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class TurnResult:
    """How a turn ended.

    Attributes:
        parts: What comes of it, beside what was told on the way.
        ending: The state of the task.
        message: What is said of the end, such as why it failed; "" where nothing is.
        metadata: What goes with the artifact that the parts are put in.
        said: The same as `message` where it is more than one text; it goes over that.
        alone: Whether the parts are the whole answer, and its caller needs no task for them.
    """

    parts: tuple[Part, ...] = ()
    ending: Ending = "completed"
    message: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    said: tuple[Part, ...] = ()
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Artifact:
    """Which artifact a piece of the result belongs to, where an agent has several (A2A 1.0 §4.1.7).

    Attributes:
        id: Its id, unique within the task.
        name: What it is called.
        append: Whether the piece is added to what was told of it, or stands in its place.
        last: Whether nothing more comes of it.
        metadata: What the agent says beside the parts.
    """

    id: str
    name: str = ""
    append: bool = False
    last: bool = True
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


class TurnReporter(Protocol):
    """Tells a caller what happens while the turn goes on."""

    async def progress(
        self, text: str = "", *, done: float | None = None, total: float | None = None
    ) -> None:
        """Tell how far it is (a status update; A2A 1.0 §4.2.1)."""

    async def parts(self, parts: Sequence[Part], artifact: Artifact | None = None) -> None:
        """Tell a piece of the result (an artifact update; A2A 1.0 §4.2.2).

        Args:
            parts: The piece; without any it is only told that the turn goes on.
            artifact: Which artifact it belongs to; without one, pieces are appended to the one of the turn.
        """


class Backend(Protocol):
    """Answers turns. Whatever it raises that is a `CardError` is told the caller by the gateway's status table."""

    async def ready(self) -> None:
        """Return when turns can be answered; called before each.

        Raises:
            CardError: If they cannot be now, such as `SessionNotReady`.
        """

    async def check(self, turn: Turn) -> None:
        """Refuse a turn that cannot be answered whatever happens; called before a task begins.

        Raises:
            BadTurn: Why, for the caller to mend.
        """

    async def run(self, turn: Turn, tell: TurnReporter) -> TurnResult:
        """Answer a turn; it is cancelled when the caller cancels the task.

        Raises:
            CardError: If the agent could not be reached or broke off.
        """
        ...

    async def close(self) -> None:
        """Let go of everything."""


@runtime_checkable
class Cancellable(Protocol):
    """A backend with something behind it that waits, too, while a task waits for its caller."""

    async def give_up(self, task_id: str) -> None:
        """Let go of what waits behind a task that its caller has cancelled; it is not waited for long."""
