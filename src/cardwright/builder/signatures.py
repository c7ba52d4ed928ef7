"""What a function takes and gives, as JSON Schema (2020-12) of its signature and annotations.

Pydantic makes the schemas; what it cannot make one of is named with its parameter, and how to mend it.
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

_BY_POSITION: Final = "cards describe what is given by name: name it, or pass input_schema="
_KINDS: Final = {
    inspect.Parameter.POSITIONAL_ONLY: ("is given by position only", _BY_POSITION),
    inspect.Parameter.VAR_POSITIONAL: ("takes any number of values", _BY_POSITION),
    inspect.Parameter.VAR_KEYWORD: (
        "takes any name",
        "no schema says which: name what it takes, or pass input_schema=",
    ),
}
_STARS: Final = {
    inspect.Parameter.POSITIONAL_ONLY: "",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}
# Whatever an annotation that is text can raise when Python evaluates it.
_UNRESOLVED: Final = (
    NameError,
    AttributeError,
    SyntaxError,
    TypeError,
    ValueError,
    LookupError,
    ArithmeticError,
)
# What pydantic adds to its messages, and who describes a function has no use for.
_HELP: Final = re.compile(r"\. Set `arbitrary_types_allowed|\n\nFor further information")


@dataclass(frozen=True, slots=True)
class Signature:
    """What is left to give to a function, and what it gives.

    Attributes:
        name: The function's own name.
        parameters: By name, in their order, without what is excluded, bound already, or `self`.
        returns: The annotation of what it gives; `inspect.Signature.empty` where it has none.
        scope: Where its annotations are evaluated.
    """

    name: str
    parameters: Mapping[str, inspect.Parameter]
    returns: Any
    scope: Mapping[str, Any]


def bare(function: Any) -> Any:
    """Return the function below what `functools.partial` and decorators put around it."""
    while isinstance(function, functools.partial):
        function = function.func
    return inspect.unwrap(function)


def name_of(function: Any) -> str:
    """Return what a function is called."""
    return str(getattr(bare(function), "__name__", type(function).__name__))


def signature_of(function: Callable[..., object], exclude: Collection[str]) -> Signature:
    """Read the signature of a function, method or partial.

    Raises:
        BadFunction: If it has none, or lacks a parameter that is to be excluded.
    """
    name = name_of(function)
    try:
        read = inspect.signature(function)
    except (ValueError, TypeError, NameError) as error:
        reason = f"its signature cannot be read ({error}): pass input_schema= and output_schema="
        raise BadFunction(name, reason) from error
    bound = _bound(function)
    parameters = {key: value for key, value in read.parameters.items() if key not in bound}
    first = next(iter(parameters.values()), None)
    # A method that is taken from its class: whoever calls the agent has no instance to give.
    if first is not None and first.name in {"self", "cls"} and first.annotation is first.empty:
        parameters.pop(first.name)
    if unknown := [one for one in exclude if one not in parameters and one not in bound]:
        known = ", ".join(parameters) or "none"
        reason = f"exclude= names {unknown[0]!r}, which is none of its parameters: it has {known}"
        raise BadFunction(name, reason)
    left = {key: value for key, value in parameters.items() if key not in exclude}
    scope: Mapping[str, Any] = getattr(bare(function), "__globals__", {})
    return Signature(name, left, read.return_annotation, scope)


def _bound(function: Any) -> set[str]:
    """Return what partials have bound by name; it may be a secret, and nobody is asked for it any more."""
    names: set[str] = set()
    while isinstance(function, functools.partial):
        names |= function.keywords.keys()
        function = function.func
    return names


def input_schema_of(signature: Signature, described: Mapping[str, str]) -> dict[str, Any]:
    """Return the schema of an object with a member for each parameter.

    Args:
        signature: What the function takes.
        described: What its docstring says of the parameters.

    Raises:
        BadFunction: If a parameter cannot be given by name, or its type has no schema.
    """
    from pydantic import Field
    from pydantic.fields import FieldInfo

    fields: dict[str, Any] = {}
    for index, (name, parameter) in enumerate(signature.parameters.items()):
        if parameter.kind in _KINDS:
            seen, mend = _KINDS[parameter.kind]
            raise BadFunction(signature.name, f"parameter {_STARS[parameter.kind] + name!r} {seen}: {mend}")
        kind = _resolved(signature, name, parameter.annotation)
        with _told(signature, name, kind):
            said = FieldInfo.from_annotation(kind)
            # Fields of a model may not bear every name that a parameter may.
            alias = said.validation_alias or said.alias or name
            added = Field(validation_alias=alias, description=said.description or described.get(name))
            default = ... if parameter.default is parameter.empty else parameter.default
            fields[f"p{index}"] = (Annotated[kind, added], default)
            # Alone, so that the one to blame is named.
            _object_of({f"p{index}": fields[f"p{index}"]})
    with _told(signature, "", ", ".join(signature.parameters)):
        return _object_of(fields)


def output_schema_of(signature: Signature) -> dict[str, Any] | None:
    """Return the schema of what a function gives, or None where it does not say.

    Raises:
        BadFunction: If the type has no schema.
    """
    if signature.returns is inspect.Signature.empty:
        return None
    kind = _resolved(signature, "return", signature.returns)
    with _told(signature, "return", kind):
        return _schema_of(kind, "serialization")


def _resolved(signature: Signature, name: str, annotation: Any) -> Any:
    """Return an annotation as a type, evaluated alone: others may name what only a type checker imports."""
    if annotation is inspect.Parameter.empty:
        return Any
    holder = SimpleNamespace(__annotations__={name: annotation})
    try:
        return get_type_hints(holder, dict(signature.scope), include_extras=True)[name]
    except _UNRESOLVED as error:
        reason = (
            f"{_place(name)} is annotated {annotation!r}, which cannot be resolved ({error}):"
            f" define or import it where the function's module sees it, or {_instead(name)}"
        )
        raise BadFunction(signature.name, reason) from error


def _object_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object of some members and no other."""
    from pydantic import ConfigDict, create_model

    config = ConfigDict(extra="forbid")
    schema = _schema_of(create_model("cardwright_input", __config__=config, **fields), "validation")
    if len(schema["properties"]) != len(fields):
        raise ValueError("a parameter is no value of its own, or goes by the alias of another")
    schema.pop("title", None)
    return schema


