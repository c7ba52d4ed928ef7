"""JSON Schemas (2020-12) of a function's input and output, from its signature and annotations.

Pydantic generates the schemas. If it cannot, the error names the parameter and says what to do.
"""

from __future__ import annotations

import functools
import inspect
import re
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_type_hints

from cardwright.errors import BadFunction
from cardwright_runtime.violation import clipped

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Mapping

    from cardwright_runtime.violation import JsonValue

    Schema = Mapping[str, JsonValue]

_BY_POSITION: Final = "cards describe named parameters only. Give it a name, or pass input_schema="
_KINDS: Final = {
    inspect.Parameter.POSITIONAL_ONLY: ("is positional-only", _BY_POSITION),
    inspect.Parameter.VAR_POSITIONAL: ("accepts any number of values", _BY_POSITION),
    inspect.Parameter.VAR_KEYWORD: (
        "accepts any name",
        "a schema needs the names. Declare the parameters, or pass input_schema=",
    ),
}
_STARS: Final = {
    inspect.Parameter.POSITIONAL_ONLY: "",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}
# The exceptions that evaluating a string annotation may raise.
_UNRESOLVED: Final = (
    NameError,
    AttributeError,
    SyntaxError,
    TypeError,
    ValueError,
    LookupError,
    ArithmeticError,
)
# Additions to pydantic's messages that do not help here.
_HELP: Final = re.compile(r"\. Set `arbitrary_types_allowed|\n\nFor further information")


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function for a card, and its return annotation.

    Attributes:
        name: The function's own name.
        parameters: The parameters by name, in order, without excluded and bound ones, and without `self`.
        returns: The return annotation, or `inspect.Signature.empty`.
        scope: The globals in which annotations are evaluated.
    """

    name: str
    parameters: Mapping[str, inspect.Parameter]
    returns: Any
    scope: Mapping[str, Any]


def bare(function: Any) -> Any:
    """Return the function inside `functools.partial` and decorators."""
    while isinstance(function, functools.partial):
        function = function.func
    return inspect.unwrap(function)


def name_of(function: Any) -> str:
    """Return the name of a function."""
    return str(getattr(bare(function), "__name__", type(function).__name__))


def signature_of(function: Callable[..., object], exclude: Collection[str]) -> Signature:
    """Return the signature of a function, method or partial.

    Raises:
        BadFunction: If it has no signature, or lacks a parameter in `exclude`.
    """
    name = name_of(function)
    try:
        inspected = inspect.signature(function)
    except (ValueError, TypeError, NameError) as error:
        reason = f"its signature cannot be read ({error}). Pass input_schema= and output_schema="
        raise BadFunction(name, reason) from error
    bound = _bound(function)
    parameters = {key: value for key, value in inspected.parameters.items() if key not in bound}
    first = next(iter(parameters.values()), None)
    # An unbound method: a caller of the agent has no instance to pass.
    if first is not None and first.name in {"self", "cls"} and first.annotation is first.empty:
        parameters.pop(first.name)
    if unknown := [excluded for excluded in exclude if excluded not in parameters and excluded not in bound]:
        known = ", ".join(parameters) or "none"
        reason = f"exclude= has the unknown parameter {unknown[0]!r}; its parameters are {known}"
        raise BadFunction(name, reason)
    remaining = {key: value for key, value in parameters.items() if key not in exclude}
    scope: Mapping[str, Any] = getattr(bare(function), "__globals__", {})
    return Signature(name, remaining, inspected.return_annotation, scope)


def _bound(function: Any) -> set[str]:
    """Return the names of parameters that partials have bound; their values may be secrets."""
    names: set[str] = set()
    while isinstance(function, functools.partial):
        names |= function.keywords.keys()
        function = function.func
    return names


def input_schema_of(signature: Signature, described: Mapping[str, str]) -> dict[str, Any]:
    """Return the schema of an object with a property for each parameter.

    Args:
        signature: The signature of the function.
        described: The descriptions of the parameters in its docstring.

    Raises:
        BadFunction: If a parameter cannot be passed by name, or its type has no schema.
    """
    from pydantic import Field
    from pydantic.fields import FieldInfo

    fields: dict[str, Any] = {}
    for index, (name, parameter) in enumerate(signature.parameters.items()):
        if parameter.kind in _KINDS:
            problem, advice = _KINDS[parameter.kind]
            raise BadFunction(
                signature.name, f"parameter {_STARS[parameter.kind] + name!r} {problem}, and {advice}"
            )
        kind = _resolved(signature, name, parameter.annotation)
        with _schema_errors(signature, name, kind):
            annotated_field = FieldInfo.from_annotation(kind)
            # Some names of parameters are not valid for fields of a model.
            alias = annotated_field.validation_alias or annotated_field.alias or name
            field = Field(
                validation_alias=alias, description=annotated_field.description or described.get(name)
            )
            default = ... if parameter.default is parameter.empty else parameter.default
            fields[f"p{index}"] = (Annotated[kind, field], default)
            # One at a time, so that the error names the parameter.
            _object_of({f"p{index}": fields[f"p{index}"]})
    with _schema_errors(signature, "", ", ".join(signature.parameters)):
        return _object_of(fields)


def output_schema_of(signature: Signature) -> dict[str, Any] | None:
    """Return the schema of a function's return value, or None without a return annotation.

    Raises:
        BadFunction: If the type has no schema.
    """
    if signature.returns is inspect.Signature.empty:
        return None
    kind = _resolved(signature, "return", signature.returns)
    with _schema_errors(signature, "return", kind):
        return _schema_of(kind, "serialization")


def _resolved(signature: Signature, name: str, annotation: Any) -> Any:
    """Return an annotation as a type, evaluated alone: others may use names that only a type checker imports."""
    if annotation is inspect.Parameter.empty:
        return Any
    holder = SimpleNamespace(__annotations__={name: annotation})
    try:
        return get_type_hints(holder, dict(signature.scope), include_extras=True)[name]
    except _UNRESOLVED as error:
        reason = (
            f"{_place(name)} has the annotation {annotation!r}, which cannot be resolved ({error})."
            f" Define or import it in the function's module, or {_advice(name)}"
        )
        raise BadFunction(signature.name, reason) from error


def _object_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with some properties and no others."""
    from pydantic import ConfigDict, create_model

    config = ConfigDict(extra="forbid")
    schema = _schema_of(create_model("cardwright_input", __config__=config, **fields), "validation")
    if len(schema["properties"]) != len(fields):
        raise ValueError("two parameters have the same alias, or a parameter has no value of its own")
    schema.pop("title", None)
    return schema


