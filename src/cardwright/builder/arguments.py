"""Conversion of the builder's arguments to JSON values; an argument of the wrong Python type is refused.

Only the types are checked here; the card is validated afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cardwright.canonical import MAX_DEPTH
from cardwright.errors import BadArgument
from cardwright_models.wire_names import wire_name

if TYPE_CHECKING:
    from collections.abc import Callable


def text(argument: str, value: object) -> str:
    """Return a string as a plain `str`, even if it is an enum or another subclass."""
    if isinstance(value, str):
        return str.__str__(value)
    raise BadArgument(argument, f"must be a string, not {kind(value)}")


def texts(argument: str, value: object) -> list[str]:
    """Return a list of strings."""
    return [text(f"{argument}[{index}]", item) for index, item in enumerate(items(argument, value))]


def flag(argument: str, value: object) -> bool:
    """Return True or False; refuse other values, even truthy ones."""
    if isinstance(value, bool):
        return value
    raise BadArgument(argument, f"must be True or False, not {kind(value)}")


def items(argument: str, value: object) -> list[Any]:
    """Return the items of a list, tuple or other iterable; refuse a string, a mapping and a model."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable) or _is_model(value):
        raise BadArgument(argument, f"must be a list, not {kind(value)}. Put it in […]")
    return list(value)


def mapping(
    argument: str, value: object, *models: str, also: tuple[str, ...] = (), taken: str = ""
) -> dict[str, Any]:
    """Return a mapping, or one of some models, as a JSON object.

    The keys of a mapping are wire names or the Python names of the models: `input_modes` is
    `inputModes`. Names that no model has are kept.

    Args:
        argument: The name of the argument, for messages.
        value: The mapping or model.
        models: The accepted models, such as `a2a_v1_0.AgentSkill`.
        also: Further fields that have a Python name.
        taken: Another accepted kind of value, for messages.
    """
    accepted = [taken, *(f"a model {name.partition('.')[2]}" for name in models[:1]), "a mapping"]
    message = f"must be {' or '.join(filter(None, accepted))}, not {kind(value)}"
    if _is_model(value):
        if not isinstance(value, tuple(_model(name) for name in models)):
            raise BadArgument(argument, message)
        fields: dict[str, Any] = _written(argument, value)
        return fields
    if not isinstance(value, Mapping):
        raise BadArgument(argument, message)
    fields = {text(f"a name in {argument}", name): plain(argument, value[name]) for name in value}
    if not any("_" in name for name in fields):
        return fields
    known = {*also, *(field for name in models for field in _model(name).model_fields)}
    by_wire_name = {wire_name(name) if name in known else name: item for name, item in fields.items()}
    if len(by_wire_name) < len(fields):
        duplicate = next(
            name for name in known if name != wire_name(name) and {name, wire_name(name)} <= fields.keys()
        )
        raise BadArgument(
            argument, f"has {duplicate!r} and {wire_name(duplicate)!r}, which are the same field. Remove one"
        )
    return by_wire_name


def mappings(argument: str, value: object, *models: str) -> list[dict[str, Any]]:
    """Return a list of mappings or models as JSON objects."""
    return [
        mapping(f"{argument}[{index}]", item, *models) for index, item in enumerate(items(argument, value))
    ]


def named(argument: str, value: object, read: Callable[[str, object], Any]) -> dict[str, Any]:
    """Return a mapping with unchanged names and each value converted by a function."""
    if not isinstance(value, Mapping):
        raise BadArgument(argument, f"must be a mapping, not {kind(value)}")
    return {text(f"a name in {argument}", name): read(f"{argument}[{name!r}]", value[name]) for name in value}


def plain(argument: str, value: Any, depth: int = 0) -> Any:
    """Return a value with its models, mappings and tuples converted to JSON values.

    Values deeper than a card may be are not converted; creating the card refuses them.
    """
    if depth > MAX_DEPTH:
        return value
    if _is_model(value):
        return _written(argument, value)
    if isinstance(value, Mapping):
        return {name: plain(argument, value[name], depth + 1) for name in value}
    if isinstance(value, (list, tuple)):
        return [plain(argument, item, depth + 1) for item in value]
    return str.__str__(value) if isinstance(value, str) else value


def kind(value: object) -> str:
    """Return the type of a value, for a message."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return "None" if value is None else type(value).__name__


def _is_model(value: object) -> bool:
    """Return whether a value is a model, without importing pydantic."""
    return not isinstance(value, type) and hasattr(value, "model_dump")


def _model(name: str) -> Any:
    package, _, model = name.partition(".")
    return getattr(import_module(f"cardwright_models.{package}.models"), model)


def _written(argument: str, model: Any) -> Any:
    try:
        return model.model_dump(mode="json", by_alias=True)
    except (TypeError, ValueError) as error:
        raise BadArgument(argument, f"the model cannot be converted to JSON: {error}") from error
