"""One turn of a backend from its beginning to its end, and the reply that is read out of it."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

import orjson

from cardwright.canonical import Limits, copied
from cardwright.discovery.calling.parts import Part
from cardwright.errors import BadAnswer, CardError, MalformedDocument
from cardwright.http.problem import HttpError, refuse
from cardwright_gateway.a2a.problems import TURN_FAILED, TURN_FAULT, TURN_REJECTED, turn_problem
from cardwright_gateway.backends.backend import TurnResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright_gateway.backends.backend import Artifact, Backend, Ending, Turn

_LOG: Final = logging.getLogger("cardwright_gateway")
# As much as a bridge passes on of one agent's answer (ours).
_LIMITS: Final = Limits(max_bytes=16 * 1024 * 1024, max_depth=64, max_members=65_536)
# More of it nobody waits for (ours; as a bridge has it).
_MOST_PROGRESS: Final = 1_000


class ProgressListener(Protocol):
    """Hears how far a turn is."""

    async def __call__(self, text: str, *, done: float | None, total: float | None) -> None:
        """Hear it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply that a turn ended with.

    Attributes:
        parts: All parts, by artifact, in the order in which these were begun.
        ending: How it ended.
        message: The message of the end.
        metadata: What goes with it.
    """

    parts: tuple[Part, ...]
    ending: Ending = "completed"
    message: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def text(self) -> str:
        """The reply as a client of A2A reads it: the texts, a line each; without any, the data as JSON.

        Where there are no parts at all, what is said of the end is all that there is (A2A 1.0 §4.1.1).
        """
        texts = [part.value for part in self.parts if part.kind == "text"]
        if self.asks and self.message:
            # Whoever is asked something is asked it last.
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
    def thought(self) -> str | None:
        """How the agent came to it, where it tells (BeeOS seed §5)."""
        thought = self.metadata.get("thought")
        return thought if type(thought) is str and thought else None


@dataclass(slots=True)
class _Gatherer:
    """A `TurnReporter` that gathers parts, and passes on the progress."""

    listener: ProgressListener | None
    # By artifact, in the order in which they were begun; None is the turn's own.
    gathered: dict[str | None, list[Part]] = field(default_factory=dict[str | None, list[Part]])
    reported: int = 0
    ended: bool = False

    async def progress(
        self, text: str = "", *, done: float | None = None, total: float | None = None
    ) -> None:
        """Tell how far it is; what is told past the first thousand is dropped."""
        if self.listener is None or self.ended or self.reported >= _MOST_PROGRESS:
            return
        self.reported += 1
        await self.listener(text, done=done, total=total)

    async def parts(self, parts: Sequence[Part], artifact: Artifact | None = None) -> None:
        """Tell a piece of the result; one of an artifact may stand in the place of what was told of it.

        Raises:
            BadAnswer: If it holds what cannot be sent.
        """
        if self.ended:
            return
        sendable = [_sendable(part) for part in parts]
        if artifact is None or artifact.append:
            self.gathered.setdefault(artifact.id if artifact else None, []).extend(sendable)
        else:
            self.gathered[artifact.id] = sendable

    def whole(self, last: Sequence[Part]) -> tuple[Part, ...]:
        """Return all parts, those that the turn ends with appended to its own artifact.

        Raises:
            BadAnswer: If one of these holds what cannot be sent.
        """
        self.gathered.setdefault(None, []).extend(map(_sendable, last))
        return tuple(part for pieces in self.gathered.values() for part in pieces)


async def reply_of(
    agent_id: str, backend: Backend, turn: Turn, listener: ProgressListener | None = None
) -> Reply:
    """Have a backend answer a turn, and return what came of it.

    A cancellation does not wait until the backend lets go of the turn.

    Args:
        agent_id: The agent, for the log.
        backend: What answers.
        turn: The turn.
        listener: Hears the progress.

    Raises:
        HttpError: If the turn cannot be answered, or failed; in words of ours.
    """
    try:
        await backend.ready()
        await backend.check(turn)
        reply = await _run(backend, turn, listener)
    except CardError as error:
        _LOG.info("agent %s: a turn failed: %s", agent_id, error)
        raise HttpError(turn_problem(error)) from error
    except HttpError:
        raise
    except Exception as error:
        # A bug of whoever wrote the backend ends its own turn, and nothing else.
        _LOG.exception("agent %s: a turn failed", agent_id)
        raise refuse(TURN_FAULT, "the agent failed") from error
    if reply.ending in ("failed", "canceled"):
        raise refuse(TURN_FAILED, "the agent says that it failed")
    if reply.ending == "rejected":
        raise refuse(TURN_REJECTED, "the agent will not answer this")
    return reply


async def _run(backend: Backend, turn: Turn, listener: ProgressListener | None) -> Reply:
    gatherer = _Gatherer(listener)
    work = asyncio.create_task(backend.run(turn, gatherer))
    try:
        # Waited for, not awaited: a backend that does not let go holds nobody up.
        await asyncio.wait({work})
    finally:
        gatherer.ended = True
        if not work.done():
            work.cancel()
            work.add_done_callback(_seen)
    if work.cancelled():
        raise refuse(TURN_FAULT, "the agent gave up")
    outcome: Any = work.result()
    if not isinstance(outcome, TurnResult):
        raise BadAnswer("", "not-a-reply", "a turn ended without an outcome")
    parts = gatherer.whole(outcome.parts)
    message = "\n".join(_text(part.value) for part in outcome.said if part.kind == "text")
    return Reply(parts, outcome.ending, message or _text(outcome.message), outcome.metadata)


def _seen(work: asyncio.Task[TurnResult]) -> None:
    """Look at how a turn ended that nobody waits for: it would be reported as forgotten."""
    if not work.cancelled():
        work.exception()


def _sendable(part: Part) -> Part:
    """Return a part that JSON can hold.

    Raises:
        BadAnswer: If it cannot.
    """
    if part.kind == "raw":
        if type(part.value) is not bytes:
            raise BadAnswer("", "not-a-reply", "a part of the kind raw holds no bytes")
        return part
    if part.kind != "data":
        return Part(part.kind, _text(part.value), part.filename, part.media_type)
    try:
        return Part("data", copied(part.value, _LIMITS), part.filename, part.media_type)
    except MalformedDocument:
        raise BadAnswer("", "not-a-reply", "a part of the kind data holds what cannot be sent") from None


def _text(value: Any) -> str:
    try:
        if type(value) is str:
            value.encode()
            return value
    except UnicodeEncodeError:
        pass
    raise BadAnswer("", "not-a-reply", "a text holds what cannot be sent")