def _schema_of(kind: Any, mode: Literal["validation", "serialization"]) -> dict[str, Any]:
    from pydantic import TypeAdapter

    return TypeAdapter[Any](kind).json_schema(schema_generator=_generator(), mode=mode)


@contextmanager
def _schema_errors(signature: Signature, name: str, kind: Any) -> Generator[None]:
    """Raise the error that names the parameter without a schema, and what to do instead."""
    from pydantic_core import SchemaError

    try:
        yield
    # Pydantic raises a RuntimeError, or one of Python's exceptions.
    except (RuntimeError, SchemaError, *_UNRESOLVED) as error:
        inner = kind.__origin__ if hasattr(kind, "__metadata__") else kind
        type_name = getattr(inner, "__name__", None) or str(inner)
        why = clipped(" ".join(_HELP.split(str(error))[0].split()))
        reason = f"{_place(name)} has the type {type_name}, which has no JSON Schema ({why}); {_advice(name)}"
        raise BadFunction(signature.name, reason) from error


def _place(name: str) -> str:
    if not name:
        return "its input"
    return "its return value" if name == "return" else f"parameter {name!r}"


def _advice(name: str) -> str:
    if name == "return":
        return "pass output_schema= (True for any value)"
    if not name:
        return "pass input_schema="
    return f"exclude it with exclude=({name!r},), or pass input_schema="


@functools.cache
def _generator() -> Any:
    from pathlib import PurePath

    from pydantic.json_schema import GenerateJsonSchema
    from pydantic_core import PydanticSerializationError

    from cardwright.canonical import checked_copy
    from cardwright.errors import MalformedDocument

    class Generator(GenerateJsonSchema):
        """Pydantic's generator, without titles derived from names and without defaults that a card must not have."""

        ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 - as pydantic has it

        def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - as pydantic has it
            return False

        def encode_default(self, dft: Any) -> Any:
            # A path is valid on this machine only.
            if isinstance(dft, PurePath):
                raise PydanticSerializationError("a path has no meaning on another machine")
            value = super().encode_default(dft)
            try:
                return checked_copy(value)
            except MalformedDocument as error:
                raise PydanticSerializationError(str(error)) from error

    return Generator
