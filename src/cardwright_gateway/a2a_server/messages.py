"""Turns as messages and events of a2a-sdk, which is imported with this module."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from a2a.types.a2a_pb2 import Part as WirePart
from a2a.types.a2a_pb2 import Task, TaskState, TaskStatus
from google.protobuf.json_format import MessageToDict, ParseDict  # type: ignore[import-untyped] # it has no stubs

from cardwright.canonical import Limits, copied
from cardwright.discovery.calling.parts import Part
from cardwright.errors import BadAnswer, MalformedDocument
from cardwright_gateway.a2a.calls import MAX_BODY_BYTES, MAX_DATA_DEPTH
from cardwright_gateway.backends.backend import Turn
from cardwright_gateway.errors import BadTurn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from a2a.server.context import ServerCallContext
    from a2a.server.tasks import TaskUpdater
    from a2a.types.a2a_pb2 import Message

    from cardwright.http.problem import Problem
    from cardwright_gateway.backends.backend import Artifact, Ending, TurnResult

# The SDK keeps each in the task's history, and copies that with every update: more would grow by the square (ours).
MAX_PROGRESS: Final = 1_000
_LIMITS: Final = Limits(max_bytes=MAX_BODY_BYTES, max_depth=MAX_DATA_DEPTH, max_members=65_536)
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
    """Return what a caller says; the metadata of the message goes over that of the request.

    Args:
        message: The message.
        metadata: That of the request.
        earlier: Whether the task was there before.
        owner: Whose the task is.
        sender: Who is asking, as the gateway knows it: `from` of the metadata (BeeOS seed §2.1). What a caller
            itself says there is not kept: it would pass for the gateway's word.

    Raises:
        BadTurn: If a part holds nothing.
    """
    whole = _whole({**metadata, **MessageToDict(message.metadata)})
    if sender is not None:
        whole.pop("from", None)
        whole |= {"from": dict(sender)} if sender else {}
    return Turn(
        parts=tuple(_part_of(part, index) for index, part in enumerate(message.parts)),
        message_id=message.message_id,
        task_id=message.task_id,
        context_id=message.context_id,
        metadata=whole,
        earlier=earlier,
        owner=owner,
    )


def _part_of(part: WirePart, index: int) -> Part:
    kind = part.WhichOneof("content")
    named = (part.filename, part.media_type)
    match kind:
        case "text":
            return Part(kind, part.text, *named)
        case "raw":
            return Part(kind, part.raw, *named)
        case "url":
            return Part(kind, part.url, *named)
        case "data":
            return Part(kind, _whole(MessageToDict(part.data)), *named)
        case _:
            raise BadTurn(f"part {index} of the message holds neither text, raw, url nor data")


def _whole(value: Any) -> Any:
    """Return a value with whole numbers as such: a message holds all of them as doubles."""
    if isinstance(value, dict):
        return {name: _whole(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def wire_parts(parts: Sequence[Part]) -> list[WirePart]:
    """Return parts as messages.

    Raises:
        BadAnswer: If one holds what no message can.
    """
    return [_wire_part(part) for part in parts]


def _wire_part(part: Part) -> WirePart:
    try:
        wire = WirePart(filename=part.filename, media_type=part.media_type)
        if part.kind == "data":
            ParseDict(copied(part.value, _LIMITS), wire.data)
        else:
            setattr(wire, part.kind, part.value)
    except (TypeError, ValueError, MalformedDocument):
        raise BadAnswer(
            "", "not-a-reply", f"a part of the kind {part.kind} holds what cannot be sent"
        ) from None
    return wire


def wire_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata as far as a message can hold them.

    Raises:
        BadAnswer: If it cannot.
    """
    try:
        return dict(copied(dict(metadata), _LIMITS))
    except MalformedDocument:
        raise BadAnswer("", "not-a-reply", "the metadata of an artifact hold what cannot be sent") from None


