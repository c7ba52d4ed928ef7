"""`build_a2a_card`, `build_beach_card` and `build_agent_card`: build a card without errors from Python values.

Every argument that accepts a model of `cardwright_models` also accepts a mapping, with wire names or
Python names. Arguments that are missing or None add no field to the card.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Protocol, cast, overload

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

    Fields: TypeAlias = Mapping[str, object]
    Function: TypeAlias = Callable[..., object] | DescribedFunction[..., object]
    Clock: TypeAlias = Callable[[], datetime]

A2a = ParamSpec("A2a")
Beach = ParamSpec("Beach")

_REQUIRED: Final = ("name", "description", "version")


def build_a2a_card(  # noqa: PLR0913 - one argument, one field
    *,
    name: str,
    description: str,
    version: str,
    skills: Iterable[of_a2a.AgentSkill | Fields | Function],
    url: str | None = None,
    binding: str | None = None,
    protocol_versions: Iterable[str] | None = None,
    interfaces: Iterable[of_a2a.AgentInterface | Fields] | None = None,
    provider: of_a2a.AgentProvider | Fields | None = None,
    documentation_url: str | None = None,
    icon_url: str | None = None,
    input_modes: Iterable[str] | None = None,
    output_modes: Iterable[str] | None = None,
    streaming: bool | None = None,
    push_notifications: bool | None = None,
    extended_agent_card: bool | None = None,
    extensions: Iterable[of_a2a.AgentExtension | Fields] | None = None,
    security_schemes: Mapping[str, Scheme] | None = None,
    security: Iterable[Requirement] | None = None,
    beach: of_beach.BeachExtensionParams | Fields | None = None,
    clock: Clock | None = None,
    checks: Checks = DEFAULT_CHECKS,
) -> Card:
    """Build an A2A 1.0 card that has no error.

    Args:
        name: The display name of the agent.
        description: The purpose of the agent.
        version: The version of the agent itself.
        skills: Functions, models or mappings; see `cardwright.builder.skill`. The schemas of functions are
            in the extension `https://cardwright.dev/extensions/skill-schemas/v1`.
        url: The URL of the agent; use `interfaces` for several.
        binding: The protocol binding at `url`. Default: JSONRPC.
        protocol_versions: The protocol versions at `url`. Default: 1.0.
        interfaces: Every interface with its URL, binding and version, the preferred one first.
        provider: The organization that provides the agent.
        documentation_url: The URL of the documentation.
        icon_url: The URL of an icon.
        input_modes: The media types that every skill accepts. Default: text/plain.
        output_modes: The media types that every skill returns. Default: text/plain.
        streaming: Whether the agent supports streaming.
        push_notifications: Whether clients may register webhooks.
        extended_agent_card: Whether authenticated callers can fetch an extended card.
        extensions: Extensions of A2A.
        security_schemes: Security schemes, by the names that `security` uses.
        security: Security requirements, such as `[{"oauth": ["read"]}]`.
        beach: Parameters of the extension `BEACH_EXTENSION_URI`; they declare the extension.
        clock: Returns the current time with a time zone, for `generatedAt`; used only with `beach`.
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
    capabilities: Iterable[of_beach.Capability | Fields | Function],
    transports: Iterable[of_beach.Transport | Fields],
    display_name: str | None = None,
    provider: of_beach.Provider | Fields | None = None,
    envelope: of_beach.EnvelopeBlock | Fields | None = None,
    beach: of_beach.BeachExtension | Fields | None = None,
    extensions: Mapping[str, Fields] | None = None,
    contact: of_beach.Contact | Fields | None = None,
    schema_version: str | None = None,
    clock: Clock | None = None,
    checks: Checks = DEFAULT_CHECKS,
) -> Card:
    """Build a Beach 1.0 card that has no error.

    Args:
        id: An identifier, unique within the provider.
        name: The name of the agent.
        description: The purpose of the agent.
        version: The version of the agent itself.
        capabilities: Functions, models or mappings; see `cardwright.builder.capability`.
        transports: The transports of the agent.
        display_name: The name with branding.
        provider: The organization that provides the agent.
        envelope: The parts that the agent sends and understands.
        beach: The block `extensions.beach`.
        extensions: Other blocks by their names.
        contact: Contact information.
        schema_version: The version of the card format. Default: 1.0.
        clock: Returns the current time with a time zone, for `generatedAt` (Beach card seed, Caching).
        checks: The registries, limits and rule sets to validate the card with.

    Raises:
        InvalidCard, BadArgument, BadFunction, MalformedDocument: As `build_agent_card`.
    """
    return _built(beach_card.NAME, beach_card.document, locals())


