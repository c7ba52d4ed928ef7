"""What a receiver gets of a part type, and when: the delivery table, and what stands above it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from cardwright_beach.validate import CANONICAL

if TYPE_CHECKING:
    from cardwright_beach.delivery.receiver import Receiver
    from cardwright_models.vocabulary import PartTypeEntry

# now: as it comes. settle: when the turn settles. final: then too, and only what it comes to.
Action: TypeAlias = Literal["now", "settle", "final", "drop"]

# Beach protocol seed, Delivery rules per transport class; the words are those of `DELIVERY_RULES`.
_WHEN: Final[dict[str, dict[str, tuple[Action, str]]]] = {
    "streaming": {
        "flush": ("now", "it goes out as it comes"),
        "delta": ("now", "increments go out as they come"),
        "once": ("now", "it goes out as soon as it is there"),
        "settle": ("settle", "it goes out when the turn settles"),
        "final": ("final", "only its last state goes out, when the turn settles"),
        "reference": ("now", "it goes out as it comes, by its URL where it has one"),
        "attach": ("now", "it goes out as it comes, with its bytes"),
        "relay": ("now", "it goes to an agent as it is"),
    },
    "buffered": {
        "flush": ("now", "it goes out as it comes, ahead of the message"),
        "delta": ("final", "what the increments come to goes out when the turn settles"),
        "once": ("settle", "it goes out when the turn settles"),
        "settle": ("settle", "it goes out when the turn settles"),
        "final": ("final", "only its last state goes out, when the turn settles"),
        "reference": ("settle", "it goes out when the turn settles, by its URL where it has one"),
        "attach": ("settle", "it goes out when the turn settles, with its bytes"),
        "relay": ("settle", "it goes to an agent as it is, when the turn settles"),
    },
}
_NEVER: Final = {
    "audit": "it is for the audit record alone",
    "inbound": "it comes in and never goes out",
    "drop": "its rule for this class of transport is to drop it",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a part type at one receiver, and why."""

    action: Action
    reason: str


def verdict(entry: PartTypeEntry, receiver: Receiver) -> Verdict:
    """Return what a receiver gets of a part type.

    Source: Beach protocol seed, Delivery rules per transport class; Consumer-defined part types; setState
    part schema; Agent Card advertising.
    """
    refusal = _refusal(entry, receiver)
    if refusal:
        return Verdict("drop", refusal)
    rule = rule_of(entry, receiver)
    action, reason = _WHEN[receiver.delivery_class][rule]
    return Verdict(action, f"{rule}: {reason}")


def rule_of(entry: PartTypeEntry, receiver: Receiver) -> str:
    """Return the word of a part type's delivery rule for a receiver's class of transport."""
    return entry.streaming if receiver.delivery_class == "streaming" else entry.buffered


def _refusal(entry: PartTypeEntry, receiver: Receiver) -> str:
    """Return why a receiver gets no part of a type; "" where it does."""
    rule = rule_of(entry, receiver)
    if rule in _NEVER:
        return f"{rule}: {_NEVER[rule]}"
    if entry.a2a_kind is None:
        return "it travels in no kind of A2A part"
    allowed = entry.allowed_transports
    if allowed is not None and receiver.transport not in allowed:
        return f"it may only use {', '.join(allowed) or 'no transport'}, and this is {receiver.transport}"
    if entry.requires_peer_consumes and entry.name not in receiver.consumes:
        return "it only goes to who lists it as consumed"
    if receiver.peer == "other" and entry.name not in CANONICAL:
        return "the peer's card has no Beach extension, so it gets the standard parts alone"
    if rule == "relay" and not receiver.is_agent:
        return "relay: it is for agents, and left out for people"
    return ""
