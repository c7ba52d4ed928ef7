"""What workers are given and what they say of it, as JSON that is judged strictly."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import Limits, copied
from cardwright.discovery.calling.parts import Part
from cardwright.errors import MalformedDocument
from cardwright_gateway.backends.backend import Ending, Turn, TurnResult
from cardwright_gateway.errors import BadWork
from cardwright_runtime.violation import Violation, pointer_of

if TYPE_CHECKING:
    from collections.abc import Mapping

# Two long polls of 30 s: who has not asked for so long is gone (ours).
OFFLINE_SECONDS: Final = 60.0
# How often a turn is given to workers that are gone before its end (ours).
MOST_ATTEMPTS: Final = 3
_LIMITS: Final = Limits(max_bytes=16 * 1024 * 1024, max_depth=36, max_members=65_536)
_KINDS: Final = ("text", "raw", "url", "data")
_ENDINGS: Final[Mapping[str, Ending]] = {
    "completed": "completed",
    "failed": "failed",
    "rejected": "rejected",
    "input-required": "input-required",
}
_MAX_TEXT: Final = 8_192


@dataclass(frozen=True, slots=True)
class Work:
    """A turn as one worker has it.

    Attributes:
        id: What the worker names it by; another worker, after it, has another.
        turn: What the caller says.
        attempt: How often it was given to a worker, this time included.
        told: How many parts of the result were told by workers before; they stand.
    """

    id: str
    turn: Turn
    attempt: int = 1
    told: int = 0

    def to_wire(self) -> dict[str, Any]:
        """Return it as JSON; the parts are A2A 1.0's (§4.1.6)."""
        return {"id": self.id, "attempt": self.attempt, "told": self.told, "turn": turn_to_wire(self.turn)}


@dataclass(frozen=True, slots=True)
class Workers:
    """The workers of an agent that pulls its work, in all processes that share the queue.

    Attributes:
        waiting: How many of them wait for work.
        seen_seconds_ago: How long ago one asked for work or said a word of it; None where none ever did.
    """

    waiting: int
    seen_seconds_ago: float | None

    @property
    def online(self) -> bool:
        """Whether there are any: one has asked for work, or said a word of it, within two long polls."""
        return self.seen_seconds_ago is not None and self.seen_seconds_ago <= OFFLINE_SECONDS


def turn_to_wire(turn: Turn) -> dict[str, Any]:
    """Return a turn as JSON; whose it is, is not for workers."""
    return {
        "parts": [part.to_wire() for part in turn.parts],
        "messageId": turn.message_id,
        "taskId": turn.task_id,
        "contextId": turn.context_id,
        "metadata": dict(turn.metadata),
        "earlier": turn.earlier,
    }


def turn_from_wire(said: dict[str, Any]) -> Turn:
    """Return a turn as `turn_to_wire` wrote it."""
    parts = (Part.from_wire(part) for part in said["parts"])
    return Turn(
        tuple(part for part in parts if part is not None),
        said["messageId"],
        said["taskId"],
        said["contextId"],
        said["metadata"],
        said["earlier"],
    )


@dataclass(frozen=True, slots=True)
class Told:
    """What a worker tells on its way: how far it is, a piece of the result, both, or only that it is there."""

    text: str = ""
    done: float | None = None
    total: float | None = None
    parts: tuple[Part, ...] = ()

    @property
    def progressed(self) -> bool:
        """Whether it says how far it is."""
        return bool(self.text) or self.done is not None or self.total is not None


def lost_reason(agent_id: str) -> str:
    """Return why a turn fails that nobody is given any more."""
    return f"{MOST_ATTEMPTS} workers of {agent_id!r} took a turn and were not heard of again"


def read_told(body: Any) -> Told:
    """Return what a worker tells: `{"text", "done", "total", "parts"}`, each of them optional.

    Raises:
        BadWork: If it is anything else.
    """
    reading = _Reading()
    members = reading.object(body, ("text", "done", "total", "parts"))
    told = Told(
        text=reading.text(members, "text"),
        done=reading.number(members, "done"),
        total=reading.number(members, "total"),
        parts=reading.parts(members),
    )
    reading.finish()
    return told


def read_result(body: Any) -> TurnResult:
    """Return how a worker ends: `{"parts", "state", "message"}`; without a state it is completed.

    Raises:
        BadWork: If it is anything else.
    """
    reading = _Reading()
    members = reading.object(body, ("parts", "state", "message"))
    state = members.get("state", "completed")
    ending = _ENDINGS.get(state) if isinstance(state, str) else None
    if ending is None:
        reading.fault(("state",), "state", f"is one of {', '.join(_ENDINGS)}")
    outcome = TurnResult(reading.parts(members), ending or "failed", reading.text(members, "message"))
    reading.finish()
    return outcome


class _Reading:
    """Reads one body, and gathers all that is wrong with it."""

    def __init__(self) -> None:
        self._violations: list[Violation] = []

    def fault(self, path: tuple[str | int, ...], rule: str, message: str) -> None:
        self._violations.append(Violation(f"work/{rule}", "error", pointer_of(path), message, "ours"))

    def finish(self) -> None:
        if self._violations:
            raise BadWork(sorted(self._violations, key=lambda one: one.pointer))

    def object(self, body: Any, known: tuple[str, ...]) -> dict[str, Any]:
        try:
            value = copied(body, _LIMITS)
        except MalformedDocument as error:
            self._violations.append(Violation("work/json", "error", error.pointer, error.reason, "ours"))
            self.finish()
            return {}
        if not isinstance(value, dict):
            self.fault((), "object", "is an object")
            self.finish()
            return {}
        members: dict[str, Any] = value
        for name in members.keys() - set(known):
            self.fault((name,), "member", f"is not known here; these are: {', '.join(known)}")
        return members

    def text(self, members: dict[str, Any], name: str) -> str:
        value = members.get(name, "")
        if not isinstance(value, str) or len(value) > _MAX_TEXT:
            self.fault((name,), "text", f"is a text of at most {_MAX_TEXT:,} characters")
            return ""
        return value

    def number(self, members: dict[str, Any], name: str) -> float | None:
        value = members.get(name)
        if name in members and type(value) not in (int, float):
            self.fault((name,), "number", "is a number")
            return None
        return value

    def parts(self, members: dict[str, Any]) -> tuple[Part, ...]:
        value = members.get("parts", [])
        if not isinstance(value, list):
            self.fault(("parts",), "parts", "is an array of parts")
            return ()
        read = [self._part(item, index) for index, item in enumerate(value)]
        return tuple(part for part in read if part is not None)

    def _part(self, item: Any, index: int) -> Part | None:
        place = ("parts", index)
        kinds = [kind for kind in _KINDS if isinstance(item, dict) and kind in item]
        if len(kinds) != 1:
            self.fault(place, "part", f"is an object with one of {', '.join(_KINDS)} (A2A 1.0 §4.1.6)")
            return None
        kind, wrong = kinds[0], False
        # The metadata of a part are let through and dropped: what a backend has keeps none.
        for name in item.keys() - {kind, "filename", "mediaType", "metadata"}:
            self.fault((*place, name), "member", "is no member of a part")
            wrong = True
        for name in {"filename", "mediaType", *({kind} - {"data"})} & item.keys():
            if not isinstance(item[name], str):
                self.fault((*place, name), "text", "is a text")
                wrong = True
        if kind == "raw" and not wrong and not _is_base64(item["raw"]):
            self.fault((*place, "raw"), "base64", "is base64 (RFC 4648 §4)")
            wrong = True
        return None if wrong else Part.from_wire(item)


def _is_base64(text: str) -> bool:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True
