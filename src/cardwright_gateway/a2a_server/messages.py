"""Conversion between turns and a2a-sdk's messages and events; importing this module imports the SDK."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from a2a.types.a2a_pb2 import Part as WirePart
from a2a.types.a2a_pb2 import Task, TaskState, TaskStatus
from google.protobuf.json_format import MessageToDict, ParseDict  # type: ignore[import-untyped] # it has no stubs

from cardwright.canonical import Limits, checked_copy
from cardwright.discovery.calling.parts import Part
from cardwright.errors import BadResponse, MalformedDocument
from cardwright.http.representation import with_integers
from cardwright_gateway.a2a.calls import MAX_BODY_BYTES, MAX_DATA_DEPTH
from cardwright_gateway.backends.backend import Turn
from cardwright_gateway.errors import BadTurn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from a2a.server.context import ServerCallContext
    from a2a.server.tasks import TaskUpdater
    from a2a.types.a2a_pb2 import Message

    from cardwright.http.problem import Problem
    from cardwright_gateway.backends.backend import Artifact, Ending, TurnResult

# The SDK appends each to the task's history and copies it with every update: the cost is quadratic (project decision).
MAX_PROGRESS: Final = 1_000
_LIMITS: Final = Limits(
    max_bytes=MAX_BODY_BYTES, max_depth=MAX_DATA_DEPTH, max_members=65_536, max_values=100_000
)
STATES: Final[Mapping[Ending, TaskState]] = {
    "completed": TaskState.TASK_STATE_COMPLETED,
    "failed": TaskState.TASK_STATE_FAILED,
    "rejected": TaskState.TASK_STATE_REJECTED,
    "canceled": TaskState.TASK_STATE_CANCELED,
    "input-required": TaskState.TASK_STATE_INPUT_REQUIRED,
    "auth-required": TaskState.TASK_STATE_AUTH_REQUIRED,
}


def turn_of(
    message: Message,
    metadata: Mapping[str, Any],
    *,
    earlier: bool,
    owner: str = "",
    sender: Mapping[str, str] | None = None,
) -> Turn:
    """Return the turn of a message; the message's metadata override those of the request.

    Args:
        message: The message.
        metadata: The metadata of the request.
        earlier: Whether the task existed before.
        owner: The owner of the task.
        sender: The caller as the gateway authenticated it: `from` of the metadata (BeeOS seed §2.1). A `from`
            that the caller itself sends is removed, because it would look authenticated.

    Raises:
        BadTurn: If a part is empty.
    """
    merged = with_integers({**metadata, **MessageToDict(message.metadata)})
    if sender is not None:
        merged.pop("from", None)
        merged |= {"from": dict(sender)} if sender else {}
    return Turn(
        parts=tuple(_part_of(part, index) for index, part in enumerate(message.parts)),
        message_id=message.message_id,
        task_id=message.task_id,
        context_id=message.context_id,
        metadata=merged,
        earlier=earlier,
        owner=owner,
    )


def _part_of(part: WirePart, index: int) -> Part:
    kind = part.WhichOneof("content")
    file_fields = (part.filename, part.media_type, with_integers(MessageToDict(part.metadata)))
    match kind:
        case "text":
            return Part(kind, part.text, *file_fields)
        case "raw":
            return Part(kind, part.raw, *file_fields)
        case "url":
            return Part(kind, part.url, *file_fields)
        case "data":
            return Part(kind, with_integers(MessageToDict(part.data)), *file_fields)
        case _:
            raise BadTurn(f"part {index} of the message has no content; it needs text, raw, url or data")


def wire_parts(parts: Sequence[Part]) -> list[WirePart]:
    """Return parts as protobuf messages.

    Raises:
        BadResponse: If a part cannot be represented.
    """
    return [_wire_part(part) for part in parts]


def _wire_part(part: Part) -> WirePart:
    try:
        wire = WirePart(filename=part.filename, media_type=part.media_type)
        if part.kind == "data":
            ParseDict(checked_copy(part.value, _LIMITS), wire.data)
        else:
            setattr(wire, part.kind, part.value)
        if part.metadata:
            ParseDict(checked_copy(dict(part.metadata), _LIMITS), wire.metadata)
    except (TypeError, ValueError, MalformedDocument):
        raise BadResponse(
            "", "not-a-reply", f"a part of the kind {part.kind} has content that cannot be sent"
        ) from None
    return wire


def wire_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata as JSON.

    Raises:
        BadResponse: If they cannot be represented.
    """
    try:
        return dict(checked_copy(dict(metadata), _LIMITS))
    except MalformedDocument:
        raise BadResponse("", "not-a-reply", "the metadata of an artifact cannot be sent") from None


