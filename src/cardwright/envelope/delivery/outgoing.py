"""`deliver`: the parts of an envelope that one receiver gets, when, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

from cardwright.envelope.delivery.artifacts import carried
from cardwright.envelope.delivery.held import Pile
from cardwright.envelope.delivery.ledger import Explanation, Ledger
from cardwright.envelope.delivery.receiver import Transport, receiver_of
from cardwright.envelope.delivery.rules import Verdict, rule_of, verdict
from cardwright.envelope.events import Settlement
from cardwright.envelope.surfaces import catalogues_of, same_catalogue
from cardwright.envelope.turn import error_part
from cardwright.envelope.wire import to_wire
from cardwright.errors import BadArgument, TranslationFailed
from cardwright.registries import PartTypeRegistry, TransportRegistry

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from cardwright.card import Card
    from cardwright.envelope.artifacts import ArtifactStore
    from cardwright.envelope.delivery.receiver import Receiver
    from cardwright.envelope.parts import Part
    from cardwright.envelope.stream import AgentResponseEnvelope, EnvelopeReader


_NOT_HAD: Final = "can be had neither by a URL nor as bytes that a message holds"


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
    turn that settles otherwise held back, the next turn can take in by its mailbox.

    Source: Beach protocol seed, Delivery rules per transport class; Envelope assembly, step 4.

    Args:
        envelope: The envelope.
        to: A peer's card, or a channel that the application runs.
        registry: The part types that are known; the canonical core where not given.
        over: How a peer is reached, where that is known better than its card says; only with a card.
        language: The language that the receiver asks `llm-context` in, whatever its card says.
        artifacts: Who holds the bytes of artifacts that are referred to.
        transports: The transports that are known; the canonical core where not given.

    Raises:
        BadArgument: If `to` is neither a card nor a transport.
        BadName: If the transport is not registered.
        EnvelopeSpent: If the envelope flows already.
    """
    known = TransportRegistry.canonical() if transports is None else transports
    receiver = receiver_of(to, known, over=over, language=language)
    types = PartTypeRegistry.canonical() if registry is None else registry
    return Delivery(envelope, aiter(envelope), receiver, types, artifacts)


