"""`skill` and `capability`: a function described, or decorated so that a builder finds it described."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar, overload

from cardwright.builder.arguments import kind, named, plain, text, texts
from cardwright.builder.described import MARK, DescribedFunction, described, is_function
from cardwright.builder.security import requirements
from cardwright.errors import BadArgument
from cardwright_runtime.violation import clipped
from cardwright_runtime.wire_names import wire_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.builder.security import Requirement

    Schema = Mapping[str, object] | bool

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., object])

_WIRE: Final = {"security": "securityRequirements"}


@overload
def skill(
    function: Callable[P, R],
    /,
    *,
    id: str | None = None,
    name: str | None = None,
    description: str | None = None,
    tags: Iterable[str] | None = None,
    examples: Iterable[str] | None = None,
    input_modes: Iterable[str] | None = None,
    output_modes: Iterable[str] | None = None,
    security: Iterable[Requirement] | None = None,
    input_schema: Schema | None = None,
    output_schema: Schema | None = None,
    exclude: Iterable[str] | None = None,
) -> DescribedFunction[P, R]: ...
@overload
def skill(
    *,
    id: str | None = None,
    name: str | None = None,
    description: str | None = None,
    tags: Iterable[str] | None = None,
    examples: Iterable[str] | None = None,
    input_modes: Iterable[str] | None = None,
    output_modes: Iterable[str] | None = None,
    security: Iterable[Requirement] | None = None,
    input_schema: Schema | None = None,
    output_schema: Schema | None = None,
    exclude: Iterable[str] | None = None,
) -> Callable[[F], F]: ...
def skill(  # noqa: PLR0913 - one argument, one member
    function: Callable[..., Any] | None = None,
    /,
    *,
    id: str | None = None,  # noqa: A002 - the member's name
    name: str | None = None,
    description: str | None = None,
    tags: Iterable[str] | None = None,
    examples: Iterable[str] | None = None,
    input_modes: Iterable[str] | None = None,
    output_modes: Iterable[str] | None = None,
    security: Iterable[Requirement] | None = None,
    input_schema: Schema | None = None,
    output_schema: Schema | None = None,
    exclude: Iterable[str] | None = None,
) -> Any:
    """Describe a function as a skill of an A2A card, or decorate one so that a builder finds it described.

    `skill(times, tags=["sea"])` returns the description; `@skill(tags=["sea"])` returns the function
    itself, which is described when a card is built. What is not given is derived: the id and the name
    from the function's name, the description and examples from its docstring, the schemas from its
    annotations. There is no default for `tags`, of which A2A asks for one at least.

    Args:
        function: The function, method or `functools.partial`; what that has bound is not asked for.
        id: Unique within the card (A2A 1.0 §4.4.5).
        name: What people call it.
        description: What it does.
        tags: Keywords by which a catalogue finds it; one at least.
        examples: Requests that it answers.
        input_modes: Media types that it reads, where they are not the card's.
        output_modes: Media types that it gives, where they are not the card's.
        security: What a caller must present, as the card's own `security`.
        input_schema: JSON Schema of what it takes, instead of the signature's; True for anything.
        output_schema: JSON Schema of what it gives, instead of the annotation's; True for anything.
        exclude: Parameters that the program fills itself, such as a context.

    >>> def high_water(port: str, days: int = 1) -> list[str]:
    ...     '''Finds times of high water.'''
    ...     return []
    >>> described = skill(high_water, tags=["sea"])
    >>> described.id, described.name, described.description
    ('high-water', 'High water', 'Finds times of high water.')
    >>> described.to_skill()["inputSchema"]["required"]
    ['port']

    Raises:
        BadFunction: If the function does not say enough, or has a type that no schema describes.
        BadArgument: If an argument has the wrong type.
    """
    return _marked_or_described(
        function,
        {
            "id": id,
            "name": name,
            "description": description,
            "tags": tags,
            "examples": examples,
            "input_modes": input_modes,
            "output_modes": output_modes,
            "security": security,
            "input_schema": input_schema,
            "output_schema": output_schema,
            "exclude": exclude,
        },
    )


@overload
def capability(
    function: Callable[P, R],
    /,
    *,
    id: str | None = None,
    description: str | None = None,
    examples: Iterable[str] | None = None,
    required_scopes: Iterable[str] | None = None,
    input_schema: Schema | None = None,
    output_schema: Schema | None = None,
    exclude: Iterable[str] | None = None,
) -> DescribedFunction[P, R]: ...
@overload
def capability(
    *,
    id: str | None = None,
    description: str | None = None,
    examples: Iterable[str] | None = None,
    required_scopes: Iterable[str] | None = None,
    input_schema: Schema | None = None,
    output_schema: Schema | None = None,
    exclude: Iterable[str] | None = None,
) -> Callable[[F], F]: ...
def capability(
    function: Callable[..., Any] | None = None,
    /,
    *,
    id: str | None = None,  # noqa: A002 - the member's name
    description: str | None = None,
    examples: Iterable[str] | None = None,
    required_scopes: Iterable[str] | None = None,
    input_schema: Schema | None = None,
    output_schema: Schema | None = None,
    exclude: Iterable[str] | None = None,
) -> Any:
    """Describe a function as a capability of a Beach card, or decorate one; as `skill` does.

    Args:
        function: The function, method or `functools.partial`; what that has bound is not asked for.
        id: Unique within the card (Beach card seed, Capability entry).
        description: What it does.
        examples: Requests that it answers.
        required_scopes: Scopes that a caller must hold.
        input_schema: JSON Schema of what it takes, instead of the signature's; True for anything.
        output_schema: JSON Schema of what it gives, instead of the annotation's; True for anything.
        exclude: Parameters that the program fills itself, such as a context.

    >>> @capability(required_scopes=["booking:write"])
    ... def book_berth(port: str) -> str:
    ...     '''Books a berth.'''
    ...     return f"booked in {port}"
    >>> book_berth("Oban")
    'booked in Oban'

    Raises:
        BadFunction: If the function does not say enough, or has a type that no schema describes.
        BadArgument: If an argument has the wrong type.
    """
    return _marked_or_described(
        function,
        {
            "id": id,
            "description": description,
            "examples": examples,
            "required_scopes": required_scopes,
            "input_schema": input_schema,
            "output_schema": output_schema,
            "exclude": exclude,
        },
    )


def _marked_or_described(function: Any, given: dict[str, Any]) -> Any:
    said = _read(given)
    if function is None:
        return functools.partial(_marked, said=said)
    if not is_function(function) and not isinstance(function, DescribedFunction):
        raise BadArgument("function", f"must be a function, method or partial, not {kind(function)}")
    return described(function, said)


def _marked(function: Any, *, said: Mapping[str, Any]) -> Any:
    if not isinstance(function, FunctionType):
        reason = f"only a function that def makes can be decorated, not {kind(function)}: call it without @"
        raise BadArgument("function", reason)
    # Both decorators may stand above one function.
    setattr(function, MARK, {**getattr(function, MARK, {}), **said})
    return function


def _read(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was given as JSON values, looked at before any function is."""
    return {
        _WIRE.get(name, wire_name(name)): _READERS.get(name, texts)(name, value)
        for name, value in given.items()
        if value is not None
    }


def _schema(argument: str, value: object) -> dict[str, Any] | bool:
    if isinstance(value, bool):
        return value
    # The members of a schema are its own: none of them has a Python name.
    schema = named(argument, value, plain)
    if schema.get("$schema", _DRAFT) == _DRAFT:
        _check_schema(argument, schema)
    return schema


def _check_schema(argument: str, schema: Mapping[str, Any]) -> None:
    from jsonschema_rs import ValidationError, meta

    try:
        # Named, since one that is not at hand would be fetched.
        meta.validate({**schema, "$schema": _DRAFT})
    except ValidationError as error:
        raise BadArgument(argument, f"is no JSON Schema of 2020-12: {clipped(error.message)}") from None


_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_READERS: Final[Mapping[str, Callable[[str, object], Any]]] = {
    "id": text,
    "name": text,
    "description": text,
    "security": requirements,
    "input_schema": _schema,
    "output_schema": _schema,
}
