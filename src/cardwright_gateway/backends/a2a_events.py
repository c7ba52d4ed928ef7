"""What an agent of A2A tells of a turn, taken apart and told to whoever asked for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery.calling.parts import Part
from cardwright_gateway.backends.backend import Artifact, TurnResult
from cardwright_gateway.upstream.client import not_a_reply

if TYPE_CHECKING:
    from cardwright_gateway.backends.backend import Ending, TurnReporter

_ENDINGS: Final[dict[str, Ending]] = {
    "TASK_STATE_COMPLETED": "completed",
    "TASK_STATE_FAILED": "failed",
    "TASK_STATE_REJECTED": "rejected",
    "TASK_STATE_CANCELED": "canceled",
    "TASK_STATE_INPUT_REQUIRED": "input-required",
    "TASK_STATE_AUTH_REQUIRED": "auth-required",
}


@dataclass(slots=True)
class Taking:
    """What an agent has told of a turn so far, as its caller is told it.

    Attributes:
        tell: Tells the caller.
        task_id: The task behind; "" before it has a name.
        context_id: Its context.
        outcome: How it ended; None before.
    """

    tell: TurnReporter
    task_id: str = ""
    context_id: str = ""
    outcome: TurnResult | None = None
    # By artifact, how many of its parts were told.
    _parts: dict[str, int] = field(default_factory=dict[str, int])
    _said: str = ""

    async def take(self, event: dict[str, Any]) -> None:
        """Take an event, or a whole answer (A2A 1.0 §3.2.3).

        Raises:
            BadAnswer: If it is none.
        """
        if "message" in event:
            parts = _parts_of(event["message"])
            if not parts:
                raise not_a_reply("its message has no part")
            metadata = event["message"].get("metadata")
            self.outcome = TurnResult(parts, alone=True, metadata=metadata if type(metadata) is dict else {})
            return
        # The agent has a task for it: so has the gateway, from now on.
        await self.tell.parts(())
        if "task" in event:
            await self._task(event["task"])
        elif "statusUpdate" in event:
            update = event["statusUpdate"]
            self._named(update.get("taskId"), update.get("contextId"))
            await self._status(update.get("status", {}))
        elif "artifactUpdate" in event:
            update = event["artifactUpdate"]
            self._named(update.get("taskId"), update.get("contextId"))
            await self._artifact(
                update.get("artifact", {}),
                append=update.get("append") is True,
                last=update.get("lastChunk") is True,
            )

    async def _task(self, task: dict[str, Any]) -> None:
        self._named(task.get("id"), task.get("contextId"))
        for artifact in task.get("artifacts", ()):
            told = self._parts.get(_id_of(artifact), 0)
            parts = artifact.get("parts", [])
            if len(parts) > told:
                await self._artifact({**artifact, "parts": parts[told:]}, append=told > 0, last=True)
        await self._status(task.get("status", {}))

    async def _artifact(self, artifact: dict[str, Any], *, append: bool, last: bool) -> None:
        name = _id_of(artifact)
        known = self._parts.get(name, 0)
        append = append and known > 0
        parts = _parts_of(artifact)
        self._parts[name] = (known if append else 0) + len(artifact.get("parts", ()))
        if parts:
            piece = Artifact(name, artifact.get("name", ""), append, last, artifact.get("metadata", {}))
            await self.tell.parts(parts, piece)

    async def _status(self, status: dict[str, Any]) -> None:
        said = _parts_of(status.get("message", {}))
        ending = _ENDINGS.get(status.get("state", ""))
        if ending is not None:
            self.outcome = TurnResult(ending=ending, said=said)
            return
        text = "\n".join(part.value for part in said if part.kind == "text")
        if text and text != self._said:
            self._said = text
            await self.tell.progress(text)

    def _named(self, task_id: Any, context_id: Any) -> None:
        self.task_id = self.task_id or str(task_id or "")
        self.context_id = self.context_id or str(context_id or "")


def _id_of(artifact: dict[str, Any]) -> str:
    return str(artifact.get("artifactId") or "result")


def _parts_of(holder: dict[str, Any]) -> tuple[Part, ...]:
    found = (Part.from_wire(wire) for wire in holder.get("parts", []))
    return tuple(part for part in found if part is not None)
