"""`deliver`: select and schedule the parts of an envelope for one receiver."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any, Final, Self

from cardwright.errors import BadArgument
from cardwright.registries import PartTypeRegistry, TransportRegistry
from cardwright_beach.delivery.artifacts import resolved
from cardwright_beach.delivery.catalogues import NO_CATALOGUE, OTHER_CATALOGUE, SurfaceFilter
from cardwright_beach.delivery.held_parts import HeldParts
from cardwright_beach.delivery.outcomes import Explanation, Outcomes
from cardwright_beach.delivery.receiver import Transport, receiver_of
from cardwright_beach.delivery.rules import DeliveryDecision, decide, rule_of
from cardwright_beach.errors import TranslationFailed
from cardwright_beach.events import PartEvent, Settlement
from cardwright_beach.turn import error_part
from cardwright_beach.wire import to_wire

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright_beach.artifacts import ArtifactStore
    from cardwright_beach.delivery.receiver import Receiver
    from cardwright_beach.parts import Part
    from cardwright_beach.stream import AgentResponseEnvelope

_UNAVAILABLE: Final = "it has no URL, and its bytes are missing or too large"
_REPLACED: Final = "replaced by a later part"
_NOTHING_LEFT: Final = "cancelled out by later parts"


async def deliver(
    envelope: AgentResponseEnvelope,
    *,
    to: Card | Transport,
    registry: PartTypeRegistry | None = None,
    over: Transport | None = None,
    language: str | None = None,
    artifacts: ArtifactStore | None = None,
    transports: TransportRegistry | None = None,
) -> Delivery:
    """Return the parts of an envelope for one receiver; the application sends them.

    Call it for every receiver before reading the first part. A streaming receiver gets parts as they arrive. A
    buffered receiver gets urgent parts immediately and the rest when the turn settles as `complete`; after another
    settlement, `Delivery.held()` returns the held parts.

    Source: Beach protocol seed, Delivery rules per transport class; Envelope assembly, step 4.

    Args:
        envelope: The envelope.
        to: A peer's card, or a channel of the application.
        registry: The part types with their delivery rules; default: those of the envelope.
        over: Overrides the transport of a peer's card; only with a card.
        language: Overrides the `llm-context` language of the card.
        artifacts: The store of referenced artifacts.
        transports: Known transports; default: the canonical core.

    Raises:
        BadArgument: If `to` is neither a card nor a transport, or the registry lacks a type of the envelope.
        BadName: If the transport is not registered.
        EnvelopeSpent: If the stream of the envelope has started.
    """
    known = TransportRegistry.canonical() if transports is None else transports
    receiver = receiver_of(to, known, over=over, language=language)
    types = envelope.registry if registry is None else registry
    missing = [name for name in envelope.registry if name not in types]
    if missing:
        raise BadArgument(
            "registry", f"lacks the part types {', '.join(missing)}; use the registry of the envelope"
        )
    return Delivery(envelope, receiver, types, artifacts)


class Delivery:
    """Parts for one receiver: an async iterator; `explain` gives the reason for every part.

    Cancelling a task that waits for the next part loses no part.

    Attributes:
        receiver: The receiver.
    """

    def __init__(
        self,
        envelope: AgentResponseEnvelope,
        receiver: Receiver,
        registry: PartTypeRegistry,
        artifacts: ArtifactStore | None,
    ) -> None:
        self.receiver = receiver
        self._envelope = envelope
        self._registry = registry
        self._artifacts = artifacts
        self._decisions: dict[str, DeliveryDecision] = {}
        self._held: dict[str, HeldParts] = {}
        self._surfaces = SurfaceFilter(receiver)
        self._outcomes = Outcomes()
        self._settlement: Settlement | None = None
        self._ready: deque[Part] = deque()
        self._working: asyncio.Task[list[Part]] | None = None
        self._ended = False
        self._reader = envelope.follow(
            surfaces=self._takes("a2ui-surface") and not self._surfaces.refuses_all,
            context=self._takes("llm-context"),
        )

    def __aiter__(self) -> Self:
        """Return itself; a delivery can be read once."""
        return self

    async def __anext__(self) -> Part:
        """Return the next part to send."""
        while not self._ready:
            if self._working is not None:
                await self._collect(self._working)
            elif self._ended:
                raise StopAsyncIteration
            else:
                await self._take()
        return self._ready.popleft()

    async def aclose(self) -> None:
        """Stop this delivery; other receivers are not affected."""
        self._end()
        self._ready.clear()
        if self._working is not None:
            self._working.cancel()

    @property
    def settlement(self) -> Settlement | None:
        """The settlement marker, or None before the turn settles; later parts belong to the settled message."""
        return self._settlement

    @property
    def meta(self) -> dict[str, Any]:
        """The `meta` of an envelope with the parts sent so far."""
        return self._envelope.meta() if self._settlement is None else dict(self._settlement.meta)

    def explain(self) -> list[Explanation]:
        """Return the outcome of every part so far, with the reason."""
        return self._outcomes.explained()

    def held(self) -> list[Part]:
        """Return the parts held until the turn is complete; after another settlement, the unsent parts."""
        return [part for name in self._registry if name in self._held for part, _ in self._held[name].parts()]

    async def document(self) -> dict[str, Any]:
        """Return all remaining parts as one envelope in wire form.

        For a buffered receiver the parts are sorted by type (in registry order), then by slot, so that the result
        does not depend on the order of arrival across slots.
        """
        parts = [part async for part in self]
        if self.receiver.delivery_class == "buffered":
            order = {name: place for place, name in enumerate(self._registry)}
            # Surfaces are already in order: slots that create a surface come first.
            parts.sort(
                key=lambda part: (
                    order[part.type],
                    "" if part.type == "a2ui-surface" else part.slot_key or "",
                )
            )
        return to_wire(parts, self.meta)

    async def _take(self) -> None:
        """Process one event; slow work runs in a task that survives cancellation of the reader."""
        event = await anext(self._reader, None)
        if event is None:
            self._end()
        elif isinstance(event, PartEvent):
            self._process(event.part)
        else:
            self._settlement = event
            self._end()
            if event.state == "complete":
                self._working = asyncio.create_task(self._settled())
            else:
                reason = f"the turn settled as {event.state}, not as complete"
                for held_parts in self._held.values():
                    self._outcomes.amend(held_parts.indices(), "held", reason)

    async def _collect(self, working: asyncio.Task[list[Part]]) -> None:
        await asyncio.wait([working])
        if self._working is working:
            self._working = None
            if not working.cancelled():
                self._ready.extend(working.result())

    def _end(self) -> None:
        self._ended = True
        self._reader.close()

    def _process(self, part: Part) -> None:
        """Send, hold or drop one part."""
        decision = self._decision(part.type)
        if decision.action == "drop":
            self._outcomes.note(part.type, "dropped", decision.reason)
            return
        if refusal := self._refusal(part, decision):
            self._outcomes.note(part.type, "held", refusal)
        elif decision.action != "now":
            index = self._outcomes.note(part.type, "held", decision.reason)
            held_parts = self._held.setdefault(part.type, HeldParts(decision.action))
            self._outcomes.amend(held_parts.add(part, index), "dropped", _REPLACED)
        else:
            index = self._outcomes.note(part.type, "sent", decision.reason)
            if self._is_reference(part):
                self._working = asyncio.create_task(self._fetched(part, (index,)))
            else:
                self._ready.append(part)

    async def _settled(self) -> list[Part]:
        """Return the held parts, in the order of the registry."""
        outgoing: list[Part] = []
        for name in self._registry:
            if name in self._held:
                held_parts = self._held.pop(name)
                self._outcomes.amend(held_parts.indices(), "dropped", _NOTHING_LEFT)
                held = list(held_parts.parts())
                for part, indices in self._surfaces.settled(held) if name == "a2ui-surface" else held:
                    if part is None:
                        self._outcomes.amend(indices, "held", OTHER_CATALOGUE)
                        continue
                    self._outcomes.amend(indices, "sent", self._decision(name).reason)
                    outgoing += await self._fetched(part, indices) if self._is_reference(part) else [part]
            elif name == "llm-context":
                outgoing += await self._context()
        return outgoing

    def _refusal(self, part: Part, decision: DeliveryDecision) -> str:
        """Return why a surface is not sent, "" if it is; held surfaces are checked when the turn settles."""
        if part.type != "a2ui-surface":
            return ""
        if self._surfaces.refuses_all:
            return NO_CATALOGUE
        return self._surfaces.refusal(part) if decision.action == "now" else ""

    def _is_reference(self, part: Part) -> bool:
        """Return whether a part refers to an artifact and must be resolved to a URL or bytes."""
        if part.content != "data":
            return False
        return part.type == "artifact" or self._registry[part.type].a2a_kind == "file"

    async def _fetched(self, part: Part, indices: Any) -> list[Part]:
        """Return an artifact with its URL or bytes; an error part if neither is available."""
        by_url = rule_of(self._registry[part.type], self.receiver) != "attach"
        resolved_part = await resolved(part, self._artifacts, by_url=by_url)
        if resolved_part is not None:
            return [resolved_part]
        self._outcomes.amend(indices, "dropped", _UNAVAILABLE)
        error = error_part(f"an artifact is missing: {_UNAVAILABLE}", "envelope/artifact")
        if not self._takes("error"):
            return []
        self._outcomes.note_created("error", "sent", "reports a missing artifact")
        return [error]

    async def _context(self) -> list[Part]:
        """Return the `llm-context` part, if this receiver takes one."""
        decision = self._decision("llm-context")
        if decision.action == "drop":
            if self._envelope.translates:
                self._outcomes.note_created("llm-context", "dropped", decision.reason)
            return []
        try:
            context = await self._envelope.llm_context(self.receiver.language)
        except TranslationFailed as error:
            self._outcomes.note_created("llm-context", "dropped", str(error))
            return []
        self._outcomes.note_created("llm-context", "sent", decision.reason)
        return [context]

    def _takes(self, part_type: str) -> bool:
        return self._decision(part_type).action != "drop"

    def _decision(self, part_type: str) -> DeliveryDecision:
        decision = self._decisions.get(part_type)
        if decision is None:
            decision = self._decisions[part_type] = decide(self._registry[part_type], self.receiver)
        return decision