class Delivery:
    """The parts that one receiver gets: an async iterator, of which `explain` says why they are these.

    Attributes:
        receiver: What the rules were asked of.
    """

    def __init__(
        self,
        envelope: AgentResponseEnvelope,
        reader: EnvelopeReader,
        receiver: Receiver,
        registry: PartTypeRegistry,
        artifacts: ArtifactStore | None,
    ) -> None:
        self.receiver = receiver
        self._envelope = envelope
        self._reader = reader
        self._registry = registry
        self._artifacts = artifacts
        self._verdicts: dict[str, Verdict] = {}
        self._piles: dict[str, Pile] = {}
        self._waiting: set[tuple[str, str]] = set()
        self._catalogues: dict[tuple[str | None, str], str] = {}
        self._ledger = Ledger()
        self._settlement: Settlement | None = None
        self._parts = self._sent()

    def __aiter__(self) -> Self:
        """Return itself: a delivery is made once."""
        return self

    async def __anext__(self) -> Part:
        """Return the next part to send."""
        return await anext(self._parts)

    async def aclose(self) -> None:
        """Take no more parts; other receivers go on."""
        await self._parts.aclose()

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

    async def document(self) -> dict[str, Any]:
        """Return all that is still to be sent as one envelope on the wire.

        For a buffered receiver its parts stand in the order of their types in the registry, then of their
        slots: in whatever order they came, as long as each slot, and each type without one, kept its own.
        """
        parts = [part async for part in self]
        if self.receiver.delivery_class == "buffered":
            order = {name: place for place, name in enumerate(self._registry)}
            parts.sort(key=lambda part: (order[part.type], part.slot_key or ""))
        return to_wire(parts, self.meta)

    async def _sent(self) -> AsyncGenerator[Part]:
        async for event in self._reader:
            if isinstance(event, Settlement):
                self._settlement = event
                async for part in self._settled(event):
                    yield part
                return
            part = event.part
            ruled = self._ruled(part)
            held_back = self._held_back(part)
            if held_back and ruled.action != "drop":
                self._ledger.note(part.type, "held", held_back)
            elif ruled.action == "drop":
                self._ledger.note(part.type, "dropped", ruled.reason)
            elif ruled.action == "now":
                outgoing = await self._outgoing(part)
                self._note_sent(part, outgoing, ruled.reason)
                if outgoing is not None:
                    yield outgoing
            else:
                self._ledger.note(part.type, "held", ruled.reason)
                self._waiting.add((part.type, ruled.reason))
                self._piles.setdefault(part.type, Pile(ruled.action)).add(part)

    def _note_sent(self, part: Part, outgoing: Part | None, reason: str) -> None:
        if outgoing is None or outgoing.type != part.type:
            self._ledger.note(part.type, "dropped", _NOT_HAD)
        else:
            self._ledger.note(part.type, "sent", reason)

    async def _settled(self, settlement: Settlement) -> AsyncGenerator[Part]:
        """Yield what waited, in the order of the registry; nothing where the turn is not complete."""
        if settlement.state != "complete":
            self._ledger.settle(
                "held", f"the turn settled as {settlement.state}, and not as complete", self._waiting
            )
            return
        self._ledger.settle("sent", "", self._waiting)
        for name in self._registry:
            if name in self._piles:
                for part in self._piles.pop(name).parts():
                    outgoing = await self._outgoing(part)
                    if outgoing is None or outgoing.type != name:
                        self._ledger.note_made(name, "dropped", _NOT_HAD)
                    if outgoing is not None:
                        yield outgoing
            elif name == "llm-context":
                context = await self._context()
                if context is not None:
                    yield context

    async def _outgoing(self, part: Part) -> Part | None:
        """Return a part as it goes out: an artifact with a URL or its bytes, or an error in its place."""
        if part.type != "artifact":
            return part
        by_url = rule_of(self._registry["artifact"], self.receiver) not in ("attach", "settle", "final")
        outgoing = await carried(part, self._artifacts, by_url=by_url)
        if outgoing is not None:
            return outgoing
        error = error_part(f"an artifact {_NOT_HAD}", "envelope/artifact")
        return error if self._ruled(error).action != "drop" else None

    async def _context(self) -> Part | None:
        """Return what a translator makes of the turn for this receiver, if it takes such a part."""
        entry = self._registry["llm-context"]
        ruled = verdict(entry, self.receiver)
        if ruled.action == "drop":
            if self._envelope.translates:
                self._ledger.note_made(entry.name, "dropped", ruled.reason)
            return None
        try:
            context = await self._envelope.llm_context(self.receiver.language)
        except TranslationFailed as error:
            self._ledger.note_made(entry.name, "dropped", str(error))
            return None
        self._ledger.note_made(entry.name, "sent", ruled.reason)
        return context

    def _ruled(self, part: Part) -> Verdict:
        ruled = self._verdicts.get(part.type)
        if ruled is None:
            try:
                entry = self._registry[part.type]
            except KeyError:
                raise BadArgument(
                    "registry", f"it does not know {part.type}: give the one that built the envelope"
                ) from None
            ruled = self._verdicts[part.type] = verdict(entry, self.receiver)
        return ruled

    def _held_back(self, part: Part) -> str:
        """Return why a surface is kept from this receiver; "" where it is not.

        Source: Beach Agent Card, Envelope block (consumers check the catalogue against what they can render).
        """
        if part.type != "a2ui-surface":
            return ""
        catalogue = self.receiver.catalogue
        if catalogue is None:
            if self.receiver.peer is None and self.receiver.delivery_class == "buffered":
                return "the channel does not say that it renders surfaces"
            return ""
        surfaces = {surface for message in part.data if (surface := _surface_of(message))}
        for surface, named in catalogues_of(part.data).items():
            self._catalogues[part.slot_key, surface] = named
        others = (self._catalogues.get((part.slot_key, surface)) for surface in surfaces)
        if any(other is not None and not same_catalogue(other, catalogue) for other in others):
            return "the receiver renders another A2UI catalogue"
        return ""


def _surface_of(message: dict[str, Any]) -> str:
    """Return which surface an A2UI message is about; "" where it does not say."""
    bodies = (body for body in message.values() if isinstance(body, dict))
    return next((str(body["surfaceId"]) for body in bodies if "surfaceId" in body), "")
