"""State of an A2A call, built from responses and events in the A2A 1.0 JSON form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.discovery.calling.parts import Part
from cardwright.discovery.calling.reply import Reply

if TYPE_CHECKING:
    from cardwright.discovery.selection import Selection

_STATE = "TASK_STATE_"


class Outcome:
    """State of a call: a message, or a task that events update.

    Attributes:
        message: The message of the agent, or None.
        task: The task so far, or None.
    """

    def __init__(self) -> None:
        self.message: dict[str, Any] | None = None
        self.task: dict[str, Any] | None = None

    @property
    def task_id(self) -> str | None:
        """The id of the task, or None before the agent has sent it."""
        return (self.task or {}).get("id") or None

    @property
    def done(self) -> bool:
        """Whether the task changes no more without a new message."""
        return self.state not in ("", "submitted", "working", "unknown")

    @property
    def state(self) -> str:
        """The task's state as A2A 0.3 spells it; `unknown` if no version has it, "" without a status."""
        status = (self.task or {}).get("status")
        if status is None:
            return ""
        state = str(status.get("state") or "unknown").removeprefix(_STATE).lower().replace("_", "-")
        return "unknown" if state == "unspecified" else state

    def take(self, event: dict[str, Any]) -> None:
        """Add an event or a complete response (A2A 1.0 §3.2.3)."""
        if "message" in event:
            self.message = event["message"]
        elif "task" in event:
            self.task = event["task"]
        elif "statusUpdate" in event:
            update = event["statusUpdate"]
            self.task = {**self._of(update), "status": update.get("status", {})}
        elif "artifactUpdate" in event:
            self._artifact(event["artifactUpdate"])

    def reply(self, selection: Selection) -> Reply | None:
        """Return the reply; None without a valid message or task."""
        if self.message is not None:
            message = self.message
            if not message.get("messageId") and not message.get("parts"):
                return None
            parts = _parts(message)
            task_id, context_id = message.get("taskId") or None, message.get("contextId") or None
            return Reply(parts, task_id, context_id, "", selection, message)
        if self.task is None or self.task_id is None:
            return None
        parts = tuple(part for artifact in self.task.get("artifacts", []) for part in _parts(artifact))
        parts = parts or _parts(self.task.get("status", {}).get("message", {}))
        context_id = self.task.get("contextId") or None
        return Reply(parts, self.task_id, context_id, self.state, selection, self.task)

    def _of(self, update: dict[str, Any]) -> dict[str, Any]:
        """Return the task so far; an update without a task begins one."""
        new_task = {"id": update.get("taskId", ""), "contextId": update.get("contextId", "")}
        return self.task if self.task is not None else new_task

    def _artifact(self, update: dict[str, Any]) -> None:
        """Add an artifact, or append to one (A2A 1.0 §4.2.2)."""
        task, new = self._of(update), update.get("artifact", {})
        artifacts = list(task.get("artifacts", []))
        index = next(
            (
                n
                for n, existing in enumerate(artifacts)
                if existing.get("artifactId") == new.get("artifactId")
            ),
            None,
        )
        if index is None:
            artifacts.append(new)
        elif update.get("append"):
            old = artifacts[index]
            artifacts[index] = {**old, **new, "parts": [*old.get("parts", []), *new.get("parts", [])]}
        else:
            artifacts[index] = new
        self.task = {**task, "artifacts": artifacts}


def _parts(holder: dict[str, Any]) -> tuple[Part, ...]:
    parts = (Part.from_wire(wire) for wire in holder.get("parts", []))
    return tuple(part for part in parts if part is not None)
