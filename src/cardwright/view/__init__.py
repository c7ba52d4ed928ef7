"""View of a card of any dialect, valid or not: the same fields for all, with defaults applied."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from cardwright.view.fields import field_at, items, string, strings
from cardwright.view.interfaces import Interface, interfaces
from cardwright.view.security import RequiredScheme, Security, security_of, transport_security
from cardwright_rules import DIALECTS

if TYPE_CHECKING:
    from cardwright.view.interfaces import HasDocument

__all__ = [
    "CardView",
    "Interface",
    "Provider",
    "RequiredScheme",
    "Security",
    "SkillView",
    "flag",
    "output_modes",
    "view_of",
]


@dataclass(frozen=True, slots=True)
class Provider:
    """The organization that provides an agent; a text is "" if the card does not have it."""

    name: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class SkillView:
    """A skill of A2A, a capability of Beach or a tool of an MCP server, with the card's defaults applied.

    Attributes:
        id: The id; "" if the card has none.
        name: The name.
        description: The description.
        tags: The tags.
        examples: The examples.
        input_modes: The accepted media types: its own, or else those of the card.
        output_modes: The produced media types: its own, or else those of the card.
        security: The alternatives, of which one is enough: its own, or else those of the card.

    >>> from cardwright import Card
    >>> document = {"supportedInterfaces": [], "defaultInputModes": ["text/plain"], "skills": [{"id": "tides"}]}
    >>> skill = Card.from_document(document).view.skills[0]
    >>> skill.id, skill.input_modes, skill.security
    ('tides', ('text/plain',), ())
    """

    id: str
    name: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    input_modes: tuple[str, ...] = ()
    output_modes: tuple[str, ...] = ()
    security: Security = ()


@dataclass(frozen=True, slots=True)
class CardView:
    """What a card of any dialect says, with defaults applied; `card.view` returns it.

    A value of an unexpected type counts as absent: a text is then "", a flag False, a list empty. Texts are those of
    the card, as untrusted as the card.

    Attributes:
        name: The name; of a Beach card, its display name.
        description: The description.
        version: The version of the agent.
        interfaces: The interfaces in the card's order of preference, of a hybrid those of both halves.
        streaming: Whether the agent declares streaming.
        push_notifications: Whether it declares push notifications.
        state_transition_history: Whether it declares a history of state transitions (A2A 0.x).
        extended_card: Whether it declares an extended card for authenticated callers.
        input_modes: The media types that skills accept by default.
        output_modes: The media types that skills produce by default.
        security: The alternatives, of which one is enough; an empty one admits every caller, and so do none.
        skills: The skills; of a Beach card its capabilities, of an MCP server its tools.
        provider: The provider, or None.

    >>> from cardwright import Card
    >>> view = Card.from_document({"name": "A", "url": "https://a.example", "protocolVersion": "0.3.0"}).view
    >>> view.streaming, view.interfaces[0].binding, view.interfaces[0].version
    (False, 'JSONRPC', '0.3')
    """

    name: str
    description: str
    version: str
    interfaces: tuple[Interface, ...] = ()
    streaming: bool = False
    push_notifications: bool = False
    state_transition_history: bool = False
    extended_card: bool = False
    input_modes: tuple[str, ...] = ()
    output_modes: tuple[str, ...] = ()
    security: Security = ()
    skills: tuple[SkillView, ...] = ()
    provider: Provider | None = None


def view_of(card: HasDocument) -> CardView:
    """Return the view of a card."""
    document = card.document
    is_beach = card.dialect.family == "beach"
    input_modes, output_modes = (_modes(card, name) for name in ("defaultInputModes", "defaultOutputModes"))
    security = transport_security(document) if is_beach else security_of(document, document)
    defaults = CardView(
        name=(string(document, "displayName") if is_beach else "") or string(document, "name"),
        description=string(document, "description"),
        version=string(document, "version"),
        interfaces=interfaces(card),
        streaming=flag(document, "streaming"),
        push_notifications=flag(document, "pushNotifications"),
        state_transition_history=flag(document, "stateTransitionHistory"),
        # A card of one version may have interfaces of another: its own field name holds for them, too.
        extended_card=flag(document, "extendedAgentCard")
        or field_at(document, "supportsAuthenticatedExtendedCard") is True,
        input_modes=input_modes,
        output_modes=output_modes,
        security=security,
        provider=_provider(document, "name" if is_beach else "organization"),
    )
    return replace(defaults, skills=_skills(card, defaults))


def flag(document: Any, name: str) -> bool:
    """Return whether a card declares a capability of A2A, such as `streaming`.

    >>> flag({"capabilities": {"streaming": True}}, "streaming"), flag({}, "streaming")
    (True, False)
    """
    return field_at(document, "capabilities", name) is True


def output_modes(card: HasDocument) -> tuple[str, ...]:
    """Return all media types that the agent of a card may send: its own, and those of its skills.

    >>> from cardwright import Card
    >>> document = {"name": "A", "defaultOutputModes": ["text/plain"], "skills": [{"outputModes": ["image/png"]}]}
    >>> output_modes(Card.from_document({**document, "url": "https://a.example", "protocolVersion": "0.3.0"}))
    ('text/plain', 'image/png')
    """
    of_skills = (mode for skill in items(card.document, "skills") for mode in strings(skill, "outputModes"))
    return tuple(dict.fromkeys((*_modes(card, "defaultOutputModes"), *of_skills)))


def _modes(card: HasDocument, name: str) -> tuple[str, ...]:
    return strings(card.document, name) or _default_modes(str(card.dialect), name)


@cache
def _default_modes(dialect: str, name: str) -> tuple[str, ...]:
    """Return the default in the schema of a dialect; a hybrid has none."""
    row = DIALECTS[dialect]
    return strings(row.schema(), "properties", name, "default") if row.schema_id else ()


def _provider(document: Any, name: str) -> Provider | None:
    """Return the provider; some cards have its name in place of the object."""
    provider = Provider(
        string(document, "provider") or string(document, "provider", name),
        string(document, "provider", "url"),
    )
    return provider if provider.name or provider.url else None


def _skills(card: HasDocument, defaults: CardView) -> tuple[SkillView, ...]:
    is_beach = card.dialect.family == "beach"
    return tuple(
        _skill(card.document, skill, defaults, is_beach=is_beach)
        for skill in items(card.document, "capabilities" if is_beach else "skills")
        if isinstance(skill, dict)
    )


def _skill(document: Any, skill: dict[str, Any], defaults: CardView, *, is_beach: bool) -> SkillView:
    if is_beach:
        security = transport_security(document, strings(skill, "requiredScopes"))
    else:
        security = security_of(document, skill) or defaults.security
    return SkillView(
        id=string(skill, "id"),
        name=string(skill, "name"),
        description=string(skill, "description"),
        tags=strings(skill, "tags"),
        examples=strings(skill, "examples"),
        input_modes=strings(skill, "inputModes") or defaults.input_modes,
        output_modes=strings(skill, "outputModes") or defaults.output_modes,
        security=security,
    )
