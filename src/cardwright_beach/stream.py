"""Envelope stream of one turn, which several receivers may follow."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Self

from cardwright.dates import rfc3339
from cardwright.errors import BadArgument
from cardwright_beach.errors import EnvelopeSpent, TranslationFailed
from cardwright_beach.events import EnvelopeEvent, PartEvent, Settlement
from cardwright_beach.parts import Part
from cardwright_beach.sizes import deep_copy
from cardwright_beach.translation import TranslationRequest
from cardwright_beach.turn import FAILED, RESPONDED, error_part
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from datetime import datetime

    from cardwright.registries import ConversationStateRegistry, PartTypeRegistry
    from cardwright_beach.context import Contexts
    from cardwright_beach.turn import Turn


class AgentResponseEnvelope:
    """Envelope of one agent turn: an async iterator of parts that ends with the settlement marker.

    Several receivers may follow it, each at its own pace; events are kept until the slowest has read them. An
    envelope built from a sequence of parts keeps all events and can be read again. Created by `build_envelope`.

    Source: Beach protocol seed, Concern; Delivery rules per transport class.

    Attributes:
        session_id: The session of the conversation.
        event_id: The event id of the handler's invocation.
        originator_id: The participant whose request the turn responds to.
    """

    def __init__(  # noqa: PLR0913 - only called by `build_envelope`, by keyword
        self,
        turn: Turn,
        *,
        session_id: str,
        event_id: str,
        originator_id: str,
        settles_as: Callable[[], str],
        states: ConversationStateRegistry,
        contexts: Contexts,
        clock: Callable[[], datetime],
        again: bool,
    ) -> None:
        self.session_id = session_id
        self.event_id = event_id
        self.originator_id = originator_id
        self._turn = turn
        turn.meta = self.meta
        self._settles_as = settles_as
        self._states = states
        self._contexts = contexts
        self._clock = clock
        self._again = again
        self._parts: AsyncGenerator[Part] = turn.parts_and_errors()
        self._tail = _Node()
        self._first: _Node | None = self._tail
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pulling: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._closed = False
        self._count = 0
        self._settlement: Settlement | None = None

    def __aiter__(self) -> EnvelopeReader:
        """Return a reader that begins with the first part and receives surfaces.

        Raises:
            EnvelopeSpent: If the stream has started and cannot be read again.
        """
        return self.follow(surfaces=True)

    def follow(self, *, surfaces: bool = False, context: bool = False) -> EnvelopeReader:
        """Return a reader that begins with the first part.

        Args:
            surfaces: Whether the reader needs surfaces; they are rendered only if one does.
            context: Whether the reader needs `llm_context`; response text is collected only if one does.

        Raises:
            EnvelopeSpent: If the stream has started and cannot be read again.
        """
        if self._first is None:
            raise EnvelopeSpent(self.event_id)
        self._turn.renders |= surfaces
        self._turn.keeps_text |= context and self.translates
        return EnvelopeReader(self, self._first)

    async def __aenter__(self) -> Self:
        """Return the envelope; leaving the context closes it."""
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Stop the handler; parts so far are kept.

        A handler that calls this is stopped at its next part.
        """
        self._closed = True
        if asyncio.current_task() is self._pulling:
            return
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.wait([self._closing])

    async def _close(self) -> None:
        running = (self._pulling, *self._contexts.tasks)
        tasks: list[asyncio.Task[Any]] = [task for task in running if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._parts.aclose()

    @property
    def closed(self) -> bool:
        """Whether the envelope was closed, so that no more events follow."""
        return self._closed

    @property
    def state(self) -> str:
        """State of the turn: `suspended` while an approval is pending, else `awaiting` until it settles."""
        if self._settlement is not None:
            return self._settlement.state
        return "suspended" if self._turn.waiting else "awaiting"

    @property
    def settlement(self) -> Settlement | None:
        """The settlement marker, or None before the turn settles."""
        return self._settlement

    @property
    def translates(self) -> bool:
        """Whether the envelope has a translator for `llm-context`."""
        return self._contexts.translator is not None

    @property
    def failure(self) -> BaseException | None:
        """The exception of the handler, or None. The envelope itself contains only the exception type."""
        return self._turn.failure

    @property
    def audit_failure(self) -> BaseException | None:
        """The exception of the audit sink, or None if every record was written."""
        return self._turn.audit_failure

    @property
    def domain(self) -> dict[str, Any]:
        """A copy of the domain data so far, by slot key; data without a slot has the key ""."""
        values: dict[str, Any] = deep_copy(self._turn.slots.values())
        return values

    @property
    def registry(self) -> PartTypeRegistry:
        """The known part types."""
        return self._turn.registry

    def meta(self) -> dict[str, Any]:
        """Return the `meta` of an envelope with the parts so far."""
        if self._settlement is not None:
            return dict(self._settlement.meta)
        return self._meta(self.state)

    def resume(self, response: Part) -> None:
        """Accept the response to an approval request of this turn, which is then no longer suspended by it.

        Check the response with `Approvals.receive` first. A handler may also yield the response as a part.

        Raises:
            BadPart: If the part is not valid.
            BadArgument: If it is another part type, the turn has settled, or no request with its id is pending.
        """
        part = Part.of(response)
        if part.type != "approval-response":
            raise BadArgument("response", "must be an approval-response part")
        if self._settlement is not None:
            raise BadArgument(
                "response", "the turn has already settled; build a new envelope for the next turn"
            )
        if not self._turn.answered(part):
            raise BadArgument("response", "no approval request of this turn with this id is pending")

    async def llm_context(self, language: str | None = None) -> Part:
        """Return the `llm-context` part of the settled turn; the translator runs once per language.

        Source: Beach protocol seed, Delivery rules per transport class; Envelope assembly, step 2.

        The translator gets the response text since a reader requested it (`follow(context=True)`, as `deliver` does).

        Args:
            language: The output language as a BCP 47 tag; default: the choice of the translator.

        Raises:
            TranslationFailed: If there is no translator, the turn has not settled, or the translator failed.
        """
        if self._settlement is None:
            raise TranslationFailed("unsettled", "the turn has not settled")

        def request() -> TranslationRequest:
            return TranslationRequest(
                response=self._turn.response_text,
                data=self.domain,
                language=language,
                session_id=self.session_id,
                event_id=self.event_id,
            )

        return await self._contexts.part(language, request)

    async def pull(self) -> None:
        """Produce the next event in a task that all readers share; cancelling a reader does not cancel it.

        Raises:
            BadArgument: If the envelope is used in another event loop.
        """
        loop = asyncio.get_running_loop()
        if self._loop not in (None, loop):
            raise BadArgument("envelope", "is used in another event loop; build one envelope per event loop")
        self._loop = loop
        pulling = self._pulling
        if pulling is None or pulling.done():
            pulling = self._pulling = asyncio.create_task(self._advance())
        # `wait` does not cancel the task when the reader is cancelled.
        await asyncio.wait([pulling])
        if not pulling.cancelled():
            pulling.result()

    async def _advance(self) -> None:
        if not self._again:
            self._first = None
        part = await anext(self._parts, None)
        if part is None:
            part, state = self._settling_state()
            if part is not None:
                self._append(PartEvent(self._count, part))
            finalized_by = RESPONDED if self.failure is None else FAILED
            self._settlement = Settlement({**self._meta(state), "finalizedBy": finalized_by})
            self._append(self._settlement)
            return
        self._append(PartEvent(self._count, part))

    def _append(self, event: EnvelopeEvent) -> None:
        self._count += 1
        self._tail.event = event
        self._tail.next = self._tail = _Node()

    def _settling_state(self) -> tuple[Part | None, str]:
        """Return the final state of the turn, with an error part if the application gave no valid state."""
        if self.failure is not None:
            return None, "error"
        try:
            state = self._settles_as()
        except Exception as error:  # noqa: BLE001 - application code
            self._turn.failure = error
            return error_part(f"the handler failed: {type(error).__name__}", "envelope/handler"), "error"
        if not isinstance(state, str) or state not in self._states:
            message = f"unknown conversation state {quote(state)}; expected one of {', '.join(self._states)}"
            return error_part(message, "envelope/conversation-state"), "error"
        # A turn with a pending approval is not complete.
        return None, "suspended" if state == "complete" and self._turn.waiting else state

    def _meta(self, state: str) -> dict[str, Any]:
        return {
            "sessionId": self.session_id,
            "eventId": self.event_id,
            "originatorId": self.originator_id,
            "conversationState": state,
            "timestamp": rfc3339(self._clock()),
        }


class _Node:
    """Node of the linked list of events; the last node has no event yet."""

    __slots__ = ("event", "next")

    def __init__(self) -> None:
        self.event: EnvelopeEvent | None = None
        self.next: _Node | None = None


class EnvelopeReader:
    """Position of one receiver in an envelope: an async iterator of events."""

    def __init__(self, envelope: AgentResponseEnvelope, node: _Node) -> None:
        self._envelope = envelope
        self._node: _Node | None = node

    def __aiter__(self) -> Self:
        """Return itself."""
        return self

    def close(self) -> None:
        """Stop reading, so that no events are kept for this reader."""
        self._node = None

    async def __anext__(self) -> EnvelopeEvent:
        """Return the next part; the last event is the settlement marker."""
        node = self._node
        if node is None:
            raise StopAsyncIteration
        while node.event is None:
            if self._envelope.closed:
                raise StopAsyncIteration
            await self._envelope.pull()
            if self._node is None:
                raise StopAsyncIteration
        self._node = None if isinstance(node.event, Settlement) else node.next
        return node.event
