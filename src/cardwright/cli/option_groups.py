"""Options by their rows in `options.json`, and groups of options that several commands share, passed as one value."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

import orjson
import typer

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Group:
    """Annotation of a parameter whose value is computed from a group of options.

    Attributes:
        value: The function whose parameters are the options; the command gets its return value.
    """

    value: Callable[..., Any]


def grouped(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command whose groups are replaced by their options."""
    parameters: list[inspect.Parameter] = []
    groups: dict[str, tuple[Callable[..., Any], list[str]]] = {}
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        group = _group_of(parameter.annotation)
        if group is None:
            parameters.append(parameter)
            continue
        value = grouped(group.value)
        options = inspect.signature(value, eval_str=True).parameters
        groups[parameter.name] = value, list(options)
        parameters += options.values()
    if not groups:
        return command

    @wraps(command)
    def run(**values: Any) -> Any:
        for name, (value, options) in groups.items():
            values[name] = value(**{option: values.pop(option) for option in options})
        return command(**values)

    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined] # PEP 362; the stubs do not know it
        [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    )
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _group_of(annotation: Any) -> Group | None:
    metadata = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((item for item in metadata if isinstance(item, Group)), None)


def examples(*commands: str) -> str:
    """Return the epilog of a command's help that lists examples, one per line."""
    # typer keeps the indentation only if the text begins with an empty line.
    return "\n  ".join(("\nExample:" if len(commands) == 1 else "\nExamples:", *commands))


def help_of(command: Callable[..., Any]) -> str:
    """Return a command's docstring with each paragraph on one line, so that a terminal wraps it at its own width."""
    return "\n\n".join(
        " ".join(paragraph.split()) for paragraph in (inspect.getdoc(command) or "").split("\n\n")
    )


def described(
    key: str,
    *,
    callback: Callable[..., Any] | None = None,
    autocompletion: Callable[[], list[str]] | None = None,
    **values: str,
) -> Any:
    """Return the option or the argument that `options.json` describes.

    Args:
        key: The command, unless several commands share it, and the option or the name of the argument, such as
            `call --data` or `call TEXT`.
        callback: A function that checks its value.
        autocompletion: A function that returns all values.
        values: The texts in place of the names in braces in its help text.
    """
    row = _rows()[key]
    name = key.rpartition(" ")[2]
    settings: dict[str, Any] = {field: value for field, value in row.items() if field != "short"}
    settings |= {"callback": callback, "autocompletion": autocompletion}
    if values:
        settings["help"] = row["help"].format(**values)
    if name.startswith("-"):
        return typer.Option(name, *([row["short"]] if "short" in row else []), **settings)
    settings.setdefault("metavar", name)
    return typer.Argument(**settings)


@cache
def _rows() -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = orjson.loads(Path(__file__).with_name("options.json").read_bytes())  # noqa: TID251 - a file of this package
    return rows
