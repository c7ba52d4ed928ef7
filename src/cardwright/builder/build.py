"""`build_a2a_card`, `build_beach_card` and `build_agent_card`: from Python values to a card without errors.

Whatever takes a model of `cardwright_models` takes a mapping, too, with wire names or Python names.
Arguments that are left out, or None, are no field of the card.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, overload

import orjson

from cardwright.builder import a2a as a2a_card
from cardwright.builder import beach as beach_card
from cardwright.builder.arguments import items, kind
from cardwright.builder.described import DescribedFunction, is_function
from cardwright.builder.signatures import name_of
from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.errors import BadArgument, MalformedDocument
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

_REQUIRED: Final = ("name", "description", "version")


def build_a2a_card(  # noqa: PLR0913 - one argument, one field
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
    checks: Checks = DEFAULT_CHECKS,
) -> Card:
    """Build an A2A 1.0 card that has no error.

    Args:
        name: What people call the agent.
        description: What it is for.
        version: Release of the agent itself.
        skills: Functions, models or mappings; see `cardwright.builder.skill`. The schemas of functions stand
            in the extension `https://cardwright.dev/extensions/skill-schemas/v1`.
        url: Where the agent is; `interfaces` for several places.
        binding: The protocol binding at `url`; JSONRPC where not given.
        protocol_versions: The protocol versions at `url`; 1.0 where not given.
        interfaces: Every place with its binding and version, most preferred first.
        provider: Who runs the agent.
        documentation_url: A page that explains it.
        icon_url: A picture of it.
        input_modes: Media types that every skill reads; text/plain where not given.
        output_modes: Media types that every skill returns; text/plain where not given.
        streaming: Whether it streams.
        push_notifications: Whether clients may register webhooks.
        extended_agent_card: Whether authenticated callers can fetch a fuller card.
        extensions: Extensions of A2A.
        security_schemes: Ways to authenticate, by the names that `security` uses.
        security: What a caller must present, such as `[{"oauth": ["read"]}]`.
        beach: Parameters of the extension `BEACH_EXTENSION_URI`, which is declared where they are given.
        clock: The time, with its zone, for `generatedAt`; it is written only beside `beach`.
        checks: The registries, limits and rule sets to validate the card with.

    Raises:
        InvalidCard, BadArgument, BadFunction, MalformedDocument: As `build_agent_card`.
    """
    return _built(a2a_card.NAME, a2a_card.document, locals())


def build_beach_card(  # noqa: PLR0913 - one argument, one field
    *,
    id: str,  # noqa: A002 - the name of the field
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
    checks: Checks = DEFAULT_CHECKS,
) -> Card:
    """Build a Beach 1.0 card that has no error.

    Args:
        id: Identifier, unique within the provider.
        name: What people call the agent.
        description: What it is for.
        version: Release of the agent itself.
        capabilities: Functions, models or mappings; see `cardwright.builder.capability`.
        transports: How to reach the agent.
        display_name: Name with branding.
        provider: Who runs the agent.
        envelope: Which parts it sends and understands.
        beach: The block `extensions.beach`.
        extensions: Other blocks by their names.
        contact: Where people ask.
        schema_version: Version of the card format; 1.0 where not given.
        clock: The time, with its zone, for `generatedAt` (Beach card seed, Caching).
        checks: The registries, limits and rule sets to validate the card with.

    Raises:
        InvalidCard, BadArgument, BadFunction, MalformedDocument: As `build_agent_card`.
    """
    return _built(beach_card.NAME, beach_card.document, locals())


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
    checks: Checks = DEFAULT_CHECKS,
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
    checks: Checks = DEFAULT_CHECKS,
) -> Card: ...
def build_agent_card(  # noqa: PLR0913 - one argument, one field
    *,
    name: str,
    description: str,
    version: str,
    skills: object = None,
    url: object = None,
    binding: object = None,
    protocol_versions: object = None,
    interfaces: object = None,
    provider: object = None,
    documentation_url: object = None,
    icon_url: object = None,
    input_modes: object = None,
    output_modes: object = None,
    streaming: object = None,
    push_notifications: object = None,
    extended_agent_card: object = None,
    extensions: object = None,
    security_schemes: object = None,
    security: object = None,
    id: object = None,  # noqa: A002 - the name of the field
    capabilities: object = None,
    transports: object = None,
    display_name: object = None,
    envelope: object = None,
    beach: object = None,
    contact: object = None,
    schema_version: object = None,
    clock: Clock | None = None,
    checks: Checks = DEFAULT_CHECKS,
) -> Card:
    """Build a Beach card where `id` or another field of its own is given; an A2A card otherwise.

    Arguments are those of `build_a2a_card` or of `build_beach_card`.

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
        MalformedDocument: If a text holds what JSON cannot, or the card is past a limit.
    """
    given = {argument: value for argument, value in locals().items() if value is not None}
    room = beach_card if _is_beach(given) else a2a_card
    return _built(room.NAME, room.document, given)


def _built(
    dialect: str,
    document: Callable[[Mapping[str, Any], str | None], dict[str, Any]],
    arguments: dict[str, Any],
) -> Card:
    given = {argument: value for argument, value in arguments.items() if value is not None}
    clock, checks = given.pop("clock", None), given.pop("checks", None)
    for name in _REQUIRED:
        if name not in given:
            raise BadArgument(name, "must be a text, not None")
    if not isinstance(checks, Checks):
        raise BadArgument("checks", f"must be a Checks, not {kind(checks)}")
    # A generator is read once, for the card and for the messages.
    given |= {name: items(name, given[name]) for name in ("skills", "capabilities") if name in given}
    generated_at = None if clock is None else _time(clock)
    card = Card.from_document(document(given, generated_at), dialect=dialect, checks=checks)
    if len(orjson.dumps(card.document)) > checks.limits.max_bytes:
        reason = f"the card has more than {checks.limits.max_bytes:,} bytes: readers refuse it"
        raise MalformedDocument("decode/too-large", reason)
    if not card.valid and "skills" in given:
        told = tuple(_hinted(violation, given["skills"]) for violation in card.violations)
        card = replace(card, violations=told)
    return card.check()


def _is_beach(given: Mapping[str, Any]) -> bool:
    """Return which kind of card the arguments make; refuse what makes neither, or both."""
    a2a, beach = _arguments(build_a2a_card), _arguments(build_beach_card)
    of_a2a, of_beach = sorted(given.keys() & a2a - beach), sorted(given.keys() & beach - a2a)
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


@cache
def _arguments(function: Callable[..., Card]) -> frozenset[str]:
    return frozenset(signature(function).parameters)


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
