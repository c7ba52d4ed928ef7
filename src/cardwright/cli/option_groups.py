"""Groups of options: declared once as the parameters of a function, and taken by a command as one value."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

import typer

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Group:
    """Marks a parameter, by `Annotated`, as what a function returns for the options that are its parameters."""

    value: Callable[..., Any]


def grouped(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command in which the options of each group stand in the place of the group."""
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
    def run(**given: Any) -> Any:
        for name, (value, options) in groups.items():
            given[name] = value(**{option: given.pop(option) for option in options})
        return command(**given)

    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined] # PEP 362; the stubs do not know it
        [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters]
    )
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run


def _group_of(annotation: Any) -> Group | None:
    marks = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, Group)), None)


def option(
    name: str,
    text: str,
    metavar: str | None = None,
    *,
    panel: str | None = None,
    min: float | None = None,  # noqa: A002 - as typer calls it
    max: float | None = None,  # noqa: A002 - likewise
) -> Any:
    """Return an option of a command, with its help text, the name of its value and the panel of the help."""
    return typer.Option(name, metavar=metavar, help=text, rich_help_panel=panel, min=min, max=max)
