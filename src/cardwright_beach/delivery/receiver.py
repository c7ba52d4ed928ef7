"""Who an envelope goes to: a channel, or a peer as its card describes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from cardwright.card import Card
from cardwright.conversion.extensions import BEACH_EXTENSION_URI
from cardwright.errors import BadArgument, BadName
from cardwright.registries import DELIVERY_CLASSES

if TYPE_CHECKING:
    from cardwright.registries import TransportRegistry

DeliveryClass: TypeAlias = Literal["streaming", "buffered"]

# Transports at whose other end an agent is, and no person (Beach Agent Card, Transport entry); a peer of
# several is reached by the first of these.
AGENT_TRANSPORTS: Final = ("a2a", "mcp")


@dataclass(frozen=True, slots=True)
class Transport:
    """A channel that the application runs itself, and what is at its other end.

    Attributes:
        name: A name of the transport registry, such as `sse` or `smtp`.
        delivery_class: `streaming`, where parts go out as they come, or `buffered`, where they go out in one
            message when the turn settles; what the registry says of the transport where None.
        consumes: The part types that its other end understands, of those that need such leave.
        a2ui_catalog: The A2UI catalogue that it renders; None where it renders none, or any.
        llm_context_language: The language it wants `llm-context` in, as a BCP 47 tag.
    """

    name: str
    delivery_class: DeliveryClass | None = None
    consumes: tuple[str, ...] = ()
    a2ui_catalog: str | None = None
    llm_context_language: str | None = None


@dataclass(frozen=True, slots=True)
class Receiver:
    """What the rules ask of a receiver.

    Attributes:
        transport: The name of the transport; "" where a card names none.
        delivery_class: `streaming` or `buffered`.
        peer: `beach` for a peer whose card speaks Beach, `other` for one whose card does not, None for a channel.
        consumes: The part types that it lists as understood.
        catalogue: The A2UI catalogue it renders, or None where it says none.
        language: The language it wants `llm-context` in, or None.
    """

    transport: str
    delivery_class: DeliveryClass
    peer: Literal["beach", "other"] | None = None
    consumes: frozenset[str] = frozenset()
    catalogue: str | None = None
    language: str | None = None

    @property
    def is_agent(self) -> bool:
        """Whether an agent is at the other end, and no person."""
        return self.peer is not None or self.transport in AGENT_TRANSPORTS


def receiver_of(
    to: Card | Transport, transports: TransportRegistry, *, over: Transport | None, language: str | None
) -> Receiver:
    """Return what is known of a receiver.

    Args:
        to: A channel, or a peer's card.
        transports: The transports that are known.
        over: How a peer is reached, where that is known better than its card says.
        language: The language that the receiver asks for, whatever its card says.

    Raises:
        BadArgument: If `to` is neither, or its delivery class is none.
        BadName: If a transport is not registered.
    """
    if language is not None and not isinstance(language, str):
        raise BadArgument("language", "it is a BCP 47 tag, such as en-GB")
    if over is not None and not isinstance(over, Transport):
        raise BadArgument("over", "it is a Transport")
    if isinstance(to, Transport):
        if over is not None:
            raise BadArgument("over", "only a peer's card says too little of how it is reached")
        _check(to)
        return Receiver(
            to.name,
            _class_of(to, transports),
            consumes=frozenset(to.consumes),
            catalogue=to.a2ui_catalog,
            language=language or to.llm_context_language,
        )
    if not isinstance(to, Card):
        raise BadArgument("to", "give a peer's Card or a Transport")
    said = _said(to)
    name, delivery_class = _reached(to, transports)
    if over is not None:
        name, delivery_class = over.name, _class_of(over, transports)
    return Receiver(
        name,
        delivery_class,
        peer="other" if said is None else "beach",
        consumes=frozenset(_texts((said or {}).get("consumes"))),
        catalogue=_text((said or {}).get("a2uiCatalog")),
        language=language or _text((said or {}).get("llmContextLanguage")),
    )


def _check(channel: Transport) -> None:
    """Refuse what a channel says and cannot mean."""
    consumes = channel.consumes
    if not isinstance(consumes, (tuple, list, set, frozenset)) or not all(
        isinstance(one, str) for one in consumes
    ):
        raise BadArgument("consumes", "it is a tuple of part types")
    for name in ("a2ui_catalog", "llm_context_language"):
        if not isinstance(getattr(channel, name), (str, type(None))):
            raise BadArgument(name, "it is a text")


def _class_of(transport: Transport, transports: TransportRegistry) -> DeliveryClass:
    if not isinstance(transport.name, str) or transport.name not in transports:
        raise BadName("transports", transport.name, f"one that is registered: {', '.join(transports)}")
    named = transport.delivery_class
    if named is not None and named not in DELIVERY_CLASSES:
        raise BadArgument("delivery_class", "it is streaming or buffered")
    return named or _usual(transport.name, transports)


def _usual(name: str, transports: TransportRegistry) -> DeliveryClass:
    return "streaming" if transports[name].delivery_class == "streaming" else "buffered"


def _said(card: Card) -> dict[str, Any] | None:
    """Return what a card says of envelopes, by the names of a Beach card; None where it speaks no Beach.

    Source: Beach Agent Card, Envelope block; Beach protocol seed, Agent Card advertising.
    """
    document = card.document
    if card.dialect.family == "beach":
        block = document.get("envelope")
        return block if type(block) is dict else {}
    capabilities = document.get("capabilities")
    extensions = capabilities.get("extensions") if type(capabilities) is dict else None
    for one in extensions if type(extensions) is list else ():
        if type(one) is dict and one.get("uri") == BEACH_EXTENSION_URI:
            params = one.get("params")
            said: dict[str, Any] = params if type(params) is dict else {}
            return {**said, "consumes": said.get("envelopeConsumes")}
    return None


def _reached(card: Card, transports: TransportRegistry) -> tuple[str, DeliveryClass]:
    """Return by which transport a peer is reached, and of which class that is."""
    document = card.document
    if card.dialect.family == "beach":
        entries = document.get("transports")
        named = [
            name
            for entry in (entries if type(entries) is list else ())
            if type(entry) is dict and (name := _text(entry.get("protocol")))
        ]
        # What is not registered is still what the card says: no rule that names a transport lets it pass.
        known = [name for name in named if name in transports]
        name = next((one for one in (*AGENT_TRANSPORTS, *known, *named) if one in named), "")
        return name, _usual(name, transports) if name in transports else "buffered"
    if card.dialect.family == "mcp":
        return "mcp", "buffered"
    capabilities = document.get("capabilities")
    streams = type(capabilities) is dict and capabilities.get("streaming") is True
    return "a2a", "streaming" if streams else "buffered"


def _texts(value: Any) -> list[str]:
    return [one for one in value if type(one) is str] if type(value) is list else []


def _text(value: Any) -> str | None:
    return value if type(value) is str and value else None
