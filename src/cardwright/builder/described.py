"""What a card says of a Python function: derived from it, or said beside it."""

from __future__ import annotations

import functools
import inspect
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, ParamSpec, TypeGuard, TypeVar

from cardwright.builder.docstrings import Docstring, docstring_of
from cardwright.builder.signatures import (
    bare,
    input_schema_of,
    name_of,
    output_schema_of,
    signature_of,
)
from cardwright.errors import BadFunction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

P = ParamSpec("P")
R = TypeVar("R")

# Where a decorator keeps what was said beside a function, on the function.
MARK: Final = "__cardwright__"
# What describes the function itself, and is no further member.
_OWN: Final = frozenset({"id", "name", "description", "exclude"})
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class DescribedFunction(Generic[P, R]):
    """What a card says of a function; calling it calls the function.

    Attributes:
        function: The function itself.
        id: What programs call it.
        name: What people call it.
        description: What it does.
        more: Whatever else was said or derived, by wire name: tags, examples, schemas and so on.
        said: What was said beside the function, and not derived of it.
    """

    function: Callable[P, R]
    id: str
    name: str
    description: str
    more: Mapping[str, Any]
    said: Mapping[str, Any]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function."""
        return self.function(*args, **kwargs)

    def to_skill(self) -> dict[str, Any]:
        """Return the skill of an A2A card, with the schemas on it, where a card keeps them elsewhere.

        `tags` are there even where none were given: A2A 1.0 §4.4.5 asks for one at least, and what
        would be a good one for a catalogue nothing in a function says. The judge tells who forgot.
        """
        return {
            "id": self.id,
            "name": self.name,
            "description": self.description,
            "tags": [],
            **{name: value for name, value in self.more.items() if name != "requiredScopes"},
        }

    def to_capability(self) -> dict[str, Any]:
        """Return the capability of a Beach card, without what only an A2A skill says."""
        names = ("examples", "requiredScopes", "inputSchema", "outputSchema")
        return {
            "id": self.id,
            "description": self.description,
            **{name: self.more[name] for name in names if name in self.more},
        }


def is_function(value: object) -> TypeGuard[Callable[..., object]]:
    """Whether a value can be described: a function, a method, or a partial of one."""
    return inspect.isroutine(value) or isinstance(value, functools.partial)


def described(
    function: Callable[P, R] | DescribedFunction[P, R], said: Mapping[str, Any] | None = None
) -> DescribedFunction[P, R]:
    """Describe a function.

    Args:
        function: The function; one that is described already is described again where more is said.
        said: By wire name, what counts instead of what the function says itself; a decorator may have
            noted more on it.

    Raises:
        BadFunction: If the function does not say enough, or has a type that no schema describes.
    """
    if isinstance(function, DescribedFunction):
        return function if not said else described(function.function, {**function.said, **said})
    said = {**_noted(function), **(said or {})}
    own = name_of(function)
    told = docstring_of(inspect.getdoc(bare(function)))
    parts = [part for part in _HUMP.sub("_", own).split("_") if part] if own != "<lambda>" else []
    identifier = said.get("id", "-".join(parts).lower())
    if "id" not in said and not parts:
        raise BadFunction(own, "its name makes no id: pass id=, or give it a name by def")
    description = said.get("description", told.summary)
    if "description" not in said and not description:
        raise BadFunction(own, "no docstring describes it: write one, or pass description=")
    words = " ".join(part if part.isupper() else part.lower() for part in parts) or identifier
    more = {name: value for name, value in said.items() if name not in _OWN}
    if told.examples:
        more.setdefault("examples", list(told.examples))
    more |= _schemas(function, said, told)
    name = said.get("name", words[:1].upper() + words[1:])
    return DescribedFunction(function, identifier, name, description, more, said)


def _noted(function: Any) -> Mapping[str, Any]:
    """Return what a decorator noted on a function; a wrapper made by `functools.wraps` has it, too."""
    while isinstance(function, functools.partial):
        function = function.func
    noted: Mapping[str, Any] = getattr(function, MARK, {})
    return noted


def _schemas(function: Callable[..., Any], said: Mapping[str, Any], told: Docstring) -> dict[str, Any]:
    """Return the schemas that were not given; the signature is read only where one is wanted."""
    if "inputSchema" in said and "outputSchema" in said:
        return {}
    signature = signature_of(function, said.get("exclude", ()))
    schemas: dict[str, Any] = {}
    if "inputSchema" not in said:
        schemas["inputSchema"] = input_schema_of(signature, told.parameters)
    if "outputSchema" not in said and (output := output_schema_of(signature)) is not None:
        schemas["outputSchema"] = output
    return schemas
