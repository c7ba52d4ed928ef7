"""`build_envelope`: from what a handler says to the stream that its receivers follow."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

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
    """Return the envelope of one turn: a stream of validated parts that ends with a settlement marker.

    A part that is wrong becomes an `error` part that names it, and a handler that raises one that says so; the rest
    arrives. Citations come when the turn settles, and one whose place is not in the domain data becomes an error.

    Source: Beach protocol seed, Envelope assembly; Slot keys and merge strategy; Surface template registration.

    Args:
        session_id: The session of the conversation.
        event_id: The event of the handler's invocation: one turn.
        originator_id: The participant whom the turn answers.
        conversation_state: The state in which the turn ends, or a function that is called then. A turn that waits for an
            approval ends as `suspended` and not as `complete`; one whose handler raises ends as `error`.
        parts: Parts of the handler, or mappings in its form or the wire's: an async iterable, or all at once.
        mailbox: The turn's events before it; what they hold as data comes first, as one domain object.
        slot_key: The slot of domain data that names none, and of citations of it.
        merge_strategy: `replace`, `append` or `deep-merge`, for that data; `deep-merge` where the mailbox held data.
        registry: The part types that are known; the canonical core where not given.
        surfaces: Templates of surfaces, by kind of data; where not given, those for approvals alone.
        translator: Writes `llm-context`, once for a turn and language, and only if a receiver takes it.
        audit: Keeps what is for the audit record alone, such as reasoning.
        states: The conversation states that are known; the canonical core where not given.
        limits: How large a part may be.
        translation_seconds: How long the translator may take.
        clock: The time, in UTC.

    Raises:
        BadArgument: If an argument cannot be what it is.
    """
    _check_texts(session_id=session_id, event_id=event_id, originator_id=originator_id)
    known_states = _known_states(states, conversation_state)
    _check_parts(parts=parts, mailbox=mailbox)
    stamps, types = _stamps(slot_key, merge_strategy), _known_types(registry)
    templates = SurfaceTemplates() if surfaces is None else surfaces
    # Parts that are all there at the start may be read again, by receivers that are not known yet.
    again = isinstance(parts, Sequence)
    kept = again and translator is not None
    return AgentResponseEnvelope(
        Turn(parts, mailbox, types, templates, stamps, limits, audit, renders=again, keeps_said=kept),
        session_id=session_id,
        event_id=event_id,
        originator_id=originator_id,
        settles_as=conversation_state if callable(conversation_state) else lambda: conversation_state,
        states=known_states,
        contexts=Contexts(translator, translation_seconds),
        clock=_checked_clock(clock),
        again=again,
    )


def _check_texts(**given: object) -> None:
    for name, value in given.items():
        if not isinstance(value, str) or not value:
            raise BadArgument(name, "it is a text that is not empty")


def _check_parts(**given: object) -> None:
    for name, value in given.items():
        # One part is an iterable as well, of its members.
        one = isinstance(value, (str, bytes, Mapping, Part))
        if one or not isinstance(value, (Iterable, AsyncIterable)):
            raise BadArgument(name, "give a list of parts, or an iterable of them")


def _stamps(slot_key: str | None, merge_strategy: str) -> Stamps:
    if slot_key is not None:
        _check_texts(slot_key=slot_key)
    if merge_strategy not in MERGE_STRATEGIES:
        raise BadArgument("merge_strategy", f"it is one of {', '.join(MERGE_STRATEGIES)}")
    return Stamps(slot_key, merge_strategy)


def _known_types(registry: PartTypeRegistry | None) -> PartTypeRegistry:
    types = PartTypeRegistry.canonical() if registry is None else registry
    if not isinstance(types, PartTypeRegistry) or not set(types) >= CANONICAL:
        raise BadArgument("registry", "begin with PartTypeRegistry.canonical(), and register your own types")
    return types


def _known_states(
    states: ConversationStateRegistry | None, state: str | Callable[[], str]
) -> ConversationStateRegistry:
    """Return the registry of states, which knows the state that is given."""
    known = ConversationStateRegistry.canonical() if states is None else states
    if not callable(state) and (not isinstance(state, str) or state not in known):
        raise BadArgument("conversation_state", f"it is one of {', '.join(known)}, or a function")
    return known


def _checked_clock(clock: Callable[[], datetime]) -> Callable[[], datetime]:
    if not callable(clock) or clock().tzinfo is None:
        raise BadArgument("clock", "it is a function that says the time with its zone")
    return clock