@dataclass(slots=True)
class Running:
    """A running turn and what was reported of it; a `TurnReporter`.

    Attributes:
        context: For whom it goes on.
        opening: The message that begins its task; None where there is a task.
        ended: Whether its end was reported: nothing more is, then.
        begun: Whether a piece of its artifact was sent.
        reported: How often progress was reported.
        work: What answers the turn, once it has begun.
        cancelling: Whether its caller has cancelled it.
    """

    updater: TaskUpdater
    artifact_id: str
    context: ServerCallContext
    opening: Message | None = None
    ended: bool = False
    begun: bool = False
    reported: int = 0
    work: asyncio.Task[TurnResult] | None = None
    cancelling: bool = False
    _beginning: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def begin(self) -> None:
        """Tell that there is a task, once: nothing is told of it before."""
        async with self._beginning:
            if self.opening is None:
                return
            # It is worked on from the start: to say so later would be one more write of a durable task.
            status = TaskStatus(state=TaskState.TASK_STATE_WORKING)
            status.timestamp.GetCurrentTime()
            begun = Task(id=self.updater.task_id, context_id=self.updater.context_id, status=status)
            begun.history.append(self.opening)
            await self.updater.event_queue.enqueue_event(begun)
            self.opening = None

    async def progress(
        self, text: str = "", *, done: float | None = None, total: float | None = None
    ) -> None:
        """Tell how far it is; what is told past the first thousand is dropped."""
        if self.ended or self.reported >= MAX_PROGRESS:
            return
        self.reported += 1
        await self.begin()
        numbers = {"progress": done, "total": total}
        known = {name: one for name, one in numbers.items() if one is not None and math.isfinite(one)}
        await self.updater.update_status(
            TaskState.TASK_STATE_WORKING, message=self._text(text), metadata=known or None
        )

    async def parts(self, parts: Sequence[Part], artifact: Artifact | None = None) -> None:
        """Tell a piece of the result, of an artifact of its own or of the turn's.

        Raises:
            BadAnswer: If it holds what cannot be sent.
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
            append=artifact.append,
            last_chunk=artifact.last,
            metadata=wire_metadata(artifact.metadata) or None,
        )

    async def end(self, outcome: TurnResult) -> None:
        """Tell how it ended.

        Raises:
            BadAnswer: If the outcome holds what cannot be sent; nothing of it was told then.
        """
        if outcome.alone and self.opening is not None:
            await self._answer(outcome)
            return
        await self.begin()
        metadata = wire_metadata(outcome.metadata)
        message = self._message(outcome.said) if outcome.said else self._text(outcome.message)
        if outcome.parts or (metadata and self.begun):
            await self._add(outcome.parts, last=True, metadata=metadata)
        await self.stop(STATES[outcome.ending], message)

    async def fail(self, why: Problem, state: TaskState) -> None:
        """Tell why it failed, in words of ours."""
        reason = {"reason": why.condition.reason}
        await self.stop(state, self._text(why.message, reason), reason)

    async def stop(
        self, state: TaskState, message: Any = None, metadata: dict[str, Any] | None = None
    ) -> None:
        """Tell its last state, once."""
        if not self.ended:
            self.ended = True
            await self.begin()
            await self.updater.update_status(state, message=message, metadata=metadata)

    async def _answer(self, outcome: TurnResult) -> None:
        """Tell a message that is the whole answer: there is no task (A2A 1.0 §3.1.1)."""
        message = self._message(outcome.parts, wire_metadata(outcome.metadata) or None)
        message.ClearField("task_id")
        self.ended = True
        await self.updater.event_queue.enqueue_event(message)

    async def _add(
        self, parts: Sequence[Part], *, last: bool, metadata: dict[str, Any] | None = None
    ) -> None:
        wire = wire_parts(parts)
        append, self.begun = self.begun, True
        await self.updater.add_artifact(
            wire, artifact_id=self.artifact_id, append=append, last_chunk=last, metadata=metadata or None
        )

    def _text(self, text: str, metadata: dict[str, Any] | None = None) -> Any:
        return self._message((Part("text", text),), metadata) if text else None

    def _message(self, parts: Sequence[Part], metadata: dict[str, Any] | None = None) -> Any:
        return self.updater.new_agent_message(wire_parts(parts), metadata=metadata)