class _EitherBuilder(Protocol[A2a, Beach]):
    """A builder with the arguments of one of two others."""

    @overload
    def __call__(self, *args: A2a.args, **arguments: A2a.kwargs) -> Card: ...
    @overload
    def __call__(self, *args: Beach.args, **arguments: Beach.kwargs) -> Card: ...


def _of_either(
    _: Callable[A2a, Card], __: Callable[Beach, Card]
) -> Callable[[Callable[..., Card]], _EitherBuilder[A2a, Beach]]:
    """Return a decorator that gives a builder the types of two others, and changes nothing else."""
    return lambda builder: cast("_EitherBuilder[A2a, Beach]", builder)


@_of_either(build_a2a_card, build_beach_card)
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
    """Build a Beach card if `id` or another argument of Beach cards is given, otherwise an A2A card.

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
        InvalidCard: With all violations, if one of them is an error.
        BadArgument: If an argument has the wrong type, is missing, or belongs to the other kind of card.
        BadFunction: If a function cannot be described.
        MalformedDocument: If a value cannot be encoded as JSON, or the card exceeds a limit.
    """
    values = {argument: value for argument, value in locals().items() if value is not None}
    module = beach_card if _is_beach(values) else a2a_card
    return _built(module.NAME, module.document, values)


def _built(
    dialect: str,
    document: Callable[[Mapping[str, Any], str | None], dict[str, Any]],
    arguments: dict[str, Any],
) -> Card:
    values = {argument: value for argument, value in arguments.items() if value is not None}
    clock, checks = values.pop("clock", None), values.pop("checks", None)
    for name in _REQUIRED:
        if name not in values:
            raise BadArgument(name, "must be a string, not None")
    if not isinstance(checks, Checks):
        raise BadArgument("checks", f"must be a Checks, not {kind(checks)}")
    # A generator can be read only once, and both the card and the messages need its items.
    values |= {name: items(name, values[name]) for name in ("skills", "capabilities") if name in values}
    generated_at = None if clock is None else _time(clock)
    card = Card.from_document(document(values, generated_at), dialect=dialect, checks=checks)
    if len(orjson.dumps(card.document)) > checks.limits.max_bytes:
        reason = f"the card has more than {checks.limits.max_bytes:,} bytes, the configured maximum"
        raise MalformedDocument("decode/too-large", reason)
    if not card.valid and "skills" in values:
        violations = tuple(_with_python_hint(violation, values["skills"]) for violation in card.violations)
        card = replace(card, violations=violations)
    return card.check()


def _is_beach(values: Mapping[str, Any]) -> bool:
    """Return whether the arguments are of a Beach card; refuse arguments of both kinds, or of neither."""
    a2a, beach = _arguments(build_a2a_card), _arguments(build_beach_card)
    of_a2a, of_beach = sorted(values.keys() & a2a - beach), sorted(values.keys() & beach - a2a)
    if of_a2a and of_beach:
        reason = (
            f"is for a Beach card, and {', '.join(f'{name}=' for name in of_a2a)} for an A2A card."
            " Use arguments of one kind: skills= for an A2A card, capabilities= and transports= for a Beach card"
        )
        raise BadArgument(", ".join(of_beach), reason)
    if not of_beach and "skills" not in values:
        beach_hint = "" if of_a2a else ", or id=, capabilities= and transports= for a Beach card"
        raise BadArgument("skills", f"an A2A card requires skills. Add skills={beach_hint}")
    return bool(of_beach)


@cache
def _arguments(function: Callable[..., Card]) -> frozenset[str]:
    return frozenset(signature(function).parameters)


def _with_python_hint(violation: Violation, skills: list[Any]) -> Violation:
    """Return a violation with a hint for Python if a function has no tags."""
    steps = steps_of(violation.pointer)
    if steps[:1] != ["skills"] or steps[2:] != ["tags"]:
        return violation
    function = skills[int(steps[1])]
    if isinstance(function, DescribedFunction):
        function = function.function
    if not is_function(function):
        return violation
    return replace(violation, message=f"{violation.message}. For {name_of(function)}, use skill(tags=[…])")


def _time(clock: Clock) -> str:
    """Return the time of a clock as RFC 3339 in UTC, to the second."""
    if not callable(clock):
        raise BadArgument("clock", f"must be a function that returns a datetime, not {kind(clock)}")
    now: object = clock()
    if not isinstance(now, datetime):
        raise BadArgument("clock", f"must return a datetime, not {kind(now)}")
    if now.utcoffset() is None:
        raise BadArgument("clock", "must return a time with a time zone. Use clock=lambda: datetime.now(UTC)")
    try:
        return now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    except OverflowError as error:
        raise BadArgument("clock", f"returns {now}, which is out of range in UTC") from error
