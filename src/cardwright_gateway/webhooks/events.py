"""Events: which task states cause one, its id, and its body."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson
from a2a.compat.v0_3.conversions import to_compat_task
from a2a.types.a2a_pb2 import StreamResponse, Task, TaskState
from google.protobuf.json_format import MessageToDict, ParseDict  # type: ignore[import-untyped] # it has no stubs

from cardwright.http.representation import with_integers

if TYPE_CHECKING:
    from collections.abc import Mapping

OLD: Final = "0.3"
# A2A 1.0 §11.2; for 0.3, the example in its specification (0.3.0 §9.5).
MEDIA_TYPES: Final = {"1.0": "application/a2a+json", OLD: "application/json"}
# A2A 1.0 §4.1.3: the task has ended, or waits for its caller.
TERMINAL: Final = frozenset({
    "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED",
})  # fmt: skip
INTERRUPTED: Final = frozenset({"TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"})
NOTIFIED_STATES: Final = TERMINAL | INTERRUPTED


@dataclass(frozen=True, slots=True)
class TaskSnapshot:
    """A task in a state that causes an event.

    Attributes:
        task: The whole task.
        state: The name of its state.
        agent_id: The agent of the task.
    """

    task: Task
    state: str
    agent_id: str


def state_name(task: Task) -> str:
    """Return the name of a task's state, such as `TASK_STATE_COMPLETED`."""
    return str(TaskState.Name(task.status.state))


def task_of(row: Mapping[str, Any]) -> Task:
    """Return the task that a row of a2a-sdk's task store holds."""
    fields = {
        "id": row["id"],
        "contextId": row["context_id"],
        "status": row["status"] or {},
        "artifacts": row["artifacts"] or [],
        "history": row["history"] or [],
        **({"metadata": row["metadata"]} if row["metadata"] else {}),
    }
    task = Task()
    ParseDict(fields, task, ignore_unknown_fields=True)
    return task


def without_content(task: Task) -> Task:
    """Return the ids and the state of a task, from which its receiver can get the rest."""
    short = Task(id=task.id, context_id=task.context_id)
    short.status.state = task.status.state
    if task.status.HasField("timestamp"):
        short.status.timestamp.CopyFrom(task.status.timestamp)
    return short


def event_id(snapshot: TaskSnapshot, config_id: str) -> str:
    """Return the id of an event: the same for the same state of the same task, in any process.

    A task ends once. It may wait for its caller several times, each time with another history length or timestamp.
    """
    occurrence = ""
    if snapshot.state in INTERRUPTED:
        status = snapshot.task.status
        at = status.timestamp.ToJsonString() if status.HasField("timestamp") else ""
        occurrence = f"{len(snapshot.task.history)}/{at}"
    parts = (snapshot.task.id, config_id, snapshot.state, occurrence)
    # With length prefixes, so that different parts never give the same bytes.
    content = b"".join(b"%d:%s" % (len(part.encode()), part.encode()) for part in parts)
    return f"evt_{hashlib.sha256(content).hexdigest()[:40]}"


def body_of(task: Task, version: str) -> tuple[str, bytes]:
    """Return the media type and the body for a task in an A2A version.

    In 1.0 the body is a StreamResponse (A2A 1.0 §4.3.3), in 0.3 the task itself (0.3.0 §9.5).

    >>> body_of(ParseDict({"id": "t", "metadata": {"count": 5}}, Task()), "1.0")[1]
    b'{"task":{"id":"t","metadata":{"count":5}}}'
    """
    if version == OLD:
        value = to_compat_task(task).model_dump(mode="json", by_alias=True, exclude_none=True)
    else:
        value = with_integers(MessageToDict(StreamResponse(task=task)))
    return MEDIA_TYPES[OLD if version == OLD else "1.0"], orjson.dumps(value)


def endpoint_id(owner: str, location: str) -> str:
    """Return the id of a caller's receiver.

    Args:
        owner: The caller: each has its own id, because a receiver may fail for one caller and not for another.
        location: Its origin and path, which may contain a secret and so are hashed; or another identification of it.
    """
    return f"ep_{_hash(location)}_{_hash(owner)[:24]}"


def partition_of(endpoint: str) -> str:
    """Return the part of the id that all receivers of one origin and path share, over all callers."""
    return endpoint.rpartition("_")[0]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:40]
