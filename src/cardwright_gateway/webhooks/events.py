"""What is told: which states of a task are, the id of each, and the bytes of its body."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson
from a2a.compat.v0_3.conversions import to_compat_task
from a2a.types.a2a_pb2 import StreamResponse, Task, TaskState
from google.protobuf.json_format import MessageToDict, ParseDict  # type: ignore[import-untyped] # it has no stubs

if TYPE_CHECKING:
    from collections.abc import Mapping

OLD: Final = "0.3"
# A2A 1.0 §11.2 and, for 0.3, what its own specification shows (0.3.0 §9.5).
MEDIA_TYPES: Final = {"1.0": "application/a2a+json", OLD: "application/json"}
# A2A 1.0 §4.1.3: where a task has ended, or waits for its caller.
TERMINAL: Final = frozenset({
    "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED",
})  # fmt: skip
INTERRUPTED: Final = frozenset({"TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"})
TOLD: Final = TERMINAL | INTERRUPTED


@dataclass(frozen=True, slots=True)
class Told:
    """A task in a state that is told.

    Attributes:
        task: The whole task.
        state: The name of its state.
        agent_id: Whose task it is.
    """

    task: Task
    state: str
    agent_id: str


def state_name(task: Task) -> str:
    """Return the name of a task's state, such as `TASK_STATE_COMPLETED`."""
    return str(TaskState.Name(task.status.state))


def task_of(row: Mapping[str, Any]) -> Task:
    """Return the task that a row of a2a-sdk's task store holds."""
    whole = {
        "id": row["id"],
        "contextId": row["context_id"],
        "status": row["status"] or {},
        "artifacts": row["artifacts"] or [],
        "history": row["history"] or [],
        **({"metadata": row["metadata"]} if row["metadata"] else {}),
    }
    task = Task()
    ParseDict(whole, task, ignore_unknown_fields=True)
    return task


def event_id(told: Told, config_id: str) -> str:
    """Return the id of an event: the same for the same state of the same task, whoever tells it, however often.

    A task ends once; it may wait for its caller several times, and each has another history or time.
    """
    which = ""
    if told.state in INTERRUPTED:
        status = told.task.status
        at = status.timestamp.ToJsonString() if status.HasField("timestamp") else ""
        which = f"{len(told.task.history)}/{at}"
    parts = (told.task.id, config_id, told.state, which)
    # Lengths first: two lists of texts that read alike when joined are not the same.
    whole = b"".join(b"%d:%s" % (len(part.encode()), part.encode()) for part in parts)
    return f"evt_{hashlib.sha256(whole).hexdigest()[:40]}"


def body_of(task: Task, version: str) -> tuple[str, bytes]:
    """Return the media type and the bytes that tell a task, in a version of A2A.

    In 1.0 that is a StreamResponse (A2A 1.0 §4.3.3), in 0.3 the task itself (0.3.0 §9.5).
    """
    if version == OLD:
        value = to_compat_task(task).model_dump(mode="json", by_alias=True, exclude_none=True)
    else:
        value = MessageToDict(StreamResponse(task=task))
    return MEDIA_TYPES[OLD if version == OLD else "1.0"], orjson.dumps(value)


def endpoint_id(owner: str, place: str) -> str:
    """Return the id of one caller's receiver.

    Args:
        owner: Whose it is: what one caller has it answer says nothing of what it answers another.
        place: Its origin and path, of which some are as good as a password; or what it is known by without these.
    """
    return f"ep_{_hashed(place)}_{_hashed(owner)[:24]}"


def partition_of(endpoint: str) -> str:
    """Return what the receivers of one origin and path share, whosever they are."""
    return endpoint.rpartition("_")[0]


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:40]
