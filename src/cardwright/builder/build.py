"""`build_agent_card`: from Python values to a card without errors."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, overload

import orjson

from cardwright.builder import a2a, beach
from cardwright.builder.arguments import items, kind
from cardwright.builder.described import DescribedFunction, is_function
from cardwright.builder.signatures import name_of
from cardwright.canonical import DEFAULT_LIMITS
from cardwright.card import Card
from cardwright.errors import BadArgument, MalformedDocument
from cardwright.registries import Registries
from cardwright_runtime.violation import steps_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeAlias

    from cardwright.builder.security import Requirement, Scheme
    from cardwright_models.a2a_v1_0 import models as of_a2a
    from cardwright_models.beach_v1_0 import models as of_beach
    from cardwright_runtime.violation import Violation

    Members: TypeAlias = Mapping[str, object]
    Function: TypeAlias = Callable[..., object] | DescribedFunction[..., object]
    Clock: TypeAlias = Callable[[], datetime]

# What only one of the two kinds of card has.
_OF_A2A: Final = frozenset(
    {
        *("url", "binding", "protocol_versions", "interfaces", "skills", "input_modes", "output_modes"),
        *("documentation_url", "icon_url", "streaming", "push_notifications", "extended_agent_card"),
        *("security_schemes", "security"),
    }
)
_OF_BEACH: Final = frozenset(
    {"id", "capabilities", "transports", "display_name", "envelope", "contact", "schema_version"}
)


@overload
def build_agent_card(
    *,
    name: str,
    description: str,
    version: str,
    skills: Iterable[of_a2a.AgentSkill | Members | Function],
    url: str | None = None,
    binding: str | None = None,
    protocol_versions: Iterable[str] | None = None,
    interfaces: Iterable[of_a2a.AgentInterface | Members] | None = None,
    provider: of_a2a.AgentProvider | Members | None = None,
    documentation_url: str | None = None,
    icon_url: str | None = None,
    input_modes: Iterable[str] | None = None,
    output_modes: Iterable[str] | None = None,
    streaming: bool | None = None,
    push_notifications: bool | None = None,
    extended_agent_card: bool | None = None,
    extensions: Iterable[of_a2a.AgentExtension | Members] | None = None,
    security_schemes: Mapping[str, Scheme] | None = None,
    security: Iterable[Requirement] | None = None,
    beach: of_beach.BeachExtensionParams | Members | None = None,
    clock: Clock | None = None,
    registries: Registries | None = None,
) -> Card: ...
@overload
def build_agent_card(
    *,
    id: str,
    name: str,
    description: str,
    version: str,
    capabilities: Iterable[of_beach.Capability | Members | Function],
    transports: Iterable[of_beach.Transport | Members],
    display_name: str | None = None,
    provider: of_beach.Provider | Members | None = None,
    envelope: of_beach.EnvelopeBlock | Members | None = None,
    beach: of_beach.BeachExtension | Members | None = None,
    extensions: Mapping[str, Members] | None = None,
    contact: of_beach.Contact | Members | None = None,
    schema_version: str | None = None,
    clock: Clock | None = None,
    registries: Registries | None = None,
) -> Card: ...
def build_agent_card(  # noqa: PLR0913 - one argument, one member
    *,
    name: str,
    description: str,
    version: str,
    skills: Any = None,
    url: Any = None,
    binding: Any = None,
    protocol_versions: Any = None,
    interfaces: Any = None,
    provider: Any = None,
    documentation_url: Any = None,
    icon_url: Any = None,
    input_modes: Any = None,
    output_modes: Any = None,
    streaming: Any = None,
    push_notifications: Any = None,
    extended_agent_card: Any = None,
    extensions: Any = None,
    security_schemes: Any = None,
    security: Any = None,
    id: Any = None,  # noqa: A002 - the member's name
    capabilities: Any = None,
    transports: Any = None,
    display_name: Any = None,
    envelope: Any = None,
    beach: Any = None,
    contact: Any = None,
    schema_version: Any = None,
    clock: Clock | None = None,
    registries: Registries | None = None,
) -> Card:
    """Build a card that has no error, of A2A 1.0 or, where `id` or another member of its own is given, of Beach 1.0.

    Whatever takes a model of `cardwright_models` takes a mapping, too, with wire names or Python names.
    Arguments that are left out, or None, are no member of the card.

    Args:
        name: What people call the agent.
        description: What it is for.
        version: Release of the agent itself.
        skills: A2A: functions, models or mappings; see `cardwright.builder.skill`. What functions take and
            give stands in the extension `https://cardwright.dev/extensions/skill-schemas/v1`.
        url: A2A: where the agent is; `interfaces` for several places.
        binding: A2A: what is spoken at `url`; JSONRPC where not given.
        protocol_versions: A2A: the versions spoken at `url`; 1.0 where not given.
        interfaces: A2A: every place with its binding and version, most preferred first.
        provider: Who runs the agent.
        documentation_url: A2A: a page that explains it.
        icon_url: A2A: a picture of it.
        input_modes: A2A: media types that every skill reads; text/plain where not given.
        output_modes: A2A: media types that every skill gives; text/plain where not given.
        streaming: A2A: whether it streams.
        push_notifications: A2A: whether clients may register webhooks.
        extended_agent_card: A2A: whether authenticated callers can fetch a fuller card.
        extensions: A2A: extensions; Beach: blocks by their names.
        security_schemes: A2A: ways to authenticate, by the names that `security` uses.
        security: A2A: what a caller must present, such as `[{"oauth": ["read"]}]`.
        id: Beach: identifier, unique within the provider.
        capabilities: Beach: functions, models or mappings; see `cardwright.builder.capability`.
        transports: Beach: how to reach the agent.
        display_name: Beach: name with branding.
        envelope: Beach: which parts it sends and understands.
        beach: Beach: the block `extensions.beach`; A2A: the parameters of the extension
            `BEACH_EXTENSION_URI`, which is declared where they are given, be they empty.
        contact: Beach: where people ask.
        schema_version: Beach: version of the card format; 1.0 where not given.
        clock: Says when the card is made, with a time zone: `lambda: datetime.now(UTC)`. It becomes
            `generatedAt` (Beach card seed, Caching), on an A2A card only beside `beach`.
        registries: What the application has registered, to judge the card by.

    >>> card = build_agent_card(
    ...     name="Tides",
    ...     description="Answers when the water is high.",
    ...     version="1.0.0",
    ...     url="https://tides.example.com/a2a",
    ...     skills=[{"id": "times", "name": "Times", "description": "Finds times.", "tags": ["sea"]}],
    ... )
    >>> card.valid, card.document["defaultInputModes"]
    (True, ['text/plain'])

    Raises:
        InvalidCard: With all violations, if there is an error among them.
        BadArgument: If an argument has the wrong type, is missing, or is of the other kind of card.
        BadFunction: If a function cannot be described.
        MalformedDocument: If a text holds what JSON cannot, or the card is past `DEFAULT_LIMITS`.
    """
    arguments = locals()
    given = {
        argument: value
        for argument, value in arguments.items()
        if value is not None and argument not in {"clock", "registries"}
    }
    return _built(given, None if clock is None else _time(clock), registries)


def _built(given: dict[str, Any], generated_at: str | None, registries: Registries | None) -> Card:
    for name in ("name", "description", "version"):
        if name not in given:
            raise BadArgument(name, "must be a text, not None")
    if registries is not None and not isinstance(registries, Registries):
        raise BadArgument("registries", f"must be a Registries, not {kind(registries)}")
    # A generator is read once to be built and once to be told of.
    given |= {name: items(name, given[name]) for name in ("skills", "capabilities") if name in given}
    of_beach = _is_beach(given)
    room = beach if of_beach else a2a
    card = Card.from_document(room.document(given, generated_at), dialect=room.NAME, registries=registries)
    if len(orjson.dumps(card.document)) > DEFAULT_LIMITS.max_bytes:
        reason = f"the card has more than {DEFAULT_LIMITS.max_bytes:,} bytes: readers refuse it"
        raise MalformedDocument("decode/too-large", reason)
    if not card.valid and not of_beach:
        told = tuple(_hinted(violation, given["skills"]) for violation in card.violations)
        card = replace(card, violations=told)
    return card.check()


def _is_beach(given: Mapping[str, Any]) -> bool:
    """Return which kind of card the arguments make; refuse what makes neither, or both."""
    of_a2a, of_beach = (sorted(names & given.keys()) for names in (_OF_A2A, _OF_BEACH))
    if of_a2a and of_beach:
        reason = (
            f"is of a Beach card, and {', '.join(f'{name}=' for name in of_a2a)} of an A2A card:"
            " give those of one; of an A2A card skills=, of a Beach card capabilities= and transports="
        )
        raise BadArgument(", ".join(of_beach), reason)
    if not of_beach and "skills" not in given:
        more = "" if of_a2a else ", or id=, capabilities= and transports= for a Beach card"
        raise BadArgument("skills", f"an A2A card says what the agent can do: give skills={more}")
    return bool(of_beach)


def _hinted(violation: Violation, skills: list[Any]) -> Violation:
    """Return a violation that says how Python mends it, where a function was given no tag."""
    steps = steps_of(violation.pointer)
    if steps[:1] != ["skills"] or steps[2:] != ["tags"]:
        return violation
    function = skills[int(steps[1])]
    if isinstance(function, DescribedFunction):
        function = function.function
    if not is_function(function):
        return violation
    return replace(
        violation, message=f"{violation.message}; give {name_of(function)} some by skill(tags=[…])"
    )


def _time(clock: Clock) -> str:
    """Return what a clock says as RFC 3339 in UTC, to the second."""
    if not callable(clock):
        raise BadArgument("clock", f"must be a function that returns a datetime, not {kind(clock)}")
    now: object = clock()
    if not isinstance(now, datetime):
        raise BadArgument("clock", f"must return a datetime, not {kind(now)}")
    if now.utcoffset() is None:
        raise BadArgument(
            "clock", "returns a time without a time zone: write clock=lambda: datetime.now(UTC)"
        )
    try:
        return now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    except OverflowError as error:
        raise BadArgument("clock", f"returns {now}, which is no time in UTC") from error