@dataclass(slots=True)
class Running:
    """A running turn and its state; a `TurnReporter`.

    Attributes:
        context: The context of its call.
        on_open: Called when the turn only waits from now on.
        caller: Its caller; "" for one without credentials.
        anonymous: Whether its caller has no credentials, and other callers of the agent have keys.
        size: The size of its request in bytes.
        opening: The message that starts its task; None once the task exists.
        ended: Whether its end was reported; after that, nothing is.
        artifacts: The ids of the task's artifacts.
        reported: How often progress was reported.
        work: The asyncio task of the backend, once it has started.
        cancelling: Whether its caller cancelled it.
        open: Set when the agent works on by itself, and the turn only waits.
        stream_ended: Set when it works on by itself, and its stream has ended.
        dropped: Whether the gateway ends it, for younger turns.
        continued: Set when another message continues the task of a turn that only waits: nothing is reported then.
    """

    updater: TaskUpdater
    artifact_id: str
    context: ServerCallContext
    on_open: Callable[[], None] = lambda: None
    caller: str = ""
    anonymous: bool = False
    size: int = 0
    opening: Message | None = None
    ended: bool = False
    artifacts: set[str] = field(default_factory=set[str])
    reported: int = 0
    work: asyncio.Task[TurnResult] | None = None
    cancelling: bool = False
    dropped: bool = False
    open: asyncio.Event = field(default_factory=asyncio.Event)
    stream_ended: asyncio.Event = field(default_factory=asyncio.Event)
    continued: asyncio.Event = field(default_factory=asyncio.Event)
    _beginning: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def begin(self) -> None:
        """Report the new task, once, before any other event."""
        async with self._beginning:
            if self.opening is None:
                return
            # It starts as working: a later update would be one more write of a stored task.
            status = TaskStatus(state=TaskState.TASK_STATE_WORKING)
            status.timestamp.GetCurrentTime()
            task = Task(id=self.updater.task_id, context_id=self.updater.context_id, status=status)
            task.history.append(self.opening)
            await self.updater.event_queue.enqueue_event(task)
            self.opening = None

    async def progress(
        self, text: str = "", *, done: float | None = None, total: float | None = None
    ) -> None:
        """Report progress; reports after the first thousand are dropped."""
        if self.ended or self.reported >= MAX_PROGRESS:
            return
        self.reported += 1
        await self.begin()
        numbers = {"progress": done, "total": total}
        finite = {
            name: number for name, number in numbers.items() if number is not None and math.isfinite(number)
        }
        await self.updater.update_status(
            TaskState.TASK_STATE_WORKING, message=self._text(text), metadata=finite or None
        )

    async def parts(self, parts: Sequence[Part], artifact: Artifact | None = None) -> None:
        """Report a piece of the result, for the given artifact or the turn's own.

        Raises:
            BadResponse: If it cannot be sent.
        """
        if not self.ended:
            await self.begin()
        if not parts or self.ended:
            return
        if artifact is None:
            await self._add(parts, last=False)
            return
        await self.updater.add_artifact(
            wire_parts(parts),
            artifact_id=artifact.id,
            name=artifact.name or None,
            # The SDK refuses to append to an artifact that is not there.
            append=artifact.append and artifact.id in self.artifacts,
            last_chunk=artifact.last,
            metadata=wire_metadata(artifact.metadata) or None,
        )
        self.artifacts.add(artifact.id)

    async def left_open(self, *, streamed: bool = False) -> asyncio.Event:
        """Note that the turn only waits for its task to change."""
        await self.begin()
        self.open.set()
        self.on_open()
        if streamed:
            self.stream_ended.set()
        return self.continued

    async def end(self, result: TurnResult) -> None:
        """Report how the turn ended.

        Raises:
            BadResponse: If the result cannot be sent; nothing was reported then.
        """
        if result.alone and result.parts and result.ending == "completed" and self.opening is not None:
            await self._answer(result)
            return
        await self.begin()
        metadata = wire_metadata(result.metadata)
        message = self._message(result.message_parts) if result.message_parts else self._text(result.message)
        if result.parts or (metadata and self.artifact_id in self.artifacts):
            await self._add(result.parts, last=True, metadata=metadata)
        await self.stop(STATES[result.ending], message)

    async def fail(self, problem: Problem, state: TaskState) -> None:
        """Report why it failed, with the gateway's own message, and after how many seconds a retry makes sense."""
        reason: dict[str, Any] = {"reason": problem.error_code.reason}
        if seconds := dict(problem.headers).get(b"retry-after"):
            reason["retryAfter"] = int(seconds)
        await self.stop(state, self._text(problem.message, reason), reason)

    async def stop(
        self, state: TaskState, message: Any = None, metadata: dict[str, Any] | None = None
    ) -> None:
        """Report its last state, once."""
        if not self.ended:
            self.ended = True
            await self.begin()
            await self.updater.update_status(state, message=message, metadata=metadata)

    async def _answer(self, result: TurnResult) -> None:
        """Report a message as the whole response, without a task (A2A 1.0 §3.1.1)."""
        message = self._message(result.parts, wire_metadata(result.metadata) or None)
        message.ClearField("task_id")
        self.ended = True
        await self.updater.event_queue.enqueue_event(message)

    async def _add(
        self, parts: Sequence[Part], *, last: bool, metadata: dict[str, Any] | None = None
    ) -> None:
        wire = wire_parts(parts)
        append = self.artifact_id in self.artifacts
        self.artifacts.add(self.artifact_id)
        await self.updater.add_artifact(
            wire, artifact_id=self.artifact_id, append=append, last_chunk=last, metadata=metadata or None
        )

    def _text(self, text: str, metadata: dict[str, Any] | None = None) -> Any:
        return self._message((Part("text", text),), metadata) if text else None

    def _message(self, parts: Sequence[Part], metadata: dict[str, Any] | None = None) -> Any:
        return self.updater.new_agent_message(wire_parts(parts), metadata=metadata)
