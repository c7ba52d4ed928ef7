"""JSON formats of work, updates and results between the gateway and its workers; validated strictly."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import Limits, checked_copy
from cardwright.discovery.calling.parts import KINDS, Part
from cardwright.errors import MalformedDocument
from cardwright_gateway.a2a.field_limits import MAX_MESSAGE_VALUES
from cardwright_gateway.backends.backend import Turn, TurnResult
from cardwright_gateway.errors import BadWork, TasksFull
from cardwright_runtime.violation import Violation, pointer_of

if TYPE_CHECKING:
    from cardwright_gateway.a2a.task_size import Content
    from cardwright_gateway.backends.backend import Ending
    from cardwright_gateway.database.deployment import Deployment

# Two long polls of 30 s: a worker that was silent for so long is offline (project decision).
OFFLINE_SECONDS: Final = 60.0
# The maximum size of all reports on a turn: those on stored tasks have less (project decision).
MAX_REPORTED_BYTES: Final = 64 * 1024 * 1024
# How many workers may take a turn and lose it (project decision).
MAX_ATTEMPTS: Final = 3
_LIMITS: Final = Limits(
    max_bytes=16 * 1024 * 1024, max_depth=36, max_members=65_536, max_values=MAX_MESSAGE_VALUES
)
# The source of the rules for what workers send.
SPEC: Final = "project decision: the gateway defines the format of work"
_ENDINGS: Final[tuple[Ending, ...]] = ("completed", "failed", "rejected", "input-required")
_MAX_TEXT: Final = 8_192


@dataclass(frozen=True, slots=True)
class Work:
    """A turn that a worker has taken.

    Attributes:
        id: The id of this lease; each worker that takes the turn gets another id.
        turn: The turn.
        attempt: How many workers have taken it, this one included.
        reported: How many parts of the result earlier workers reported; these stay in the result.
    """

    id: str
    turn: Turn
    attempt: int = 1
    reported: int = 0

    def to_wire(self) -> dict[str, Any]:
        """Return it as JSON, with A2A 1.0 parts (§4.1.6)."""
        return {
            "id": self.id,
            "attempt": self.attempt,
            "reported": self.reported,
            "turn": turn_to_wire(self.turn),
        }


@dataclass(frozen=True, slots=True)
class Workers:
    """The state of an agent's workers, in all processes that share the queue.

    Attributes:
        waiting: How many workers wait for work.
        seen_seconds_ago: Seconds since a worker polled or reported; None if none ever did.
    """

    waiting: int
    seen_seconds_ago: float | None

    @property
    def online(self) -> bool:
        """Whether a worker polled or reported within two long polls."""
        return self.seen_seconds_ago is not None and self.seen_seconds_ago <= OFFLINE_SECONDS


def turn_for_worker(turn: Turn, agent_id: str, deployment: Deployment) -> Turn:
    """Return a turn as workers see it: without its owner, and with a context id that only this caller has.

    Workers keep conversations by context id, and callers choose theirs: two may choose the same.
    """
    context_id = turn.context_id and deployment.context_id(agent_id, turn.owner, turn.context_id)
    return replace(turn, context_id=context_id, owner="")


def turn_to_wire(turn: Turn) -> dict[str, Any]:
    """Return a turn as JSON, without its owner, which workers may not see."""
    return {
        "parts": [part.to_wire() for part in turn.parts],
        "messageId": turn.message_id,
        "taskId": turn.task_id,
        "contextId": turn.context_id,
        "metadata": dict(turn.metadata),
        "earlier": turn.earlier,
    }


def turn_from_wire(body: dict[str, Any]) -> Turn:
    """Return a turn as `turn_to_wire` wrote it."""
    parts = (Part.from_wire(part) for part in body["parts"])
    return Turn(
        tuple(part for part in parts if part is not None),
        body["messageId"],
        body["taskId"],
        body["contextId"],
        body["metadata"],
        body["earlier"],
    )


@dataclass(frozen=True, slots=True)
class WorkUpdate:
    """A worker's update: progress, a chunk of the result, both, or neither (only to renew the lease)."""

    text: str = ""
    done: float | None = None
    total: float | None = None
    parts: tuple[Part, ...] = ()

    @property
    def progressed(self) -> bool:
        """Whether it reports progress."""
        return bool(self.text) or self.done is not None or self.total is not None


def lost_reason(agent_id: str) -> str:
    """Return the reason why a turn failed after `MAX_ATTEMPTS` workers were lost."""
    return f"{MAX_ATTEMPTS} workers of {agent_id!r} took the turn and stopped reporting"


