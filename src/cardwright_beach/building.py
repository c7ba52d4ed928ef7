"""`build_envelope`: from what a handler says to the stream that its receivers follow."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadArgument
from cardwright.registries import ConversationStateRegistry, PartTypeRegistry
from cardwright_beach.context import Contexts
from cardwright_beach.parts import MERGE_STRATEGIES, Part
from cardwright_beach.stamps import Stamps
from cardwright_beach.stream import AgentResponseEnvelope
from cardwright_beach.surfaces import SurfaceTemplates
from cardwright_beach.turn import RawPart, Turn
from cardwright_beach.validate import CANONICAL, PART_LIMITS

if TYPE_CHECKING:
    from cardwright.canonical import Limits
    from cardwright_beach.auditing import AuditSink
    from cardwright_beach.translation import Translator

# A fast model answers in a few seconds; nobody's answer waits longer for it than this (ours).
TRANSLATION_SECONDS: Final = 30.0


def build_envelope(  # noqa: PLR0913 - one argument for each thing a turn has, all by name
    *,
    session_id: str,
    event_id: str,
    originator_id: str,
    conversation_state: str | Callable[[], str],
    parts: Iterable[RawPart] | AsyncIterable[RawPart],
    mailbox: Iterable[RawPart] | AsyncIterable[RawPart] = (),
    slot_key: str | None = None,
    merge_strategy: str = "replace",
    registry: PartTypeRegistry | None = None,
    surfaces: SurfaceTemplates | None = None,
    translator: Translator | None = None,
    audit: AuditSink | None = None,
    states: ConversationStateRegistry | None = None,
    limits: Limits = PART_LIMITS,
    translation_seconds: float = TRANSLATION_SECONDS,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> AgentResponseEnvelope:
    """Return the envelope of one turn: a stream of judged parts that ends with a settlement marker.

    A part that is wrong becomes an `error` part that names it, and a handler that raises one that says so;
    the rest arrives. Citations come when the turn settles, since only then it shows whether the place that
    they name is in the domain data; one whose place is not there becomes an error.

    Source: Beach protocol seed, Envelope assembly; Slot keys and merge strategy; Surface template registration.

    Args:
        session_id: The session of the conversation.
        event_id: The event of the handler's invocation: one turn.
        originator_id: Who the turn answers.
        conversation_state: In what state the turn ends once its parts have come to their end, or a function
            that is asked then. A turn that waits for an approval does not settle as `complete` but as
            `suspended`, and one whose handler raises settles as `error`.
        parts: What the handler says: parts, or mappings in the handler's or the wire's form, as they come
            (an async iterable) or all at once.
        mailbox: The turn's events before it; what they hold as data comes first, as one domain object.
        slot_key: The slot of domain data that names none, and of citations of it.
        merge_strategy: How that data meets what is in the slot: `replace`, `append` or `deep-merge`. Where the
            mailbox held data, what the handler says is added to it (`deep-merge`), and does not replace it.
        registry: The part types that are known; the canonical core where not given.
        surfaces: Templates of surfaces, by kind of data; where not given, those for approvals alone.
        translator: Who writes `llm-context`, once for a turn and language, and only if a receiver takes it.
        audit: Who keeps what is for the audit record alone, such as reasoning; nobody where not given.
        states: The conversation states that are known; the canonical core where not given.
        limits: How large a part may be.
        translation_seconds: How long the translator may take.
        clock: The time, in UTC.

    Raises:
        BadArgument: If an argument cannot be what it is.
    """
    for name, value in (("session_id", session_id), ("event_id", event_id), ("originator_id", originator_id)):
        _check_text(name, value)
    if slot_key is not None:
        _check_text("slot_key", slot_key)
    if merge_strategy not in MERGE_STRATEGIES:
        raise BadArgument("merge_strategy", f"it is one of {', '.join(MERGE_STRATEGIES)}")
    known_states = ConversationStateRegistry.canonical() if states is None else states
    _check_state(conversation_state, known_states)
    _check_parts("parts", parts)
    _check_parts("mailbox", mailbox)
    types = _known_types(registry)
    if not callable(clock) or clock().tzinfo is None:
        raise BadArgument("clock", "it is a function that says the time with its zone")
    # What is all there at the start may be read again, by receivers that are not known yet.
    again = isinstance(parts, Sequence)
    envelope: AgentResponseEnvelope

    def meta() -> Mapping[str, Any]:
        return envelope.meta()

    turn = Turn(
        parts=parts,
        mailbox=mailbox,
        registry=types,
        surfaces=SurfaceTemplates() if surfaces is None else surfaces,
        stamps=Stamps(slot_key, merge_strategy),
        limits=limits,
        audit=audit,
        meta=meta,
        renders=again,
        keeps_said=again and translator is not None,
    )
    envelope = AgentResponseEnvelope(
        turn,
        session_id=session_id,
        event_id=event_id,
        originator_id=originator_id,
        settles_as=conversation_state if callable(conversation_state) else lambda: conversation_state,
        states=known_states,
        contexts=Contexts(translator, translation_seconds),
        clock=clock,
        again=again,
    )
    return envelope


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str) or not value:
        raise BadArgument(name, "it is a text that is not empty")


def _check_parts(name: str, given: object) -> None:
    # One part is an iterable as well, of its members.
    if isinstance(given, (str, bytes, Mapping, Part)) or not isinstance(given, (Iterable, AsyncIterable)):
        raise BadArgument(name, "give a list of parts, or an iterable of them")


def _known_types(registry: PartTypeRegistry | None) -> PartTypeRegistry:
    types = PartTypeRegistry.canonical() if registry is None else registry
    if not isinstance(types, PartTypeRegistry) or not set(types) >= CANONICAL:
        raise BadArgument("registry", "begin with PartTypeRegistry.canonical(), and register your own types")
    return types


def _check_state(state: str | Callable[[], str], known: ConversationStateRegistry) -> None:
    if not callable(state) and (not isinstance(state, str) or state not in known):
        raise BadArgument("conversation_state", f"it is one of {', '.join(known)}, or a function")
