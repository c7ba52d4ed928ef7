"""Values of options that are texts already: typer makes a pydantic adapter for each option, which takes half of a command's start."""

from __future__ import annotations

from typing import Any


class _PlainValue:
    """What typer asks for the value of a parameter: texts and defaults are taken as they are, all else goes to typer."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value of a parameter; the arguments are those of typer."""
        annotation = param.type_descriptor.annotation
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if annotation is str and type(value) is str:
            return value
        if (
            annotation == list[str]
            and type(value) in (list, tuple)
            and all(type(one) is str for one in value)
        ):
            return list(value)
        if type(value) in (int, str) and value == param.default:
            return value
        # The adapter of typer takes its place.
        param._runtime_param = None  # noqa: SLF001 - see `with_plain_values`
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def with_plain_values(params: list[Any]) -> list[Any]:
    """Return the parameters of a command, such that typer makes the adapter of one only if its value needs one.

    typer offers no way to do so; a version of typer without this attribute works as it is.
    """
    for param in params:
        if getattr(param, "_runtime_param", "") is None and hasattr(param, "get_runtime_param"):
            param._runtime_param = _PlainValue()  # noqa: SLF001 - see above
    return params


def take_plain_values(command: Any) -> None:
    """Take the values of a command, and of those of a group, as they are where that is possible."""
    params_of = command.get_params
    # A method, because typer adds --help when it lists the parameters.
    command.get_params = lambda ctx: with_plain_values(params_of(ctx))
    for inner in getattr(command, "commands", {}).values():
        take_plain_values(inner)
