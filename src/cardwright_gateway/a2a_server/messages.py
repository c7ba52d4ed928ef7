"""Between what a backend has and the messages of a2a-sdk, which is imported with this module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from a2a.types.a2a_pb2 import Part as WirePart
from a2a.types.a2a_pb2 import TaskState
from google.protobuf.json_format import MessageToDict, ParseDict  # type: ignore[import-untyped] # it has no stubs

from cardwright.canonical import Limits, copied
from cardwright.discovery.calling.parts import Part
from cardwright.errors import BadAnswer, MalformedDocument
from cardwright_gateway.a2a.calls import MAX_BODY_BYTES, MAX_DATA_DEPTH
from cardwright_gateway.backends.backend import Turn
from cardwright_gateway.errors import BadTurn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from a2a.types.a2a_pb2 import Message

    from cardwright_gateway.backends.backend import Ending

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
    told = _whole({**metadata, **MessageToDict(message.metadata)})
    if sender is not None:
        told.pop("from", None)
        told |= {"from": dict(sender)} if sender else {}
    return Turn(
        parts=tuple(_part_of(part, index) for index, part in enumerate(message.parts)),
        message_id=message.message_id,
        task_id=message.task_id,
        context_id=message.context_id,
        metadata=told,
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
