"""Description of a Python function for a card: derived from the function, or given explicitly."""

from __future__ import annotations

import functools
import inspect
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, ParamSpec, TypeGuard, TypeVar

from cardwright.builder.docstrings import Docstring, docstring_of
from cardwright.builder.signatures import bare, input_schema_of, name_of, output_schema_of, signature_of
from cardwright.errors import BadFunction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

P = ParamSpec("P")
R = TypeVar("R")

# The attribute of a function with the details that a decorator stores.
MARK: Final = "__cardwright__"
# Details that are attributes of `DescribedFunction` or not in the card; all others are in `more`.
_OWN: Final = frozenset({"id", "name", "description", "exclude"})
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class DescribedFunction(Generic[P, R]):
    """Description of a function for a card; calling it calls the function.

    Attributes:
        function: The function itself.
        id: The identifier.
        name: The display name.
        description: What the function does.
        more: Other details, by wire name: tags, examples, schemas and so on.
        overrides: The details that were given explicitly, and not derived.
    """

    function: Callable[P, R]
    id: str
    name: str
    description: str
    more: Mapping[str, Any]
    overrides: Mapping[str, Any]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function."""
        return self.function(*args, **kwargs)

    def to_skill(self) -> dict[str, Any]:
        """Return the skill of an A2A card, with its schemas, which the card has in an extension.

        `tags` is always present: A2A 1.0 §4.4.5 requires at least one tag, which cannot be derived from a
        function. Validation reports an empty list.
        """
        return {
            "id": self.id,
            "name": self.name,
            "description": self.description,
            "tags": [],
            **{name: value for name, value in self.more.items() if name != "requiredScopes"},
        }

    def to_capability(self) -> dict[str, Any]:
        """Return the capability of a Beach card, without fields that only an A2A skill has."""
        names = ("examples", "requiredScopes", "inputSchema", "outputSchema")
        return {
            "id": self.id,
            "description": self.description,
            **{name: self.more[name] for name in names if name in self.more},
        }


def is_function(value: object) -> TypeGuard[Callable[..., object]]:
    """Return whether a value can be described: a function, a method, or a partial of one."""
    return inspect.isroutine(value) or isinstance(value, functools.partial)


def described(
    function: Callable[P, R] | DescribedFunction[P, R], overrides: Mapping[str, Any] | None = None
) -> DescribedFunction[P, R]:
    """Describe a function.

    Args:
        function: The function. A described function is described again if there are further details.
        overrides: Details by wire name, which override those of the function and of a decorator.

    Raises:
        BadFunction: If the function has no usable name or docstring, or a type without a JSON Schema.
    """
    if isinstance(function, DescribedFunction):
        return (
            function if not overrides else described(function.function, {**function.overrides, **overrides})
        )
    overrides = {**_details_of(function), **(overrides or {})}
    own = name_of(function)
    docstring = docstring_of(inspect.getdoc(bare(function)))
    parts = [part for part in _HUMP.sub("_", own).split("_") if part] if own != "<lambda>" else []
    identifier = overrides.get("id", "-".join(parts).lower())
    if "id" not in overrides and not parts:
        raise BadFunction(own, "no id can be derived from its name. Pass id=, or define it with def")
    description = overrides.get("description", docstring.summary)
    if "description" not in overrides and not description:
        raise BadFunction(own, "it has no docstring. Write one, or pass description=")
    words = " ".join(part if part.isupper() else part.lower() for part in parts) or identifier
    more = {name: value for name, value in overrides.items() if name not in _OWN}
    if docstring.examples:
        more.setdefault("examples", list(docstring.examples))
    more |= _schemas(function, overrides, docstring)
    name = overrides.get("name", words[:1].upper() + words[1:])
    return DescribedFunction(function, identifier, name, description, more, overrides)


def _details_of(function: Any) -> Mapping[str, Any]:
    """Return the details that a decorator stored on a function; `functools.wraps` copies them to wrappers."""
    while isinstance(function, functools.partial):
        function = function.func
    details: Mapping[str, Any] = getattr(function, MARK, {})
    return details


def _schemas(
    function: Callable[..., Any], overrides: Mapping[str, Any], docstring: Docstring
) -> dict[str, Any]:
    """Return the schemas that were not given; the signature is read only if one is missing."""
    if "inputSchema" in overrides and "outputSchema" in overrides:
        return {}
    signature = signature_of(function, overrides.get("exclude", ()))
    schemas: dict[str, Any] = {}
    if "inputSchema" not in overrides:
        schemas["inputSchema"] = input_schema_of(signature, docstring.parameters)
    if "outputSchema" not in overrides and (output := output_schema_of(signature)) is not None:
        schemas["outputSchema"] = output
    return schemas
