"""Receivers of an envelope: a channel of the application, or a peer described by its card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from cardwright.card import Card
from cardwright.errors import BadArgument, BadName
from cardwright.registries import DELIVERY_CLASSES
from cardwright.view import flag
from cardwright.view.interfaces import BEACH_EXTENSION_URI
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright.registries import TransportRegistry

DeliveryClass: TypeAlias = Literal["streaming", "buffered"]
Peer: TypeAlias = Literal["beach", "other"]

# Transports that lead to an agent, not a person (Beach Agent Card, Transport entry), in order of preference.
AGENT_TRANSPORTS: Final = ("a2a", "mcp")


@dataclass(frozen=True, slots=True)
class Transport:
    """Channel of the application, with the abilities of its receiver.

    Attributes:
        name: A name of the transport registry, such as `sse` or `smtp`.
        delivery_class: `streaming` (parts are sent as they arrive) or `buffered` (parts are sent in one message when
            the turn settles); None for the class in the registry.
        consumes: The part types that the receiver accepts; it gets no others, except `clarify`, `error` and
            `setState`. None: every type that the transport allows; `llm-context`, and over `a2a` and `mcp` also the
            types registered with `requires_peer_consumes`, are only sent if listed.
        a2ui_catalog: The A2UI catalogue that it renders. None: a streaming channel gets every surface, a buffered
            one none.
        llm_context_language: The language of `llm-context`, as a BCP 47 tag.
        peer: `beach` or `other` for an agent whose card is unknown, with or without Beach; None for a channel of the
            application.
    """

    name: str
    delivery_class: DeliveryClass | None = None
    consumes: tuple[str, ...] | None = None
    a2ui_catalog: str | None = None
    llm_context_language: str | None = None
    peer: Peer | None = None


@dataclass(frozen=True, slots=True)
class Receiver:
    """Properties of a receiver that the delivery rules use.

    Attributes:
        transport: The name of the transport; "" if a card names none.
        delivery_class: `streaming` or `buffered`.
        peer: `beach` for a peer whose card supports Beach, `other` for any other peer, None for a channel.
        consumes: The part types that it lists as accepted; None if it has no such list.
        catalogue: The A2UI catalogue that it renders, or None.
        language: The language of `llm-context`, or None.
    """

    transport: str
    delivery_class: DeliveryClass
    peer: Peer | None = None
    consumes: frozenset[str] | None = None
    catalogue: str | None = None
    language: str | None = None

    @property
    def is_agent(self) -> bool:
        """Whether the receiver is an agent, not a person."""
        return self.peer is not None or self.transport in AGENT_TRANSPORTS


def receiver_of(
    to: Card | Transport, transports: TransportRegistry, *, over: Transport | None, language: str | None
) -> Receiver:
    """Return the receiver for a channel or a peer's card.

    Args:
        to: A channel, or a peer's card.
        transports: Known transports.
        over: Overrides the transport of a peer's card.
        language: Overrides the `llm-context` language.

    Raises:
        BadArgument: If `to` is neither, or a value of the channel is not valid.
        BadName: If a transport is not registered.
    """
    if language is not None and not isinstance(language, str):
        raise BadArgument("language", "must be a BCP 47 tag, such as en-GB")
    if over is not None and not isinstance(over, Transport):
        raise BadArgument("over", "must be a Transport")
    if isinstance(to, Transport):
        if over is not None:
            raise BadArgument("over", "is only allowed with a card; `to` is a Transport already")
        _check(to)
        return Receiver(
            to.name,
            _class_of(to, transports),
            peer=to.peer,
            consumes=None if to.consumes is None else frozenset(to.consumes),
            catalogue=to.a2ui_catalog,
            language=language or to.llm_context_language,
        )
    if not isinstance(to, Card):
        raise BadArgument("to", "must be a peer's Card or a Transport")
    envelope = _envelope_settings(to)
    consumes = (envelope or {}).get("consumes")
    name, delivery_class = _transport_of(to, transports)
    if over is not None:
        name, delivery_class = over.name, _class_of(over, transports)
    return Receiver(
        name,
        delivery_class,
        peer="other" if envelope is None else "beach",
        consumes=None if consumes is None else frozenset(_texts(consumes)),
        catalogue=_text((envelope or {}).get("a2uiCatalog")),
        language=language or _text((envelope or {}).get("llmContextLanguage")),
    )


def _check(channel: Transport) -> None:
    """Refuse invalid values of a channel."""
    consumes: object = channel.consumes
    if consumes is not None and (
        not isinstance(consumes, (tuple, list, set, frozenset))
        or not all(isinstance(part_type, str) for part_type in consumes)
    ):
        raise BadArgument("consumes", "must be a tuple of part types, or None")
    if channel.peer not in (None, "beach", "other"):
        raise BadArgument("peer", f"must be beach, other or None, not {quote(channel.peer)}")
    for name in ("a2ui_catalog", "llm_context_language"):
        if not isinstance(getattr(channel, name), (str, type(None))):
            raise BadArgument(name, "must be a string")


def _class_of(transport: Transport, transports: TransportRegistry) -> DeliveryClass:
    if not isinstance(transport.name, str) or transport.name not in transports:
        raise BadName("transports", transport.name, f"a registered transport: {', '.join(transports)}")
    delivery_class = transport.delivery_class
    if delivery_class is not None and delivery_class not in DELIVERY_CLASSES:
        raise BadArgument("delivery_class", f"must be streaming or buffered, not {quote(delivery_class)}")
    return delivery_class or _default_class(transport.name, transports)


def _default_class(name: str, transports: TransportRegistry) -> DeliveryClass:
    return "streaming" if transports[name].delivery_class == "streaming" else "buffered"


def _envelope_settings(card: Card) -> dict[str, Any] | None:
    """Return the envelope settings of a card, by Beach field names; None if the card does not support Beach.

    Source: Beach Agent Card, Envelope block; Beach protocol seed, Agent Card advertising.
    """
    document = card.document
    if card.dialect.family == "beach":
        block = document.get("envelope")
        return block if type(block) is dict else {}
    capabilities = document.get("capabilities")
    extensions = capabilities.get("extensions") if type(capabilities) is dict else None
    for extension in extensions if type(extensions) is list else ():
        if type(extension) is dict and extension.get("uri") == BEACH_EXTENSION_URI:
            params = extension.get("params")
            settings: dict[str, Any] = params if type(params) is dict else {}
            return {**settings, "consumes": settings.get("envelopeConsumes")}
    return None


def _transport_of(card: Card, transports: TransportRegistry) -> tuple[str, DeliveryClass]:
    """Return the preferred transport of a peer, and its delivery class."""
    document = card.document
    if card.dialect.family == "beach":
        entries = document.get("transports")
        named = [
            name
            for entry in (entries if type(entries) is list else ())
            if type(entry) is dict and (name := _text(entry.get("protocol")))
        ]
        # An unregistered transport is returned, too; part types with `allowed_transports` are not sent over it.
        known = [name for name in named if name in transports]
        name = next((choice for choice in (*AGENT_TRANSPORTS, *known, *named) if choice in named), "")
        return name, _default_class(name, transports) if name in transports else "buffered"
    if card.dialect.family == "mcp":
        return "mcp", "buffered"
    return "a2a", "streaming" if flag(document, "streaming") else "buffered"


def _texts(value: Any) -> list[str]:
    return [one for one in value if type(one) is str] if type(value) is list else []


def _text(value: Any) -> str | None:
    return value if type(value) is str and value else None
