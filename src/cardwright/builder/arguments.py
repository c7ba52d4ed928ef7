"""Arguments of the builder as JSON values; what has the wrong Python type is refused by its name.

Only the type is looked at here. Whether a value is right is the judge's to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cardwright.canonical import GREATEST_DEPTH
from cardwright.errors import BadArgument
from cardwright_runtime.wire_names import wire_name

if TYPE_CHECKING:
    from collections.abc import Callable


def text(argument: str, value: object) -> str:
    """Return a text as Python's own, whatever enum or subclass of `str` it is of."""
    if isinstance(value, str):
        return str.__str__(value)
    raise BadArgument(argument, f"must be a text, not {kind(value)}")


def texts(argument: str, value: object) -> list[str]:
    """Return a list of texts."""
    return [text(f"{argument}[{index}]", item) for index, item in enumerate(items(argument, value))]


def flag(argument: str, value: object) -> bool:
    """Return True or False, and nothing that only passes for it."""
    if isinstance(value, bool):
        return value
    raise BadArgument(argument, f"must be True or False, not {kind(value)}")


def items(argument: str, value: object) -> list[Any]:
    """Return what a list, tuple or other iterable holds; a text, a mapping and a model are none here."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable) or _is_model(value):
        raise BadArgument(argument, f"must be a list, not {kind(value)}: write […] around it")
    return list(value)


def mapping(
    argument: str, value: object, *models: str, also: tuple[str, ...] = (), taken: str = ""
) -> dict[str, Any]:
    """Return a mapping, or one of some models, as a JSON object.

    A mapping's members bear wire names, or the Python names that the models have: `input_modes` is
    `inputModes`. Whatever no model knows keeps its name.

    Args:
        argument: What to call it where it is refused.
        value: The mapping or model.
        models: The models that are taken, as `a2a_v1_0.AgentSkill`.
        also: Further members that have a Python name.
        taken: What else the argument may be, for a message.
    """
    wanted = [taken, *(f"a model {name.partition('.')[2]}" for name in models[:1]), "a mapping"]
    told = f"must be {' or '.join(filter(None, wanted))}, not {kind(value)}"
    if _is_model(value):
        if not isinstance(value, tuple(_model(name) for name in models)):
            raise BadArgument(argument, told)
        whole: dict[str, Any] = _written(argument, value)
        return whole
    if not isinstance(value, Mapping):
        raise BadArgument(argument, told)
    whole = {text(f"a name in {argument}", name): plain(argument, value[name]) for name in value}
    if not any("_" in name for name in whole):
        return whole
    known = {*also, *(field for name in models for field in _model(name).model_fields)}
    wired = {wire_name(name) if name in known else name: item for name, item in whole.items()}
    if len(wired) < len(whole):
        twice = next(
            name for name in known if name != wire_name(name) and {name, wire_name(name)} <= whole.keys()
        )
        raise BadArgument(argument, f"says {twice!r} and {wire_name(twice)!r}, which are one: leave one out")
    return wired


def mappings(argument: str, value: object, *models: str) -> list[dict[str, Any]]:
    """Return a list of what `mapping` takes."""
    return [
        mapping(f"{argument}[{index}]", item, *models) for index, item in enumerate(items(argument, value))
    ]


def named(argument: str, value: object, read: Callable[[str, object], Any]) -> dict[str, Any]:
    """Return a mapping whose names are kept as they are, each value read by a function."""
    if not isinstance(value, Mapping):
        raise BadArgument(argument, f"must be a mapping, not {kind(value)}")
    return {text(f"a name in {argument}", name): read(f"{argument}[{name!r}]", value[name]) for name in value}


def plain(argument: str, value: Any, depth: int = 0) -> Any:
    """Return a value with models, mappings and tuples in it as JSON values.

    Deeper than a card may nest nothing is turned: it is refused when the card is made.
    """
    if depth > GREATEST_DEPTH:
        return value
    if _is_model(value):
        return _written(argument, value)
    if isinstance(value, Mapping):
        return {name: plain(argument, value[name], depth + 1) for name in value}
    if isinstance(value, (list, tuple)):
        return [plain(argument, item, depth + 1) for item in value]
    return str.__str__(value) if isinstance(value, str) else value


def kind(value: object) -> str:
    """Return what a value is, for a message."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return "None" if value is None else type(value).__name__


def _is_model(value: object) -> bool:
    """Whether a value is a model, told without importing what models need."""
    return not isinstance(value, type) and hasattr(value, "model_dump")


def _model(name: str) -> Any:
    package, _, model = name.partition(".")
    return getattr(import_module(f"cardwright_models.{package}.models"), model)


def _written(argument: str, model: Any) -> Any:
    try:
        return model.model_dump(mode="json", by_alias=True)
    except (TypeError, ValueError) as error:
        raise BadArgument(argument, f"the model cannot be written as JSON: {error}") from error
