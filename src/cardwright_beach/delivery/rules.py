"""Delivery rules: which receiver gets a part type, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from cardwright_beach.delivery.receiver import Receiver
    from cardwright_rules.vocabulary import PartTypeEntry

# now: immediately. settle: when the turn settles. final: when the turn settles, only the final state.
Action: TypeAlias = Literal["now", "settle", "final", "drop"]

# Beach protocol seed, Delivery rules per transport class; the keys are those of `DELIVERY_RULES`.
_WHEN: Final[dict[str, dict[str, tuple[Action, str]]]] = {
    "streaming": {
        "flush": ("now", "sent immediately"),
        "delta": ("now", "increments are sent immediately"),
        "once": ("now", "sent as soon as it is available"),
        "settle": ("settle", "sent when the turn settles"),
        "final": ("final", "only its final state is sent, when the turn settles"),
        "reference": ("now", "sent immediately, by URL if it has one"),
        "attach": ("now", "sent immediately, with its bytes"),
        "relay": ("now", "sent unchanged to an agent"),
    },
    "buffered": {
        "flush": ("now", "sent immediately, before the message"),
        "delta": ("final", "the result of the increments is sent when the turn settles"),
        "once": ("settle", "sent when the turn settles"),
        "settle": ("settle", "sent when the turn settles"),
        "final": ("final", "only its final state is sent, when the turn settles"),
        "reference": ("settle", "sent when the turn settles, by URL if it has one"),
        "attach": ("settle", "sent when the turn settles, with its bytes"),
        "relay": ("settle", "sent unchanged to an agent, when the turn settles"),
    },
}
_NEVER: Final = {
    "audit": "only for the audit record",
    "inbound": "only for incoming messages",
    "drop": "not sent over transports of this delivery class",
}

# What every A2A client can show: text, data and files (Beach protocol seed, Agent Card advertising: "the standard A2A
# Message parts"). The other canonical types mean something to a Beach agent only (project decision).
STANDARD: Final = frozenset({"response", "clarify", "error", "domain-data", "artifact"})
# Sent although `consumes` does not list them: without an error or a question a turn ends unexplained (project decision),
# and a proposal passes to agents unchanged (Beach protocol seed, setState part schema).
_ALWAYS_ACCEPTED: Final = frozenset({"clarify", "error", "setState"})


@dataclass(frozen=True, slots=True)
class DeliveryDecision:
    """Delivery action for a part type at one receiver, with the reason."""

    action: Action
    reason: str


def decide(entry: PartTypeEntry, receiver: Receiver) -> DeliveryDecision:
    """Return the delivery action for a part type at a receiver.

    Source: Beach protocol seed, Delivery rules per transport class; Consumer-defined part types; setState
    part schema; Agent Card advertising.
    """
    refusal = _refusal(entry, receiver)
    if refusal:
        return DeliveryDecision("drop", refusal)
    rule = rule_of(entry, receiver)
    action, reason = _WHEN[receiver.delivery_class][rule]
    return DeliveryDecision(action, f"{rule}: {reason}")


def rule_of(entry: PartTypeEntry, receiver: Receiver) -> str:
    """Return the delivery rule of a part type for the delivery class of a receiver."""
    return entry.streaming if receiver.delivery_class == "streaming" else entry.buffered


def _refusal(entry: PartTypeEntry, receiver: Receiver) -> str:
    """Return why a receiver gets no parts of a type; "" if it gets them."""
    rule = rule_of(entry, receiver)
    if rule in _NEVER:
        return f"{rule}: {_NEVER[rule]}"
    if entry.a2a_kind is None:
        return "its part type has no A2A part kind"
    allowed = entry.allowed_transports
    if allowed is not None and receiver.transport not in allowed:
        return f"its part type allows only {', '.join(allowed) or 'no transport'}; this transport is {receiver.transport}"
    if receiver.peer == "other" and entry.name not in STANDARD:
        return f"the peer does not support Beach, so it gets only {', '.join(sorted(STANDARD))}"
    if not _accepts(receiver, entry):
        return "the receiver does not list it in consumes"
    if rule == "relay" and not receiver.is_agent:
        return "relay: only sent to agents"
    return ""


def _accepts(receiver: Receiver, entry: PartTypeEntry) -> bool:
    """Return whether a receiver accepts a part type: its list decides; without one, the type does.

    `requiresPeerConsumes` is about peers: a channel of the application, such as SSE to its own browser page, gets the
    types that the application allows on it. Only `llm-context` is written for the model of a peer.
    """
    if receiver.consumes is not None:
        return entry.name in receiver.consumes or entry.name in _ALWAYS_ACCEPTED
    return not entry.requires_peer_consumes or not (receiver.is_agent or entry.name == "llm-context")
