"""One turn as it is told: what its handler says, judged, stamped, and with what follows from it."""

from __future__ import annotations

from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    Callable,
    Generator,
    Iterable,
    Mapping,
)
from contextlib import aclosing
from dataclasses import dataclass, field
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from cardwright.envelope.citations import citation_violations
from cardwright.envelope.mailbox import collected
from cardwright.envelope.merging import NO_SLOT, Slots
from cardwright.envelope.parts import Part
from cardwright.envelope.surfaces import catalogues_of
from cardwright.errors import BadPart, CardError

if TYPE_CHECKING:
    from cardwright.canonical import Limits
    from cardwright.envelope.auditing import AuditSink
    from cardwright.envelope.surfaces import SurfaceTemplates
    from cardwright.registries import PartTypeRegistry

RawPart = Part | Mapping[str, Any]
# What settles a turn: its handler came to its end, or broke off (ours).
RESPONDED: Final = "respond"
FAILED: Final = "failure"


@dataclass(frozen=True, slots=True)
class Stamps:
    """What domain data that says neither is given (Beach protocol seed, Slot keys and merge strategy)."""

    slot_key: str | None
    merge_strategy: str

    def on(self, part: Part) -> Part:
        """Return the part, stamped if it is domain data of no slot."""
        if part.type != "domain-data" or part.slot_key is not None:
            return part
        stamps: dict[str, Any] = {} if self.slot_key is None else {"slotKey": self.slot_key}
        if "mergeStrategy" not in part.metadata and (stamps or self.merge_strategy != "replace"):
            stamps["mergeStrategy"] = self.merge_strategy
        return part.stamped(**stamps) if stamps else part


@dataclass(slots=True)
class Turn:
    """Tells the parts of a turn, and remembers what the turn comes to.

    Attributes:
        slots: The domain data so far.
        waiting: The approvals that were asked for and not answered, by id.
        said: What the agent has said so far, where a translator needs it.
        failure: What broke the handler off, or None.
        audit_failure: What kept the audit sink from keeping something, or None.
    """

    parts: Iterable[RawPart] | AsyncIterable[RawPart]
    mailbox: Iterable[RawPart]
    registry: PartTypeRegistry
    surfaces: SurfaceTemplates
    stamps: Stamps
    limits: Limits
    audit: AuditSink | None
    meta: Callable[[], Mapping[str, Any]]
    keeps_response: bool
    slots: Slots = field(default_factory=Slots)
    waiting: set[str] = field(default_factory=set[str])
    said: StringIO = field(default_factory=StringIO)
    failure: BaseException | None = None
    audit_failure: BaseException | None = None
    _answers: set[str] = field(default_factory=set[str])
    _citations: list[tuple[int, Part]] = field(default_factory=list[tuple[int, Part]])
    _created: dict[str, set[str]] = field(default_factory=dict[str, "set[str]"])
    _index: int = 0

    async def told(self) -> AsyncGenerator[Part]:
        """Yield the parts of the turn until its handler comes to its end, or breaks off."""
        try:
            for part, kinds in self._from_mailbox():
                for one in await self._followed(part, kinds):
                    yield one
            async with aclosing(_each(self.parts)) as each:
                async for raw in each:
                    part = self._read(raw)
                    self._index += 1
                    for one in await self._followed(part):
                        yield one
        except Exception as error:  # noqa: BLE001 - whatever a handler raises, the rest of its envelope arrives
            self.failure = error
            told = f"the handler broke off: {type(error).__name__}"
            yield error_part(told, "envelope/handler", index=self._index)
        for index, citation in self._citations:
            found = citation_violations(citation, self.slots)
            yield citation if not found else self._refused(BadPart(citation.type, found, index))
        self._citations.clear()

    def answered(self, part: Part) -> None:
        """Take note of an answer to an approval request."""
        approval = str(part.data["approvalId"])
        self._answers.add(approval)
        self.waiting.discard(approval)

    def _asked(self, part: Part) -> None:
        approval = str(part.data["approvalId"])
        # The answer may stand before the question, where both come out of a mailbox.
        if approval not in self._answers:
            self.waiting.add(approval)

    def _from_mailbox(self) -> list[tuple[Part, Mapping[str, Any]]]:
        """Return what the turn's events before it come to, with its data by kind, and what could not be read."""
        events: list[Part] = []
        refused: list[Part] = []
        for index, raw in enumerate(self.mailbox):
            try:
                events.append(Part.of(raw, types=self.registry, limits=self.limits, index=index))
            except BadPart as error:
                refused.append(self._refused(error))
        for event in events:
            if event.type == "approval-request":
                self._asked(event)
            elif event.type == "approval-response":
                self.answered(event)
        told = [(self.stamps.on(part), kinds) for part, kinds in collected(events)]
        return [*((part, {}) for part in refused), *told]

    def _read(self, raw: RawPart) -> Part:
        try:
            part = Part.of(raw, types=self.registry, limits=self.limits, index=self._index)
        except BadPart as error:
            return self._refused(error)
        return self.stamps.on(part)

    def _refused(self, error: BadPart) -> Part:
        first = error.violations[0]
        return error_part(str(error), first.rule, index=error.index, pointer=first.pointer)

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
            case "response" if self.keeps_response:
                self._say(part)
            case _:
                pass
        await self._audited(part)
        return [part, *self._surfaces_of(part, kinds)]

    def _say(self, part: Part) -> None:
        if part.merge_strategy != "append":
            self.said = StringIO()
        self.said.write(part.text or "")

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
        created = self._created.setdefault(slot or NO_SLOT, set())
        scope = str(self.meta()["sessionId"])
        try:
            surface = self.surfaces.render(kind, data, slot_key=slot, scope=scope, created=created)
        except CardError as error:
            return error_part(str(error), "envelope/surface", index=max(0, self._index - 1))
        if surface is not None:
            created.update(catalogues_of(surface.data))
        return surface

    async def _audited(self, part: Part) -> None:
        entry = self.registry[part.type]
        if self.audit is None or "audit" not in (entry.streaming, entry.buffered):
            return
        try:
            await self.audit.record(part, self.meta())
        except Exception as error:  # noqa: BLE001 - a full disk costs the record, and not the answer
            self.audit_failure = error


def error_part(told: str, rule: str, *, index: int | None = None, pointer: str = "") -> Part:
    """Return an `error` part that says what went wrong, by which rule, and where."""
    metadata: dict[str, Any] = {"partType": "error", "rule": rule}
    if index is not None:
        metadata["partIndex"] = index
    return Part({"text": told, "metadata": {**metadata, **({"pointer": pointer} if pointer else {})}})


async def _each(parts: Iterable[RawPart] | AsyncIterable[RawPart]) -> AsyncGenerator[RawPart]:
    """Yield what a handler yields, and close it at once when nobody asks for more."""
    try:
        if isinstance(parts, AsyncIterable):
            async for part in parts:
                yield part
        else:
            for part in parts:
                yield part
    finally:
        if isinstance(parts, AsyncGenerator):
            await parts.aclose()
        elif isinstance(parts, Generator):
            parts.close()
