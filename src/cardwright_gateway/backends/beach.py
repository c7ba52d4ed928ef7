"""Host a Beach handler, which yields the parts of an envelope, as the function of an agent."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery.calling.parts import Part
from cardwright.registries import PartTypeRegistry
from cardwright.view.interfaces import BEACH_EXTENSION_URI
from cardwright_beach import Part as EnvelopePart
from cardwright_beach import Transport, build_envelope, deliver
from cardwright_beach.errors import BadPart
from cardwright_gateway.backends.backend import Ending, Turn, TurnReporter, TurnResult

if TYPE_CHECKING:
    from cardwright_beach import StateRouter, SurfaceTemplates

RawPart = EnvelopePart | Mapping[str, Any]
Handler = Callable[[Turn], Iterable[RawPart] | AsyncIterable[RawPart]]

# The state of a task by that of the conversation; any other state completes it (project decision).
_ENDINGS: Final[Mapping[str, Ending]] = {
    "awaiting": "input-required",
    "clarifying": "input-required",
    "error": "failed",
    "suspended": "input-required",
}
# Parts that explain how a turn ended: the status message of a task that did not complete.
_EXPLAINING: Final = frozenset({"clarify", "error"})
# Parts that a caller without Beach gets as progress of its task.
_SIGNALS: Final = frozenset({"ack", "thinking", "progress"})


def beach_agent(
    handler: Handler,
    *,
    registry: PartTypeRegistry | None = None,
    surfaces: SurfaceTemplates | None = None,
    router: Callable[[Turn], StateRouter] | None = None,
) -> Callable[[Turn, TurnReporter], AsyncGenerator[Part | TurnResult]]:
    """Return a handler that yields envelope parts as a function for `backend: {python: "module:function"}`.

    Each part is sent when the handler yields it: as an artifact update of a stream (server-sent events), or in the
    artifact of the task; its `partType` and other metadata are those of the A2A part. A caller whose message has
    metadata of the Beach extension, as `to_message` writes it, gets every type that needs no consent; any other caller
    gets text, data and files, and `ack`, `thinking` and `progress` as the progress of its task.

    A turn with a `clarify` part or a pending approval ends as `input-required`, a handler that raises as `failed`.

    Args:
        handler: Takes the turn; yields parts, or mappings in the handler's form.
        registry: Known part types; default: the canonical core.
        surfaces: Surface templates by kind of data.
        router: Returns the session state of a turn, which `setState` parts change; the session is `turn.context_id`.
    """
    types = PartTypeRegistry.canonical() if registry is None else registry

    async def answer(turn: Turn, reporter: TurnReporter) -> AsyncGenerator[Part | TurnResult]:
        with_beach = BEACH_EXTENSION_URI in turn.metadata
        questions: list[Part] = []
        handled = _Handled(handler(turn), types, None if with_beach else reporter)
        envelope = build_envelope(
            session_id=turn.context_id or turn.task_id or "unknown",
            event_id=turn.message_id or turn.task_id or "unknown",
            originator_id=turn.owner or "anonymous",
            conversation_state=lambda: "clarifying" if handled.asks else "complete",
            parts=handled.parts(),
            registry=types,
            surfaces=surfaces,
            router=None if router is None else router(turn),
        )
        caller = Transport("a2a", "streaming", peer="beach" if with_beach else "other")
        async with envelope:
            async for one in await deliver(envelope, to=caller):
                part = _part_of(one)
                if one.type in _EXPLAINING:
                    questions.append(part)
                else:
                    yield part
            state = envelope.state
        ending: Ending = _ENDINGS.get(state, "completed")
        if ending == "completed":
            yield TurnResult(tuple(questions))
        else:
            reason = "" if questions else f"the conversation is {state}"
            yield TurnResult(ending=ending, message=reason, message_parts=tuple(questions))

    # A card that is derived from the function describes the handler; `functools.wraps` would also copy its signature.
    answer.__name__ = getattr(handler, "__name__", answer.__name__)
    answer.__qualname__ = getattr(handler, "__qualname__", answer.__qualname__)
    answer.__doc__ = handler.__doc__
    return answer


class _Handled:
    """The parts of a handler; reports signals as progress, and notes a question."""

    def __init__(
        self,
        source: Iterable[RawPart] | AsyncIterable[RawPart],
        types: PartTypeRegistry,
        reporter: TurnReporter | None,
    ) -> None:
        self.asks = False
        self._source = source
        self._types = types
        self._reporter = reporter

    async def parts(self) -> AsyncGenerator[RawPart]:
        if isinstance(self._source, AsyncIterable):
            async for raw in self._source:
                yield await self._noted(raw)
        else:
            for raw in self._source:
                yield await self._noted(raw)

    async def _noted(self, raw: RawPart) -> RawPart:
        try:
            part = EnvelopePart.of(raw, types=self._types)
        except BadPart:
            # The envelope replaces it by an error part.
            return raw
        self.asks = self.asks or part.type == "clarify"
        if self._reporter is not None and part.type in _SIGNALS:
            await _report(part, self._reporter)
        return part


async def _report(part: EnvelopePart, reporter: TurnReporter) -> None:
    data = part.data if isinstance(part.data, Mapping) else {}
    await reporter.progress(
        part.text or str(data.get("message", "")), done=data.get("completed"), total=data.get("total")
    )


def _part_of(part: EnvelopePart) -> Part:
    # The metadata names the part type; a part has exactly one of the four contents.
    content: Any = {"text": part.text, "data": part.data, "url": part.url, "raw": part.raw}
    document = part.document
    return Part(
        part.content,  # type: ignore[arg-type] # one of the keys above
        content[part.content],
        document.get("filename", ""),
        document.get("mediaType", ""),
        part.metadata,
    )
