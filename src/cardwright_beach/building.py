"""`build_envelope`: turn the output of a handler into a stream for its receivers."""

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
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright.canonical import Limits
    from cardwright_beach.auditing import AuditSink
    from cardwright_beach.states import StateRouter
    from cardwright_beach.translation import Translator

# A fast model responds in a few seconds; the response does not wait longer than this (project decision).
TRANSLATION_SECONDS: Final = 30.0
# Time limit of the audit sink for one part (project decision).
AUDIT_SECONDS: Final = 5.0


def build_envelope(  # noqa: PLR0913 - keyword-only settings of a turn
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
    router: StateRouter | None = None,
    states: ConversationStateRegistry | None = None,
    limits: Limits = PART_LIMITS,
    translation_seconds: float = TRANSLATION_SECONDS,
    audit_seconds: float = AUDIT_SECONDS,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> AgentResponseEnvelope:
    """Return the envelope of one turn: a stream of validated parts that ends with a settlement marker.

    An invalid part is replaced by an `error` part; the other parts are delivered. An exception of the handler ends the
    turn with an `error` part. Citations are delivered when the turn settles; a citation of a path that is not in the
    domain data becomes an `error` part.

    Source: Beach protocol seed, Envelope assembly; Slot keys and merge strategy; Surface template registration.

    Args:
        session_id: The session of the conversation.
        event_id: The event id of the handler's invocation: one turn.
        originator_id: The participant whose request the turn responds to.
        conversation_state: The final state of the turn, or a function that returns it. A `complete` turn with a pending
            approval ends as `suspended`; a turn whose handler raises ends as `error`.
        parts: Parts, or mappings in the handler's form or in wire form: a list, an iterable or an async iterable.
        mailbox: Earlier events of the turn; their data is sent first, combined into one `domain-data` part.
        slot_key: Default slot of domain data and of citations.
        merge_strategy: Default strategy for that data: `replace`, `append` or `deep-merge`. If the mailbox has data,
            `replace` becomes `deep-merge`.
        registry: Known part types; default: the canonical core.
        surfaces: Surface templates by kind of data; default: only the approval surface.
        translator: Writes `llm-context`, once per turn and language, and only if a receiver takes it.
        audit: Records parts that are only for the audit, such as reasoning.
        router: The session state, which `setState` parts of the handler change before they are delivered; without it
            the application applies them.
        states: Known conversation states; default: the canonical core.
        limits: Size limits of a part.
        translation_seconds: Time limit of the translator.
        audit_seconds: Time limit of `audit` for one part.
        clock: Returns the current time in UTC.

    Raises:
        BadArgument: If an argument is not valid.
    """
    _check_texts(session_id=session_id, event_id=event_id, originator_id=originator_id)
    known_states = _known_states(states, conversation_state)
    _check_parts(parts=parts, mailbox=mailbox)
    stamps, types = _stamps(slot_key, merge_strategy), _known_types(registry)
    templates = SurfaceTemplates() if surfaces is None else surfaces
    # A sequence of parts can be read again by receivers that come later.
    again = isinstance(parts, Sequence)
    keeps_text = again and translator is not None
    turn = Turn(
        parts, mailbox, types, templates, stamps, limits, audit, router, audit_seconds, again, keeps_text
    )
    return AgentResponseEnvelope(
        turn,
        session_id=session_id,
        event_id=event_id,
        originator_id=originator_id,
        settles_as=conversation_state if callable(conversation_state) else lambda: conversation_state,
        states=known_states,
        contexts=Contexts(translator, translation_seconds),
        clock=_checked_clock(clock),
        again=again,
    )


def _check_texts(**values: object) -> None:
    for name, value in values.items():
        if not isinstance(value, str) or not value:
            raise BadArgument(name, "must be a non-empty string")


def _check_parts(**values: object) -> None:
    for name, value in values.items():
        # A single part is also an iterable: of its fields or characters.
        single = isinstance(value, (str, bytes, Mapping, Part))
        if single or not isinstance(value, (Iterable, AsyncIterable)):
            raise BadArgument(name, "must be a list or another iterable of parts")


def _stamps(slot_key: str | None, merge_strategy: str) -> Stamps:
    if slot_key is not None:
        _check_texts(slot_key=slot_key)
    if merge_strategy not in MERGE_STRATEGIES:
        raise BadArgument(
            "merge_strategy", f"must be one of {', '.join(MERGE_STRATEGIES)}, not {quote(merge_strategy)}"
        )
    return Stamps(slot_key, merge_strategy)


def _known_types(registry: PartTypeRegistry | None) -> PartTypeRegistry:
    types = PartTypeRegistry.canonical() if registry is None else registry
    if not isinstance(types, PartTypeRegistry) or not set(types) >= CANONICAL:
        raise BadArgument(
            "registry",
            "must contain all canonical types: start with PartTypeRegistry.canonical() and register your own types",
        )
    return types


def _known_states(
    states: ConversationStateRegistry | None, state: str | Callable[[], str]
) -> ConversationStateRegistry:
    """Return the registry of states; refuse a state that it does not contain."""
    known = ConversationStateRegistry.canonical() if states is None else states
    if not callable(state) and (not isinstance(state, str) or state not in known):
        raise BadArgument(
            "conversation_state", f"must be one of {', '.join(known)}, or a function, not {quote(state)}"
        )
    return known


def _checked_clock(clock: Callable[[], datetime]) -> Callable[[], datetime]:
    if not callable(clock) or clock().tzinfo is None:
        raise BadArgument("clock", "must be a function that returns a time with a time zone")
    return clock
