"""`deliver`: the parts of an envelope that one receiver gets, when, and why."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any, Final, Self

from cardwright.errors import BadArgument
from cardwright.registries import PartTypeRegistry, TransportRegistry
from cardwright_beach.delivery.artifacts import carried
from cardwright_beach.delivery.catalogues import ANOTHER, NOT_RENDERED, SurfaceFilter
from cardwright_beach.delivery.held import Pile
from cardwright_beach.delivery.ledger import Explanation, Ledger
from cardwright_beach.delivery.receiver import Transport, receiver_of
from cardwright_beach.delivery.rules import Verdict, rule_of, verdict
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

_NOT_HAD: Final = "it can be had neither by a URL nor as bytes that a message holds"
_REPLACED: Final = "a later part took its place"
_NOTHING_LEFT: Final = "nothing is left of it that could go out"


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
    """Return the parts of an envelope that one receiver gets; it opens no connection, sending is the caller's.

    Call it for every receiver before the first part is taken. A streaming receiver gets parts as they come;
    a buffered one gets what must not wait at once, and the rest when the turn settles as `complete`. What a
    turn that settles otherwise held back is `Delivery.held()`.

    Source: Beach protocol seed, Delivery rules per transport class; Envelope assembly, step 4.

    Args:
        envelope: The envelope.
        to: A peer's card, or a channel that the application runs.
        registry: The part types and their rules; those that the envelope was built with where not given.
        over: How a peer is reached, where that is known better than its card says; only with a card.
        language: The language that the receiver asks `llm-context` in, whatever its card says.
        artifacts: Who holds the bytes of artifacts that are referred to.
        transports: The transports that are known; the canonical core where not given.

    Raises:
        BadArgument: If `to` is neither a card nor a transport, or the registry lacks a type of the envelope's.
        BadName: If the transport is not registered.
        EnvelopeSpent: If the envelope flows already.
    """
    known = TransportRegistry.canonical() if transports is None else transports
    receiver = receiver_of(to, known, over=over, language=language)
    types = envelope.registry if registry is None else registry
    missing = [name for name in envelope.registry if name not in types]
    if missing:
        raise BadArgument("registry", f"it does not know {', '.join(missing)}: give the one of the envelope")
    return Delivery(envelope, receiver, types, artifacts)


class Delivery:
    """The parts that one receiver gets: an async iterator, of which `explain` says why they are these.

    Who waits for the next part may be cancelled and wait again: nothing is lost.

    Attributes:
        receiver: What the rules were asked of.
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
        self._verdicts: dict[str, Verdict] = {}
        self._piles: dict[str, Pile] = {}
        self._surfaces = SurfaceFilter(receiver)
        self._ledger = Ledger()
        self._settlement: Settlement | None = None
        self._ready: deque[Part] = deque()
        self._working: asyncio.Task[list[Part]] | None = None
        self._ended = False
        self._reader = envelope.follow(
            surfaces=self._takes("a2ui-surface") and not self._surfaces.refuses_all,
            context=self._takes("llm-context"),
        )

    def __aiter__(self) -> Self:
        """Return itself: a delivery is made once."""
        return self

    async def __anext__(self) -> Part:
        """Return the next part to send."""
        while not self._ready:
            if self._working is not None:
                await self._worked(self._working)
            elif self._ended:
                raise StopAsyncIteration
            else:
                await self._take()
        return self._ready.popleft()

    async def aclose(self) -> None:
        """Take no more parts; other receivers go on."""
        self._end()
        self._ready.clear()
        if self._working is not None:
            self._working.cancel()

    @property
    def settlement(self) -> Settlement | None:
        """The settlement marker, once it was met: the parts that follow belong to the settled message."""
        return self._settlement

    @property
    def meta(self) -> dict[str, Any]:
        """The `meta` of an envelope on the wire that holds what was sent so far."""
        return self._envelope.meta() if self._settlement is None else dict(self._settlement.meta)

    def explain(self) -> list[Explanation]:
        """Return for each part so far why it was sent, held or dropped."""
        return self._ledger.explained()

    def held(self) -> list[Part]:
        """Return what waits for the turn to be complete; after any other settlement, what was never sent."""
        return [
            part for name in self._registry if name in self._piles for part, _ in self._piles[name].parts()
        ]

    async def document(self) -> dict[str, Any]:
        """Return all that is still to be sent as one envelope on the wire.

        For a buffered receiver its parts stand in the order of their types in the registry, then of their
        slots: in whatever order they came, as long as each slot, and each type without one, kept its own.
        """
        parts = [part async for part in self]
        if self.receiver.delivery_class == "buffered":
            order = {name: place for place, name in enumerate(self._registry)}
            # The slots of surfaces are in order already: what creates one comes first.
            parts.sort(
                key=lambda part: (
                    order[part.type],
                    "" if part.type == "a2ui-surface" else part.slot_key or "",
                )
            )
        return to_wire(parts, self.meta)

    async def _take(self) -> None:
        """Take one event; what has to be waited for goes on, though who waits be cancelled."""
        event = await anext(self._reader, None)
        if event is None:
            self._end()
        elif isinstance(event, PartEvent):
            self._rule(event.part)
        else:
            self._settlement = event
            self._end()
            if event.state == "complete":
                self._working = asyncio.create_task(self._settled())
            else:
                told = f"the turn settled as {event.state}, and not as complete"
                for pile in self._piles.values():
                    self._ledger.amend(pile.indices(), "held", told)

    async def _worked(self, working: asyncio.Task[list[Part]]) -> None:
        await asyncio.wait([working])
        if self._working is working:
            self._working = None
            if not working.cancelled():
                self._ready.extend(working.result())

    def _end(self) -> None:
        self._ended = True
        self._reader.close()

    def _rule(self, part: Part) -> None:
        """Send, hold or drop one part."""
        ruled = self._ruled(part.type)
        if ruled.action == "drop":
            self._ledger.note(part.type, "dropped", ruled.reason)
            return
        if refusal := self._refusal(part, ruled):
            self._ledger.note(part.type, "held", refusal)
        elif ruled.action != "now":
            index = self._ledger.note(part.type, "held", ruled.reason)
            pile = self._piles.setdefault(part.type, Pile(ruled.action))
            self._ledger.amend(pile.add(part, index), "dropped", _REPLACED)
        else:
            index = self._ledger.note(part.type, "sent", ruled.reason)
            if self._is_reference(part):
                self._working = asyncio.create_task(self._fetched(part, (index,)))
            else:
                self._ready.append(part)

    async def _settled(self) -> list[Part]:
        """Return what waited, in the order of the registry."""
        going: list[Part] = []
        for name in self._registry:
            if name in self._piles:
                pile = self._piles.pop(name)
                self._ledger.amend(pile.indices(), "dropped", _NOTHING_LEFT)
                held = list(pile.parts())
                for part, indices in self._surfaces.settled(held) if name == "a2ui-surface" else held:
                    if part is None:
                        self._ledger.amend(indices, "held", ANOTHER)
                        continue
                    self._ledger.amend(indices, "sent", self._ruled(name).reason)
                    going += await self._fetched(part, indices) if self._is_reference(part) else [part]
            elif name == "llm-context":
                going += await self._context()
        return going

    def _refusal(self, part: Part, ruled: Verdict) -> str:
        """Return why a surface is kept from the receiver at once; what waits is looked at when it is all there."""
        if part.type != "a2ui-surface":
            return ""
        if self._surfaces.refuses_all:
            return NOT_RENDERED
        return self._surfaces.refusal(part) if ruled.action == "now" else ""

    def _is_reference(self, part: Part) -> bool:
        """Whether a part refers to an artifact, whose URL or bytes go out in its place."""
        if part.content != "data":
            return False
        return part.type == "artifact" or self._registry[part.type].a2a_kind == "file"

    async def _fetched(self, part: Part, indices: Any) -> list[Part]:
        """Return an artifact with its URL or its bytes; an error in its place where neither can be had."""
        by_url = rule_of(self._registry[part.type], self.receiver) != "attach"
        outgoing = await carried(part, self._artifacts, by_url=by_url)
        if outgoing is not None:
            return [outgoing]
        self._ledger.amend(indices, "dropped", _NOT_HAD)
        error = error_part(f"an artifact is missing: {_NOT_HAD}", "envelope/artifact")
        if not self._takes("error"):
            return []
        self._ledger.note_made("error", "sent", "it says that an artifact is missing")
        return [error]

    async def _context(self) -> list[Part]:
        """Return what a translator makes of the turn for this receiver, if it takes such a part."""
        ruled = self._ruled("llm-context")
        if ruled.action == "drop":
            if self._envelope.translates:
                self._ledger.note_made("llm-context", "dropped", ruled.reason)
            return []
        try:
            context = await self._envelope.llm_context(self.receiver.language)
        except TranslationFailed as error:
            self._ledger.note_made("llm-context", "dropped", str(error))
            return []
        self._ledger.note_made("llm-context", "sent", ruled.reason)
        return [context]

    def _takes(self, part_type: str) -> bool:
        return self._ruled(part_type).action != "drop"

    def _ruled(self, part_type: str) -> Verdict:
        ruled = self._verdicts.get(part_type)
        if ruled is None:
            ruled = self._verdicts[part_type] = verdict(self._registry[part_type], self.receiver)
        return ruled