def _schema_of(kind: Any, mode: Literal["validation", "serialization"]) -> dict[str, Any]:
    from pydantic import TypeAdapter

    return TypeAdapter[Any](kind).json_schema(schema_generator=_generator(), mode=mode)


@contextmanager
def _told(signature: Signature, name: str, kind: Any) -> Generator[None]:
    """Say of which parameter no schema can be made, and what to do instead."""
    from pydantic_core import SchemaError

    try:
        yield
    # Pydantic's own are a RuntimeError, or one of those that Python raises.
    except (RuntimeError, SchemaError, *_UNRESOLVED) as error:
        inner = kind.__origin__ if hasattr(kind, "__metadata__") else kind
        shown = getattr(inner, "__name__", None) or str(inner)
        why = clipped(" ".join(_HELP.split(str(error))[0].split()))
        reason = (
            f"{_place(name)} is of type {shown}, of which there is no JSON Schema ({why}): {_instead(name)}"
        )
        raise BadFunction(signature.name, reason) from error


def _place(name: str) -> str:
    if not name:
        return "what it takes"
    return "what it returns" if name == "return" else f"parameter {name!r}"


def _instead(name: str) -> str:
    if name == "return":
        return "pass output_schema= (True where anything may come)"
    if not name:
        return "pass input_schema="
    return f"leave it out by exclude=({name!r},), or pass input_schema="


@functools.cache
def _generator() -> Any:
    from pathlib import PurePath

    from pydantic.json_schema import GenerateJsonSchema
    from pydantic_core import PydanticSerializationError

    from cardwright.canonical import copied
    from cardwright.errors import MalformedDocument

    class Generator(GenerateJsonSchema):
        """Pydantic's own, without titles made of names and without defaults that no card should hold."""

        ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 - as pydantic has it

        def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - as pydantic has it
            return False

        def encode_default(self, dft: Any) -> Any:
            # A path is one of this machine.
            if isinstance(dft, PurePath):
                raise PydanticSerializationError("a path says nothing to another machine")
            value = super().encode_default(dft)
            try:
                return copied(value)
            except MalformedDocument as error:
                raise PydanticSerializationError(str(error)) from error

    return Generator