def check_reported(reported: Content) -> None:
    """Check the size of all reports on a turn: one without a stored task has no other limit until they are passed on.

    Raises:
        TasksFull: If it exceeds the maximum.
    """
    if reported.size > MAX_REPORTED_BYTES:
        raise TasksFull("task", MAX_REPORTED_BYTES)


def read_update(body: Any) -> WorkUpdate:
    """Parse a worker's update: `{"text", "done", "total", "parts"}`, each of them optional.

    Raises:
        BadWork: If it is not valid; with all violations.
    """
    parser = _BodyParser()
    fields = parser.object(body, ("text", "done", "total", "parts"))
    update = WorkUpdate(
        text=parser.text(fields, "text"),
        done=parser.number(fields, "done"),
        total=parser.number(fields, "total"),
        parts=parser.parts(fields),
    )
    parser.finish()
    return update


def read_result(body: Any) -> TurnResult:
    """Parse a worker's result: `{"parts", "state", "message", "metadata"}`; the default state is `completed`.

    Raises:
        BadWork: If it is not valid; with all violations.
    """
    parser = _BodyParser()
    fields = parser.object(body, ("parts", "state", "message", "metadata"))
    state = fields.get("state", "completed")
    ending = _ENDINGS[_ENDINGS.index(state)] if state in _ENDINGS else None
    if ending is None:
        parser.reject(("state",), "state", f"must be one of {', '.join(_ENDINGS)}")
    metadata = fields.get("metadata", {})
    if not isinstance(metadata, dict):
        parser.reject(("metadata",), "object", "must be an object")
        metadata = {}
    result = TurnResult(parser.parts(fields), ending or "failed", parser.text(fields, "message"), metadata)
    parser.finish()
    return result


class _BodyParser:
    """Parser for one body; collects all violations."""

    def __init__(self) -> None:
        self._violations: list[Violation] = []

    def reject(self, path: tuple[str | int, ...], rule: str, message: str) -> None:
        self._violations.append(Violation(f"work/{rule}", "error", pointer_of(path), message, SPEC))

    def finish(self) -> None:
        if self._violations:
            raise BadWork(sorted(self._violations, key=lambda violation: violation.pointer))

    def object(self, body: Any, known: tuple[str, ...]) -> dict[str, Any]:
        try:
            value = checked_copy(body, _LIMITS)
        except MalformedDocument as error:
            self._violations.append(Violation("work/json", "error", error.pointer, error.reason, SPEC))
            self.finish()
            return {}
        if not isinstance(value, dict):
            self.reject((), "object", "must be an object")
            self.finish()
            return {}
        fields: dict[str, Any] = value
        for name in fields.keys() - set(known):
            self.reject((name,), "member", f"unknown field; known fields: {', '.join(known)}")
        return fields

    def text(self, fields: dict[str, Any], name: str) -> str:
        value = fields.get(name, "")
        if not isinstance(value, str) or len(value) > _MAX_TEXT:
            self.reject((name,), "text", f"must be a string of at most {_MAX_TEXT:,} characters")
            return ""
        return value

    def number(self, fields: dict[str, Any], name: str) -> float | None:
        value = fields.get(name)
        if name in fields and type(value) not in (int, float):
            self.reject((name,), "number", "must be a number")
            return None
        return value

    def parts(self, fields: dict[str, Any]) -> tuple[Part, ...]:
        value = fields.get("parts", [])
        if not isinstance(value, list):
            self.reject(("parts",), "parts", "must be an array of parts")
            return ()
        parsed = [self._part(item, index) for index, item in enumerate(value)]
        return tuple(part for part in parsed if part is not None)

    def _part(self, item: Any, index: int) -> Part | None:
        path = ("parts", index)
        kinds = [kind for kind in KINDS if isinstance(item, dict) and kind in item]
        if len(kinds) != 1:
            self.reject(path, "part", f"must be an object with one of {', '.join(KINDS)} (A2A 1.0 §4.1.6)")
            return None
        kind, invalid = kinds[0], False
        # Accept a part's metadata and drop it: `Part` has none.
        for name in item.keys() - {kind, "filename", "mediaType", "metadata"}:
            self.reject((*path, name), "member", "unknown field of a part")
            invalid = True
        for name in {"filename", "mediaType", *({kind} - {"data"})} & item.keys():
            if not isinstance(item[name], str):
                self.reject((*path, name), "text", "must be a string")
                invalid = True
        if kind == "raw" and not invalid and not _is_base64(item["raw"]):
            self.reject((*path, "raw"), "base64", "must be base64 (RFC 4648 §4)")
            invalid = True
        return None if invalid else Part.from_wire(item)


def _is_base64(text: str) -> bool:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True
