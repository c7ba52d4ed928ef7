"""Run one turn of a backend, and collect its reply."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

import orjson

from cardwright.canonical import Limits, checked_copy
from cardwright.discovery.calling.parts import Part
from cardwright.errors import BadResponse, CardError, MalformedDocument
from cardwright.guard.exchange import MAX_ANSWER
from cardwright.http.problem import HttpError, Problem, refuse
from cardwright_gateway.a2a.problems import TURN_FAILED, TURN_FAULT, TURN_REJECTED, turn_problem
from cardwright_gateway.backends.backend import TurnResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.guard.answer_memory import HeldAnswer
    from cardwright_gateway.backends.backend import Artifact, Backend, Ending, Turn

_LOG: Final = logging.getLogger("cardwright_gateway")
# The same limits as in the A2A server (project decision).
_LIMITS: Final = Limits(max_bytes=16 * 1024 * 1024, max_depth=64, max_members=65_536, max_values=100_000)
# The maximum number of progress reports of a turn (project decision; as in the A2A server).
_MAX_PROGRESS: Final = 1_000
# The maximum size of all parts of a reply: as of a task, and of a response of an agent (project decision).
MAX_REPLY_BYTES: Final = MAX_ANSWER
# Maximum length of the agent's text in a problem (project decision).
_MAX_REASON: Final = 1_000
# Added to the size of each part, so that empty ones count too (project decision).
_PART_BYTES: Final = 64


class TurnListener(Protocol):
    """A listener for what a turn reports while it runs."""

    async def progress(self, text: str, *, done: float | None, total: float | None) -> None:
        """Receive a progress report."""

    async def parts(self, parts: Sequence[Part], artifact: Artifact | None) -> None:
        """Receive a piece of the result, with its artifact; None is the turn's own artifact."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a turn.

    Attributes:
        parts: All parts, grouped by artifact, in the order in which the artifacts began. A text that was sent in
            pieces is one part.
        ending: How the turn ended.
        message: The final message.
        thought: The reasoning of the agent, if it reports any (BeeOS seed §5): `thought` in the metadata of the result or,
            one per line, of its artifacts.
        mcp: The result or the error of an MCP server, as a model of mcp; None from other agents.
    """

    parts: tuple[Part, ...]
    ending: Ending = "completed"
    message: str = ""
    thought: str = ""
    mcp: Any = None

    @property
    def text(self) -> str:
        """The reply as text, as an A2A client reads it: the texts, each on a line of its own; or the data as JSON.

        Without any parts, it is the final message (A2A 1.0 §4.1.1).
        """
        texts = [part.value for part in self.parts if part.kind == "text"]
        if self.asks and self.message:
            # The question comes last.
            texts.append(self.message)
        if texts:
            return "\n".join(texts)
        data = [orjson.dumps(part.value).decode() for part in self.parts if part.kind == "data"]
        return "\n".join(data) or ("" if self.parts else self.message)

    @property
    def asks(self) -> bool:
        """Whether the reply is a question."""
        return self.ending in ("input-required", "auth-required")

    @property
    def failure(self) -> Problem | None:
        """The problem of a turn that failed, was cancelled or was rejected; None for any other.

        The agent's own text is in the metadata, apart from the gateway's message.
        """
        if self.ending in ("completed", "input-required", "auth-required"):
            return None
        text = (self.message or self.text)[:_MAX_REASON]
        metadata = {"text": text} if text else {}
        if self.ending == "rejected":
            return Problem(TURN_REJECTED, "the agent rejected the message", metadata)
        return Problem(TURN_FAILED, "the agent reported that the turn failed", metadata)


@dataclass(slots=True)
class _Collector:
    """A `TurnReporter` that collects parts and passes on the reports."""

    listener: TurnListener | None
    held: HeldAnswer | None = None
    # The pieces of each artifact, in the order in which they began; None is the turn's own artifact.
    by_artifact: dict[str | None, list[list[Part]]] = field(
        default_factory=dict[str | None, list[list[Part]]]
    )
    # The reasoning of each artifact that has any.
    thoughts: dict[str, str] = field(default_factory=dict[str, str])
    reported: int = 0
    ended: bool = False
    # The size of all parts that were reported, replaced ones too.
    size: int = 0

    async def progress(
        self, text: str = "", *, done: float | None = None, total: float | None = None
    ) -> None:
        """Report progress; reports after the first thousand are dropped."""
        if self.listener is None or self.ended or self.reported >= _MAX_PROGRESS:
            return
        self.reported += 1
        await self.listener.progress(text, done=done, total=total)

    async def parts(self, parts: Sequence[Part], artifact: Artifact | None = None) -> None:
        """Collect a piece of the result; it is appended to its artifact, or replaces it.

        Raises:
            BadResponse: If it cannot be sent.
        """
        if self.ended:
            return
        sendable = self._taken(parts, artifact)
        if artifact is None or artifact.append:
            self.by_artifact.setdefault(artifact.id if artifact else None, []).append(sendable)
        else:
            self.by_artifact[artifact.id] = [sendable]
        if artifact is not None and (thought := _thought(artifact.metadata)):
            self._count(len(thought.encode()))
            self.thoughts[artifact.id] = thought
        if self.listener is not None:
            await self.listener.parts(sendable, artifact)

    async def left_open(self, *, streamed: bool = False) -> asyncio.Event:  # noqa: ARG002 - as `TurnReporter` has it
        """Do nothing: an invocation returns a reply, and its time limit is that of the response."""
        return asyncio.Event()

    def all_parts(self, last: Sequence[Part]) -> tuple[Part, ...]:
        """Return all parts, with the last ones appended to the turn's own artifact.

        Raises:
            BadResponse: If one of the last parts cannot be sent.
        """
        self.by_artifact.setdefault(None, [])
        final = self._taken(last)
        parts: list[Part] = []
        for artifact, pieces in self.by_artifact.items():
            parts += _joined(pieces)
            parts += final if artifact is None else ()
        return tuple(parts)

    def _taken(self, parts: Sequence[Part], artifact: Artifact | None = None) -> list[Part]:
        """Return parts that can be sent, and count their size."""
        sendable = [_sendable(part) for part in parts]
        sizes = [_PART_BYTES + _size(part) for part in sendable]
        if artifact is not None:
            sizes.append(_PART_BYTES + len(artifact.id))
        for size in sizes:
            self._count(size)
        return sendable

    def _count(self, size: int) -> None:
        self.size += size
        if self.size > MAX_REPLY_BYTES:
            raise BadResponse("", "too-large", f"the response has more than {MAX_REPLY_BYTES:,} bytes")
        if self.held is not None:
            self.held.add(size)


async def reply_of(
    agent_id: str,
    backend: Backend,
    turn: Turn,
    listener: TurnListener | None = None,
    *,
    held: HeldAnswer | None = None,
) -> Reply:
    """Run a turn of a backend, and return its reply, also of a turn that the agent reports as failed.

    A cancellation does not wait until the backend stops.

    Args:
        agent_id: The agent, for the log.
        backend: The backend.
        turn: The turn.
        listener: Receives the reports of the turn.
        held: The memory of the reply; None for no limit but that of one reply.

    Raises:
        HttpError: If the turn is refused, or cannot be executed; with the gateway's own message.
    """
    try:
        await backend.ready()
        await backend.check(turn)
        return await _run(backend, turn, _Collector(listener, held))
    except CardError as error:
        _LOG.info("agent %s: a turn failed: %s", agent_id, error)
        raise HttpError(turn_problem(error)) from error
    except HttpError:
        raise
    except Exception as error:
        # A bug in a backend must end only its own turn.
        _LOG.exception("agent %s: a turn failed", agent_id)
        raise refuse(TURN_FAULT, "the agent failed") from error


async def _run(backend: Backend, turn: Turn, collector: _Collector) -> Reply:
    work = asyncio.create_task(backend.run(turn, collector))
    try:
        # Not awaited directly: a cancellation must not wait for the backend.
        await asyncio.wait({work})
    finally:
        collector.ended = True
        if not work.done():
            work.cancel()
            work.add_done_callback(_retrieve_exception)
    if work.cancelled():
        raise refuse(TURN_FAULT, "the agent cancelled the turn")
    result: Any = work.result()
    if not isinstance(result, TurnResult):
        raise BadResponse("", "not-a-reply", "the backend did not return a TurnResult")
    parts = collector.all_parts(result.parts)
    message = "\n".join(_text(part.value) for part in result.message_parts if part.kind == "text")
    thought = _thought(result.metadata) or "\n".join(collector.thoughts.values())
    return Reply(parts, result.ending, message or _text(result.message), thought, result.mcp)


def _thought(metadata: Mapping[str, Any]) -> str:
    thought = metadata.get("thought")
    return _text(thought) if type(thought) is str else ""


def _joined(pieces: Sequence[Sequence[Part]]) -> list[Part]:
    """Return the parts of an artifact that came in pieces: a text that a piece continues is one text.

    The texts of one piece stay apart: they were sent as parts of their own.
    """
    parts: list[Part] = []
    open_text: list[str] = []
    for piece in pieces:
        continued = bool(piece and parts) and continues(piece[0], parts[-1])
        for index, part in enumerate(piece):
            if index == 0 and continued:
                open_text.append(part.value)
                continue
            _close(parts, open_text)
            parts.append(part)
    _close(parts, open_text)
    return parts


def continues(part: Part, before: Part) -> bool:
    """Whether the first part of a piece continues the last part of the piece before."""
    same = (part.filename, part.media_type) == (before.filename, before.media_type)
    return part.kind == before.kind == "text" and same


def _close(parts: list[Part], open_text: list[str]) -> None:
    # Joined once: a text of many pieces would be copied for each of them.
    if open_text:
        parts[-1] = replace(parts[-1], value="".join((parts[-1].value, *open_text)))
        open_text.clear()


def _retrieve_exception(work: asyncio.Task[TurnResult]) -> None:
    """Retrieve the exception of a task: asyncio logs exceptions that are never retrieved."""
    if not work.cancelled():
        work.exception()


def _sendable(part: Part) -> Part:
    """Return a part that can be sent as JSON.

    Raises:
        BadResponse: If it cannot be sent.
    """
    if part.kind == "raw":
        if type(part.value) is not bytes:
            raise BadResponse("", "not-a-reply", "the content of a part of the kind raw is not bytes")
        return part
    if part.kind != "data":
        return Part(part.kind, _text(part.value), part.filename, part.media_type)
    try:
        return Part("data", checked_copy(part.value, _LIMITS), part.filename, part.media_type)
    except MalformedDocument:
        raise BadResponse(
            "", "not-a-reply", "a part of the kind data has content that cannot be sent"
        ) from None


def _size(part: Part) -> int:
    """Return the size of a part that can be sent, in bytes."""
    if part.kind == "data":
        return len(json.dumps(part.value))
    return len(part.value) if part.kind == "raw" else len(part.value.encode())


def _text(value: Any) -> str:
    try:
        if type(value) is str:
            value.encode()
            return value
    except UnicodeEncodeError:
        pass
    raise BadResponse("", "not-a-reply", "a text has characters that cannot be sent")
