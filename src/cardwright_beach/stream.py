"""The envelope of one turn, while the turn goes on: a stream of parts that several receivers may follow."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Self

from cardwright.dates import rfc3339
from cardwright.errors import BadArgument
from cardwright_beach.errors import EnvelopeSpent, TranslationFailed
from cardwright_beach.events import EnvelopeEvent, PartEvent, Settlement
from cardwright_beach.parts import Part
from cardwright_beach.sizes import own
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
    """What one turn of an agent answers, as an async iterator of parts that ends with the settlement marker.

    Several receivers may follow it, each at its own pace: what the slowest has not taken is kept, and
    nothing else, but for an envelope of parts that were all there at the start: it can be read again.
    `build_envelope` makes it.

    Source: Beach protocol seed, Concern; Delivery rules per transport class.

    Attributes:
        session_id: The session of the conversation.
        event_id: The event of the handler's invocation.
        originator_id: Who the turn answers.
    """

    def __init__(  # noqa: PLR0913 - `build_envelope` alone calls it, by name
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
        self._told: AsyncGenerator[Part] = turn.told()
        self._tail = _Node()
        self._first: _Node | None = self._tail
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pulling: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._closed = False
        self._count = 0
        self._settlement: Settlement | None = None

    def __aiter__(self) -> EnvelopeReader:
        """Return a reader that begins with the first part, and gets surfaces.

        Raises:
            EnvelopeSpent: If the stream flows already, and its first parts are gone.
        """
        return self.follow(surfaces=True)

    def follow(self, *, surfaces: bool = False, context: bool = False) -> EnvelopeReader:
        """Return a reader that begins with the first part; what nobody takes is not made.

        Args:
            surfaces: Whether it takes surfaces.
            context: Whether it may ask for `llm_context`.

        Raises:
            EnvelopeSpent: If the stream flows already, and its first parts are gone.
        """
        if self._first is None:
            raise EnvelopeSpent(self.event_id)
        self._turn.renders |= surfaces
        self._turn.keeps_said |= context and self.translates
        return EnvelopeReader(self, self._first)

    async def __aenter__(self) -> Self:
        """Return the envelope; it is closed at the end."""
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Stop the handler, where nobody waits for the rest; what has come stays.

        A handler that calls it stops itself when it next says something.
        """
        self._closed = True
        if asyncio.current_task() is self._pulling:
            return
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.wait([self._closing])

    async def _close(self) -> None:
        going = (self._pulling, *self._contexts.tasks)
        tasks: list[asyncio.Task[Any]] = [task for task in going if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._told.aclose()

    @property
    def closed(self) -> bool:
        """Whether it was closed, so that nothing more comes."""
        return self._closed

    @property
    def state(self) -> str:
        """Where the turn stands: `suspended` while an approval is waited for, `awaiting` until it settles."""
        if self._settlement is not None:
            return self._settlement.state
        return "suspended" if self._turn.waiting else "awaiting"

    @property
    def settlement(self) -> Settlement | None:
        """The settlement marker, or None while more may come."""
        return self._settlement

    @property
    def translates(self) -> bool:
        """Whether a translator was given, so that there may be an `llm-context` part."""
        return self._contexts.translator is not None

    @property
    def failure(self) -> BaseException | None:
        """What the handler broke off with; None where it did not. The envelope says only of which kind it is."""
        return self._turn.failure

    @property
    def audit_failure(self) -> BaseException | None:
        """What the audit sink could not keep something for; None where it kept all."""
        return self._turn.audit_failure

    @property
    def domain(self) -> dict[str, Any]:
        """A copy of the domain data so far, by slot key; what has no slot stands at ""."""
        values: dict[str, Any] = own(self._turn.slots.values())
        return values

    @property
    def registry(self) -> PartTypeRegistry:
        """The part types that its parts are of."""
        return self._turn.registry

    def meta(self) -> dict[str, Any]:
        """Return the `meta` of an envelope that holds what has come so far."""
        if self._settlement is not None:
            return dict(self._settlement.meta)
        return self._meta(self.state)

    def resume(self, response: Part) -> None:
        """Take in the answer to an approval request of this turn: it is not suspended by that any more.

        Whether the answer may be believed is for `Approvals.receive` to say. A handler may as well yield it.

        Raises:
            BadPart: If it is no part that its schema allows.
            BadArgument: If it is another part, the turn has settled, or nothing waits under its id.
        """
        part = Part.of(response)
        if part.type != "approval-response":
            raise BadArgument("response", "a turn is resumed by an approval-response")
        if self._settlement is not None:
            raise BadArgument("response", "the turn has settled; what follows is a turn of its own")
        if not self._turn.answered(part):
            raise BadArgument("response", "no approval of this turn waits under that id")

    async def llm_context(self, language: str | None = None) -> Part:
        """Return the `llm-context` part of the settled turn, made once for each language.

        Source: Beach protocol seed, Delivery rules per transport class; Envelope assembly, step 2.

        Of what the agent said it knows what came after a reader asked for it (`follow`, as `deliver` does).

        Args:
            language: What it is written in, as a BCP 47 tag; left to the translator where not given.

        Raises:
            TranslationFailed: If there is no translator, the turn has not settled, or the translator failed.
        """
        if self._settlement is None:
            raise TranslationFailed("unsettled", "the turn has not settled")

        def request() -> TranslationRequest:
            return TranslationRequest(
                response=self._turn.said,
                data=self.domain,
                language=language,
                session_id=self.session_id,
                event_id=self.event_id,
            )

        return await self._contexts.part(language, request)

    async def pull(self) -> None:
        """Let the next event come; only one is asked for at a time, and a reader that goes away stops nobody.

        Raises:
            BadArgument: If it flows in another event loop.
        """
        loop = asyncio.get_running_loop()
        if self._loop not in (None, loop):
            raise BadArgument("envelope", "it flows in another event loop: build one for each")
        self._loop = loop
        pulling = self._pulling
        if pulling is None or pulling.done():
            pulling = self._pulling = asyncio.create_task(self._advance())
        # `wait` leaves it running when the reader is cancelled, and raises nothing of its own.
        await asyncio.wait([pulling])
        if not pulling.cancelled():
            pulling.result()

    async def _advance(self) -> None:
        if not self._again:
            self._first = None
        part = await anext(self._told, None)
        if part is None:
            part, state = self._settling_state()
            if part is not None:
                self._append(PartEvent(self._count, part))
            by = RESPONDED if self.failure is None else FAILED
            self._settlement = Settlement({**self._meta(state), "finalizedBy": by})
            self._append(self._settlement)
            return
        self._append(PartEvent(self._count, part))

    def _append(self, event: EnvelopeEvent) -> None:
        self._count += 1
        self._tail.event = event
        self._tail.next = self._tail = _Node()

    def _settling_state(self) -> tuple[Part | None, str]:
        """Return the state in which the turn settles, and an error part where it says none that there is."""
        if self.failure is not None:
            return None, "error"
        try:
            state = self._settles_as()
        except Exception as error:  # noqa: BLE001 - it is the handler's
            self._turn.failure = error
            return error_part(f"the handler broke off: {type(error).__name__}", "envelope/handler"), "error"
        if not isinstance(state, str) or state not in self._states:
            told = (
                f"the turn ends in {quote(state)}, which is no conversation state: {', '.join(self._states)}"
            )
            return error_part(told, "envelope/conversation-state"), "error"
        # Nothing is complete that waits for a person's decision.
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
    """One place in the stream; the last is empty until its event comes."""

    __slots__ = ("event", "next")

    def __init__(self) -> None:
        self.event: EnvelopeEvent | None = None
        self.next: _Node | None = None


class EnvelopeReader:
    """One receiver's place in an envelope: an async iterator of its events."""

    def __init__(self, envelope: AgentResponseEnvelope, node: _Node) -> None:
        self._envelope = envelope
        self._node: _Node | None = node

    def __aiter__(self) -> Self:
        """Return itself."""
        return self

    def close(self) -> None:
        """Take no more events, so that none is kept for it."""
        self._node = None

    async def __anext__(self) -> EnvelopeEvent:
        """Return the next part, or at last the settlement marker."""
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
