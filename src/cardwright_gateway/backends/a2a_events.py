"""Reader for the events of an upstream A2A agent: reports them to the caller of the turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery.calling.parts import Part
from cardwright.http.request import off_loop
from cardwright_gateway.a2a.field_limits import MAX_ID_CHARACTERS
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
_UNKNOWN: Final = "TASK_STATE_UNSPECIFIED"
# The states of a task that a message continues.
_WAITING: Final[frozenset[Ending]] = frozenset({"input-required", "auth-required"})


@dataclass(slots=True)
class TurnReader:
    """State of one turn, built from the events of the upstream agent.

    Attributes:
        reporter: Reports to the caller.
        task_id: The upstream task; "" until the agent names it.
        context_id: Its context.
        result: The result; None until the turn has ended.
        counts: How many parts were reported, by artifact id.
        continues: Whether the first event of a stream may be the task as it was before the message: @a2a-js/sdk sends it
            to the caller that continues a task.
        held: The result if the stream ends after such an event.
    """

    reporter: TurnReporter
    task_id: str = ""
    context_id: str = ""
    result: TurnResult | None = None
    counts: dict[str, int] = field(default_factory=dict[str, int])
    continues: bool = False
    held: TurnResult | None = None
    _last_text: str = ""

    async def read(self, event: dict[str, Any]) -> None:
        """Read one event, or one complete response (A2A 1.0 §3.2.3).

        Raises:
            BadResponse: If a message has no part, an id is too long, or the state of a task is unknown.
        """
        first, self.continues, self.held = self.continues, False, None
        if "message" in event:
            parts = await _parts_of(event["message"])
            if not parts:
                raise not_a_reply("its message has no part")
            metadata = event["message"].get("metadata")
            self.result = TurnResult(parts, alone=True, metadata=metadata if type(metadata) is dict else {})
            return
        # The agent created a task, so the gateway's caller gets one too.
        await self.reporter.parts(())
        if "task" in event:
            await self._task(event["task"])
            if first and self.result is not None and self.result.ending in _WAITING:
                self.result, self.held = None, self.result
        elif "statusUpdate" in event:
            update = event["statusUpdate"]
            self._set_ids(update.get("taskId"), update.get("contextId"))
            await self._status(update.get("status", {}))
        elif "artifactUpdate" in event:
            update = event["artifactUpdate"]
            self._set_ids(update.get("taskId"), update.get("contextId"))
            await self._artifact(
                update.get("artifact", {}),
                append=update.get("append") is True,
                last=update.get("lastChunk") is True,
            )

    async def _task(self, task: dict[str, Any]) -> None:
        self._set_ids(task.get("id"), task.get("contextId"))
        for artifact in task.get("artifacts", ()):
            reported = self.counts.get(_id_of(artifact), 0)
            parts = artifact.get("parts", [])
            if len(parts) > reported:
                await self._artifact({**artifact, "parts": parts[reported:]}, append=reported > 0, last=True)
        status = task.get("status", {})
        if status.get("state", _UNKNOWN) == _UNKNOWN:
            # Reading it again and again would bring no end. An event of such a state only means that a stream broke.
            raise not_a_reply("its task has a state that A2A does not have")
        await self._status(status)

    async def _artifact(self, artifact: dict[str, Any], *, append: bool, last: bool) -> None:
        artifact_id = _id_of(artifact)
        reported = self.counts.get(artifact_id, 0)
        append = append and reported > 0
        parts = await _parts_of(artifact)
        if parts or artifact_id in self.counts:
            # The others would be counted for nothing, however many there are.
            self.counts[artifact_id] = (reported if append else 0) + len(artifact.get("parts", ()))
        if parts:
            chunk = Artifact(
                artifact_id, artifact.get("name", ""), append, last, artifact.get("metadata", {})
            )
            await self.reporter.parts(parts, chunk)

    async def _status(self, status: dict[str, Any]) -> None:
        parts = await _parts_of(status.get("message", {}))
        ending = _ENDINGS.get(status.get("state", ""))
        if ending is not None:
            self.result = TurnResult(ending=ending, message_parts=parts)
            return
        text = "\n".join(part.value for part in parts if part.kind == "text")
        if text and text != self._last_text:
            self._last_text = text
            await self.reporter.progress(text)

    def _set_ids(self, task_id: Any, context_id: Any) -> None:
        self.task_id = self.task_id or _checked_id(task_id)
        self.context_id = self.context_id or _checked_id(context_id)


def _checked_id(value: Any) -> str:
    """Return the id of a task or a context, which is stored.

    Raises:
        BadResponse: If it is too long.
    """
    text = str(value or "")
    if len(text) > MAX_ID_CHARACTERS:
        raise not_a_reply(f"the id of its task or context has more than {MAX_ID_CHARACTERS} characters")
    return text


def _id_of(artifact: dict[str, Any]) -> str:
    return str(artifact.get("artifactId") or "result")


async def _parts_of(holder: dict[str, Any]) -> tuple[Part, ...]:
    """Return the parts of a message or an artifact; large files are decoded in a thread."""
    wires = holder.get("parts", [])
    size = sum(len(wire.get("raw", "")) for wire in wires)
    return await off_loop(size, lambda: tuple(filter(None, map(Part.from_wire, wires))))
