"""`skill` and `capability`: describe a function, or decorate it so that a builder describes it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast, overload

from cardwright.builder.arguments import kind, named, plain, text, texts
from cardwright.builder.described import MARK, DescribedFunction, described, is_function
from cardwright.builder.security import requirements
from cardwright.errors import BadArgument
from cardwright_models.wire_names import wire_name
from cardwright_runtime.violation import clipped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.builder.security import Requirement

    Schema = Mapping[str, object] | bool

Details = ParamSpec("Details")
P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., object])

_WIRE: Final = {"security": "securityRequirements"}


class _Describer(Protocol[Details]):
    """Describes a function, or decorates it if it is called without one; its arguments are the details."""

    @overload
    def __call__(
        self, function: Callable[P, R], /, *args: Details.args, **details: Details.kwargs
    ) -> DescribedFunction[P, R]: ...
    @overload
    def __call__(self, *args: Details.args, **details: Details.kwargs) -> Callable[[F], F]: ...


def _overloaded(describer: Callable[Concatenate[Any, Details], Any]) -> _Describer[Details]:
    """Return a function unchanged, with the types of both of its uses."""
    return cast("_Describer[Details]", describer)


@_overloaded
def skill(  # noqa: PLR0913 - one argument, one field
    function: Callable[..., Any] | None = None,
    /,
    *,
    id: str | None = None,  # noqa: A002 - the field's name
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
    """Describe a function as a skill of an A2A card, or decorate it so that a builder describes it.

    `skill(times, tags=["sea"])` returns the description; `@skill(tags=["sea"])` returns the function
    itself, which is described when a card is built. Missing arguments are derived: the id and the name
    from the function's name, the description and examples from its docstring, the schemas from its
    annotations. `tags` has no default; A2A requires at least one.

    Args:
        function: The function, method or `functools.partial`; bound arguments are not parameters of the skill.
        id: An identifier, unique within the card (A2A 1.0 §4.4.5).
        name: The display name.
        description: What the skill does.
        tags: Keywords for catalogues; at least one.
        examples: Example requests.
        input_modes: The accepted media types. Default: those of the card.
        output_modes: The returned media types. Default: those of the card.
        security: Security requirements, like the card's `security`.
        input_schema: The JSON Schema of the input, instead of the signature's; True for any input.
        output_schema: The JSON Schema of the output, instead of the annotation's; True for any output.
        exclude: Parameters that the program provides, such as a context.

    >>> def high_water(port: str, days: int = 1) -> list[str]:
    ...     '''Finds times of high water.'''
    ...     return []
    >>> described = skill(high_water, tags=["sea"])
    >>> described.id, described.name, described.description
    ('high-water', 'High water', 'Finds times of high water.')
    >>> described.to_skill()["inputSchema"]["required"]
    ['port']

    Raises:
        BadFunction: If the function has no usable name or docstring, or a type without a JSON Schema.
        BadArgument: If an argument has the wrong type.
    """
    return _decorated_or_described(**locals())


@_overloaded
def capability(
    function: Callable[..., Any] | None = None,
    /,
    *,
    id: str | None = None,  # noqa: A002 - the field's name
    description: str | None = None,
    examples: Iterable[str] | None = None,
    required_scopes: Iterable[str] | None = None,
    input_schema: Schema | None = None,
    output_schema: Schema | None = None,
    exclude: Iterable[str] | None = None,
) -> Any:
    """Describe a function as a capability of a Beach card, or decorate it, like `skill`.

    Args:
        function: The function, method or `functools.partial`; bound arguments are not parameters of the capability.
        id: An identifier, unique within the card (Beach card seed, Capability entry).
        description: What the capability does.
        examples: Example requests.
        required_scopes: Scopes that a caller must have.
        input_schema: The JSON Schema of the input, instead of the signature's; True for any input.
        output_schema: The JSON Schema of the output, instead of the annotation's; True for any output.
        exclude: Parameters that the program provides, such as a context.

    >>> @capability(required_scopes=["booking:write"])
    ... def book_berth(port: str) -> str:
    ...     '''Books a berth.'''
    ...     return f"booked in {port}"
    >>> book_berth("Oban")
    'booked in Oban'

    Raises:
        BadFunction: If the function has no usable name or docstring, or a type without a JSON Schema.
        BadArgument: If an argument has the wrong type.
    """
    return _decorated_or_described(**locals())


def _decorated_or_described(function: Any, **arguments: Any) -> Any:
    details = _read(arguments)
    if function is None:
        return functools.partial(_with_mark, details=details)
    if not is_function(function) and not isinstance(function, DescribedFunction):
        raise BadArgument("function", f"must be a function, method or partial, not {kind(function)}")
    return described(function, details)


def _with_mark(function: Any, *, details: Mapping[str, Any]) -> Any:
    if not isinstance(function, FunctionType):
        reason = f"only a function defined by def can be decorated, not {kind(function)}. Call it without @"
        raise BadArgument("function", reason)
    # A function may have both decorators.
    setattr(function, MARK, {**getattr(function, MARK, {}), **details})
    return function


def _read(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments as JSON values, by wire name."""
    return {
        _WIRE.get(name, wire_name(name)): _READERS.get(name, texts)(name, value)
        for name, value in arguments.items()
        if value is not None
    }


def _schema(argument: str, value: object) -> dict[str, Any] | bool:
    if isinstance(value, bool):
        return value
    # The keywords of a schema have no Python names.
    schema = named(argument, value, plain)
    if schema.get("$schema", _DRAFT) == _DRAFT:
        _check_schema(argument, schema)
    return schema


def _check_schema(argument: str, schema: Mapping[str, Any]) -> None:
    from jsonschema_rs import ValidationError, meta

    try:
        # Set `$schema`, because another meta-schema would be fetched.
        meta.validate({**schema, "$schema": _DRAFT})
    except ValidationError as error:
        raise BadArgument(
            argument, f"is not a valid JSON Schema (2020-12): {clipped(error.message)}"
        ) from None


_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_READERS: Final[Mapping[str, Callable[[str, object], Any]]] = {
    "id": text,
    "name": text,
    "description": text,
    "security": requirements,
    "input_schema": _schema,
    "output_schema": _schema,
}
