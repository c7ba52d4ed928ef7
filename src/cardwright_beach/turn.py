"""One turn: validate the handler's parts, apply defaults, add surfaces and error parts."""

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
    from cardwright_beach.states import StateRouter
    from cardwright_beach.surfaces import SurfaceTemplates

RawPart = Part | Mapping[str, Any]
# `finalizedBy` of a turn whose handler returned, or raised (project decision).
RESPONDED: Final = "respond"
FAILED: Final = "failure"
# Delivery rules of confidential parts: an error about such a part does not quote it.
_CONFIDENTIAL: Final = frozenset({"audit", "inbound", "relay"})


@dataclass(slots=True)
class Turn:
    """Source of the parts of a turn, with the turn's accumulated data.

    Attributes:
        audit_seconds: Time limit of the audit sink for one part.
        renders: Whether a receiver needs surfaces, so that they are rendered.
        keeps_text: Whether a receiver needs `llm-context`, so that the response text is collected.
        slots: The domain data so far.
        waiting: Ids of pending approval requests, in lower case.
        failure: The exception of the handler, or None.
        audit_failure: The exception of the audit sink, or None.
    """

    parts: Iterable[RawPart] | AsyncIterable[RawPart]
    mailbox: Iterable[RawPart] | AsyncIterable[RawPart]
    registry: PartTypeRegistry
    surfaces: SurfaceTemplates
    stamps: Stamps
    limits: Limits
    audit: AuditSink | None
    router: StateRouter | None
    audit_seconds: float
    renders: bool
    keeps_text: bool
    # Set by the envelope of the turn.
    meta: Callable[[], Mapping[str, Any]] = dict
    slots: Slots = field(default_factory=Slots)
    waiting: set[str] = field(default_factory=set[str])
    failure: BaseException | None = None
    audit_failure: BaseException | None = None
    _texts: dict[str, StringIO] = field(default_factory=dict[str, StringIO])
    _answered: set[str] = field(default_factory=set[str])
    _citations: list[tuple[int, Part]] = field(default_factory=list[tuple[int, Part]])
    _created: CreatedSurfaces = field(default_factory=CreatedSurfaces)
    _index: int = 0

    async def parts_and_errors(self) -> AsyncGenerator[Part]:
        """Yield the parts of the turn, then an error part if the handler failed, then the citations."""
        for part, kinds in await self._from_mailbox():
            for one in await self._process(part, kinds):
                yield one
        handler = Handler(self.parts)
        try:
            while (raw := await handler.next()) is not END:
                part = self.stamps.on(self._read(raw, self._index))
                self._index += 1
                for one in await self._process(part):
                    yield one
        finally:
            await handler.close()
        if handler.failure is not None:
            self.failure = handler.failure
            yield error_part(
                f"the handler failed: {type(self.failure).__name__}", "envelope/handler", index=self._index
            )
        for index, citation in self._citations:
            violations = citation_violations(citation, self.slots)
            yield citation if not violations else self._error(BadPart(citation.type, violations, index))
        self._citations.clear()

    @property
    def response_text(self) -> str:
        """The response text so far: text without a slot first, then slots by key."""
        return "\n".join(text.getvalue() for _, text in sorted(self._texts.items()))

    def answered(self, part: Part) -> bool:
        """Record an approval response; return whether its request was pending."""
        approval = str(part.data["approvalId"]).lower()
        was_pending = approval in self.waiting
        self.waiting.discard(approval)
        self._answered.add(approval)
        return was_pending

    def _add_request(self, part: Part) -> None:
        approval = str(part.data["approvalId"]).lower()
        # In a mailbox the response may come before the request.
        if approval not in self._answered:
            self.waiting.add(approval)

    async def _from_mailbox(self) -> list[tuple[Part, Mapping[str, Any]]]:
        """Return error parts and the combined data of the mailbox, each with its data by kind."""
        events: list[Part] = []
        handler = Handler(self.mailbox)
        while (raw := await handler.next()) is not END:
            events.append(self._read(raw, len(events)))
        await handler.close()
        errors: list[tuple[Part, Mapping[str, Any]]] = []
        for event in events:
            match event.type:
                case "approval-request":
                    self._add_request(event)
                case "approval-response":
                    self.answered(event)
                case "error" if "partIndex" in event.metadata:
                    errors.append((event, {}))
                case _:
                    pass
        if handler.failure is not None:
            message = f"the mailbox failed: {type(handler.failure).__name__}"
            errors.append((error_part(message, "envelope/mailbox", index=len(events)), {}))
        data = [(self.stamps.on(part), kinds) for part, kinds in collected(events)]
        if any(part.slot_key == self.stamps.slot_key for part, _ in data):
            self.stamps = self.stamps.joining()
        return errors + data

    def _read(self, raw: RawPart, index: int) -> Part:
        try:
            return Part.of(raw, types=self.registry, limits=self.limits, index=index)
        except BadPart as error:
            return self._error(error)
        except Exception as error:  # noqa: BLE001 - application objects may raise any exception
            message = f"part {index}: cannot be read: {type(error).__name__}"
            return error_part(message, "envelope/part", index=index)

    def _error(self, error: BadPart) -> Part:
        first = error.violations[0]
        message = str(error)
        if error.type is not None and error.type in self.registry and self._is_confidential(error.type):
            message = (
                f"part {error.index} ({error.type}): {first.pointer or '(root)'} is not valid [{first.rule}]"
            )
        return error_part(message, first.rule, index=error.index, pointer=first.pointer)

    def _is_confidential(self, part_type: str) -> bool:
        entry = self.registry[part_type]
        return bool(_CONFIDENTIAL & {entry.streaming, entry.buffered})

    async def _process(self, part: Part, kinds: Mapping[str, Any] | None = None) -> list[Part]:
        """Record a part; return it with its surfaces. `kinds` is its data by kind, if known."""
        match part.type:
            case "citation":
                # Its path can be checked only when all data has arrived.
                self._citations.append((self._index - 1, part))
                return []
            case "domain-data":
                self.slots.add(part)
            case "approval-request":
                self._add_request(part)
            case "approval-response":
                self.answered(part)
            case "setState" if self.router is not None:
                return self._routed(part, self.router)
            case "response" if self.keeps_text:
                self._add_text(part)
            case _:
                pass
        await self._audited(part)
        return [part, *(self._surfaces_of(part, kinds) if self.renders else ())]

    def _routed(self, part: Part, router: StateRouter) -> list[Part]:
        """Apply a proposal before it is delivered; a rejected one is delivered to no receiver."""
        try:
            change = router.apply(part, event_id=f"{self.meta()['eventId']}/{self._index - 1}")
        except Exception as error:  # noqa: BLE001 - application code
            message = f"the state was not changed: {type(error).__name__}"
            return [error_part(message, "envelope/state", index=self._index - 1)]
        return [] if change.outcome == "rejected" else [part]

    def _add_text(self, part: Part) -> None:
        slot = part.slot_key or NO_SLOT
        if part.merge_strategy != "append" or slot not in self._texts:
            self._texts[slot] = StringIO()
        self._texts[slot].write(part.text or "")

    def _surfaces_of(self, part: Part, kinds: Mapping[str, Any] | None) -> list[Part]:
        """Return the surfaces of a part; an error part in place of one whose template fails."""
        slot = part.slot_key
        if part.type == "approval-request":
            kinds = {"approval-request": part.data}
        elif part.type != "domain-data":
            return []
        elif kinds is None:
            kind = part.data_kind
            if kind is None or not self.surfaces.has(kind):
                return []
            # A surface shows the whole slot, not only the latest part.
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
            async with asyncio.timeout(self.audit_seconds):
                await self.audit.record(part, self.meta())
        except asyncio.CancelledError as error:
            if is_cancelled():
                raise
            self.audit_failure = error
        except Exception as error:  # noqa: BLE001 - a failing sink must not stop the response
            self.audit_failure = error


def error_part(message: str, rule: str, *, index: int | None = None, pointer: str = "") -> Part:
    """Return an `error` part with message, rule id and position."""
    metadata: dict[str, Any] = {"partType": "error", "rule": rule}
    if index is not None:
        metadata["partIndex"] = index
    return Part({"text": message, "metadata": {**metadata, **({"pointer": pointer} if pointer else {})}})
