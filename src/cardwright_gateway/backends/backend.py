"""The backend protocol: what executes the turns of an agent, such as an MCP tool, a function or a work queue."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from cardwright.discovery import Part
    from cardwright_gateway.a2a.task_size import Content

# How a turn may end (A2A 1.0 §4.1.3).
Ending = Literal["completed", "failed", "rejected", "canceled", "input-required", "auth-required"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a caller to an agent (A2A 1.0 §4.1.4).

    Attributes:
        parts: The parts of the message.
        message_id: The message's id.
        task_id: The task that it begins or continues.
        context_id: The conversation that the task belongs to.
        metadata: The message's metadata; untrusted.
        earlier: Whether the task existed before this message.
        owner: The caller's identity: unique to the caller and the same in all processes; "" for an anonymous caller.
        mcp: The caller's MCP request, if it came over MCP (`McpCaller`); only MCP servers get it.
    """

    parts: tuple[Part, ...]
    message_id: str = ""
    task_id: str = ""
    context_id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    earlier: bool = False
    owner: str = field(default="", repr=False)
    mcp: Any = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class TurnResult:
    """The result of a turn.

    Attributes:
        parts: The result, without the parts that were reported during the turn.
        ending: The state of the task.
        message: The status message, such as the reason of a failure; "" for none.
        metadata: The metadata of the artifact that holds the parts.
        message_parts: The parts of the status message; they replace `message`.
        alone: Whether the parts are a complete response: the caller gets a message and no task (A2A 1.0 §3.1.1). It has
            no effect without parts, with another ending than `completed`, or once the turn has reported anything or
            has run for a second: then there is a task.
        mcp: The result or the error of an MCP server as a model of mcp, for callers over MCP; None from other agents.
    """

    parts: tuple[Part, ...] = ()
    ending: Ending = "completed"
    message: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    message_parts: tuple[Part, ...] = ()
    alone: bool = False
    mcp: Any = None


@dataclass(frozen=True, slots=True)
class Artifact:
    """The artifact that a chunk of the result belongs to (A2A 1.0 §4.1.7).

    Attributes:
        id: The artifact's id, unique within the task.
        name: Its name.
        append: Whether the chunk is appended to the parts reported before, or replaces them.
        last: Whether this is the last chunk of the artifact.
        metadata: The artifact's metadata.
    """

    id: str
    name: str = ""
    append: bool = False
    last: bool = True
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


class TurnReporter(Protocol):
    """Reporter of a turn's progress to its caller."""

    async def progress(
        self, text: str = "", *, done: float | None = None, total: float | None = None
    ) -> None:
        """Report progress (a status update; A2A 1.0 §4.2.1)."""

    async def parts(self, parts: Sequence[Part], artifact: Artifact | None = None) -> None:
        """Report a chunk of the result (an artifact update; A2A 1.0 §4.2.2).

        Args:
            parts: The chunk; if empty, only that the turn continues is reported.
            artifact: The artifact that it belongs to; without one, chunks are appended to the turn's own artifact.
        """

    async def left_open(self, *, streamed: bool = False) -> asyncio.Event:
        """Report that the agent has answered and works on by itself: the turn only waits for its task to change.

        A caller that waits gets the task as it is, and the turn no longer counts as a concurrent one.

        Args:
            streamed: Whether the answer was a stream: then that of the caller ends with it.

        Returns:
            Set when another message continues the task: the turn has to end then, and its result is not reported.
        """
        ...


class Backend(Protocol):
    """Executor of turns. A `CardError` that it raises becomes an error response by the gateway's status table."""

    async def ready(self) -> None:
        """Wait until turns can be executed; called before each turn.

        Raises:
            CardError: If they cannot be executed now, such as `SessionNotReady`.
        """

    async def check(self, turn: Turn) -> None:
        """Reject a turn that can never be executed; called before the task is created.

        Raises:
            BadTurn: With the reason, so that the caller can correct the message.
        """

    async def run(self, turn: Turn, reporter: TurnReporter) -> TurnResult:
        """Execute a turn. It is cancelled when the caller cancels the task.

        Raises:
            CardError: If the agent is unreachable or the connection breaks.
        """
        ...

    async def close(self) -> None:
        """Release all resources."""


class ReportLimit(Protocol):
    """The maximum sizes of stored tasks, which workers' reports may not exceed."""

    def check_report(self, task_id: str, report: Content, reported: Content, connection: Connection) -> None:
        """Check that a report may be added to a task, and that all that was reported has space in it.

        Raises:
            TasksFull: If not.
            StoreError: If the database is unavailable.
        """


@runtime_checkable
class RespondsAlone(Protocol):
    """A backend whose turns may end with only a message, so that a task is created a little later."""

    @property
    def responds_alone(self) -> bool:
        """Whether a result of its turns may be `alone`."""
        ...


@runtime_checkable
class Cancellable(Protocol):
    """A backend whose upstream task also waits while the gateway's task waits for its caller."""

    async def cancel_upstream(self, task_id: str) -> None:
        """Cancel what waits upstream for a task that its caller has cancelled; must return soon."""
