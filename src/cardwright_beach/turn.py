"""One turn as it is told: what its handler says, judged, stamped, and with what follows from it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import CardError
from cardwright_beach.citations import citation_violations
from cardwright_beach.errors import BadPart
from cardwright_beach.handler import END, Handler, is_cancelled
from cardwright_beach.mailbox import collected
from cardwright_beach.merging import NO_SLOT, Slots
from cardwright_beach.parts import Part
from cardwright_beach.surfaces import CreatedSurfaces

if TYPE_CHECKING:
    from cardwright.canonical import Limits
    from cardwright.registries import PartTypeRegistry
    from cardwright_beach.auditing import AuditSink
    from cardwright_beach.stamps import Stamps
    from cardwright_beach.surfaces import SurfaceTemplates

RawPart = Part | Mapping[str, Any]
# What settles a turn: its handler came to its end, or broke off (ours).
RESPONDED: Final = "respond"
FAILED: Final = "failure"
# How long an audit sink may take for one part (ours).
AUDIT_SECONDS: Final = 5.0
# Of parts with such a rule nothing goes out, so an error about one does not quote it.
_KEPT_BACK: Final = frozenset({"audit", "inbound", "relay"})


@dataclass(slots=True)
class Turn:
    """Tells the parts of a turn, and remembers what the turn comes to.

    Attributes:
        renders: Whether anybody takes surfaces, so that they are made.
        keeps_said: Whether anybody takes `llm-context`, so that what the agent says is kept for it.
        slots: The domain data so far.
        waiting: The approvals that were asked for and not answered, by id in lower case.
        failure: What broke the handler off, or None.
        audit_failure: What kept the audit sink from keeping something, or None.
    """

    parts: Iterable[RawPart] | AsyncIterable[RawPart]
    mailbox: Iterable[RawPart] | AsyncIterable[RawPart]
    registry: PartTypeRegistry
    surfaces: SurfaceTemplates
    stamps: Stamps
    limits: Limits
    audit: AuditSink | None
    renders: bool
    keeps_said: bool
    # The envelope of the turn gives it.
    meta: Callable[[], Mapping[str, Any]] = dict
    slots: Slots = field(default_factory=Slots)
    waiting: set[str] = field(default_factory=set[str])
    failure: BaseException | None = None
    audit_failure: BaseException | None = None
    _said: dict[str, StringIO] = field(default_factory=dict[str, StringIO])
    _answered: set[str] = field(default_factory=set[str])
    _citations: list[tuple[int, Part]] = field(default_factory=list[tuple[int, Part]])
    _created: CreatedSurfaces = field(default_factory=CreatedSurfaces)
    _index: int = 0

    async def told(self) -> AsyncGenerator[Part]:
        """Yield the parts of the turn until its handler comes to its end, or breaks off."""
        for part, kinds in await self._from_mailbox():
            for one in await self._followed(part, kinds):
                yield one
        handler = Handler(self.parts)
        try:
            while (raw := await handler.following()) is not END:
                part = self.stamps.on(self._read(raw, self._index))
                self._index += 1
                for one in await self._followed(part):
                    yield one
        finally:
            await handler.close()
        if handler.failure is not None:
            self.failure = handler.failure
            yield error_part(
                f"the handler broke off: {type(self.failure).__name__}", "envelope/handler", index=self._index
            )
        for index, citation in self._citations:
            found = citation_violations(citation, self.slots)
            yield citation if not found else self._refused(BadPart(citation.type, found, index))
        self._citations.clear()

    @property
    def said(self) -> str:
        """What the agent has said so far: what has no slot first, then slots by their key."""
        return "\n".join(text.getvalue() for _, text in sorted(self._said.items()))

    def answered(self, part: Part) -> bool:
        """Take note of an answer to an approval request; whether one waited for it."""
        approval = str(part.data["approvalId"]).lower()
        waited = approval in self.waiting
        self.waiting.discard(approval)
        self._answered.add(approval)
        return waited

    def _asked(self, part: Part) -> None:
        approval = str(part.data["approvalId"]).lower()
        # The answer may stand before the question, where both come out of a mailbox; and it is given once.
        if approval not in self._answered:
            self.waiting.add(approval)

    async def _from_mailbox(self) -> list[tuple[Part, Mapping[str, Any]]]:
        """Return what the turn's events before it come to, with its data by kind, and what could not be read."""
        events: list[Part] = []
        handler = Handler(self.mailbox)
        while (raw := await handler.following()) is not END:
            events.append(self._read(raw, len(events)))
        await handler.close()
        told: list[tuple[Part, Mapping[str, Any]]] = []
        for event in events:
            match event.type:
                case "approval-request":
                    self._asked(event)
                case "approval-response":
                    self.answered(event)
                case "error" if "partIndex" in event.metadata:
                    told.append((event, {}))
                case _:
                    pass
        if handler.failure is not None:
            broke = f"the mailbox broke off: {type(handler.failure).__name__}"
            told.append((error_part(broke, "envelope/mailbox", index=len(events)), {}))
        data = [(self.stamps.on(part), kinds) for part, kinds in collected(events)]
        if any(part.slot_key == self.stamps.slot_key for part, _ in data):
            self.stamps = self.stamps.joining()
        return told + data

    def _read(self, raw: RawPart, index: int) -> Part:
        try:
            return Part.of(raw, types=self.registry, limits=self.limits, index=index)
        except BadPart as error:
            return self._refused(error)
        except Exception as error:  # noqa: BLE001 - an object of the application's own may raise anything
            told = f"part {index}: it cannot be read: {type(error).__name__}"
            return error_part(told, "envelope/part", index=index)

    def _refused(self, error: BadPart) -> Part:
        first = error.violations[0]
        told = str(error)
        if error.type is not None and error.type in self.registry and self._keeps_back(error.type):
            told = f"part {error.index} ({error.type}): {first.pointer or '(root)'} is wrong [{first.rule}]"
        return error_part(told, first.rule, index=error.index, pointer=first.pointer)

    def _keeps_back(self, part_type: str) -> bool:
        entry = self.registry[part_type]
        return bool(_KEPT_BACK & {entry.streaming, entry.buffered})

    async def _followed(self, part: Part, kinds: Mapping[str, Any] | None = None) -> list[Part]:
        """Return a part, and what follows from it at once; `kinds` is its data by kind, where that is known."""
        match part.type:
            case "citation":
                # Whether its path is there shows when the data has settled.
                self._citations.append((self._index - 1, part))
                return []
            case "domain-data":
                self.slots.add(part)
            case "approval-request":
                self._asked(part)
            case "approval-response":
                self.answered(part)
            case "response" if self.keeps_said:
                self._say(part)
            case _:
                pass
        await self._audited(part)
        return [part, *(self._surfaces_of(part, kinds) if self.renders else ())]

    def _say(self, part: Part) -> None:
        slot = part.slot_key or NO_SLOT
        if part.merge_strategy != "append" or slot not in self._said:
            self._said[slot] = StringIO()
        self._said[slot].write(part.text or "")

    def _surfaces_of(self, part: Part, kinds: Mapping[str, Any] | None) -> list[Part]:
        """Return the surfaces that templates make of a part; an error in the place of one that fails."""
        slot = part.slot_key
        if part.type == "approval-request":
            kinds = {"approval-request": part.data}
        elif part.type != "domain-data":
            return []
        elif kinds is None:
            kind = part.data_kind
            if kind is None or not self.surfaces.has(kind):
                return []
            # A surface shows what its slot holds, and not the last piece of it.
            kinds = {kind: self.slots.value(slot) if slot else part.data}
        surfaces = [self._surface(kind, data, slot) for kind, data in kinds.items()]
        return [surface for surface in surfaces if surface is not None]

    def _surface(self, kind: str, data: Any, slot: str | None) -> Part | None:
        try:
            surface = self.surfaces.render(kind, data, slot_key=slot, scope=str(self.meta()["sessionId"]))
            messages = (
                [] if surface is None else self._created.pruned(surface.data, slot or NO_SLOT, kind=kind)
            )
        except CardError as error:
            return error_part(str(error), "envelope/surface", index=max(0, self._index - 1))
        return surface.with_data(messages) if surface is not None and messages else None

    async def _audited(self, part: Part) -> None:
        entry = self.registry[part.type]
        if self.audit is None or "audit" not in (entry.streaming, entry.buffered):
            return
        try:
            async with asyncio.timeout(AUDIT_SECONDS):
                await self.audit.record(part, self.meta())
        except asyncio.CancelledError as error:
            if is_cancelled():
                raise
            self.audit_failure = error
        except Exception as error:  # noqa: BLE001 - a full disk costs the record, and not the answer
            self.audit_failure = error


def error_part(told: str, rule: str, *, index: int | None = None, pointer: str = "") -> Part:
    """Return an `error` part that says what went wrong, by which rule, and where."""
    metadata: dict[str, Any] = {"partType": "error", "rule": rule}
    if index is not None:
        metadata["partIndex"] = index
    return Part({"text": told, "metadata": {**metadata, **({"pointer": pointer} if pointer else {})}})
