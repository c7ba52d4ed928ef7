"""Reference page of the command line: every command with its arguments, options and examples."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any, Final

from typer.main import get_command

from cardwright.cli import app
from docs.sitegen.markdown import code, page, table

if TYPE_CHECKING:
    from collections.abc import Iterator

# The values of an option, as the help shows them.
_CHOICES: Final = re.compile(r"<([^<>|]+(?:\|[^<>|]+)+)>")
_EXIT: Final = """
Exit status of every command: 0 success; 1 a card is invalid, its dialect is unknown or a gate failed; 2 an input could
not be read or the command line is wrong. `--format json` prints a result for programs; its fields are stable.
"""


def command_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and text of the page of the command line."""
    root = get_command(app)
    with root.make_context("cardwright", ["check", "-"], resilient_parsing=True) as context:
        parts = [part for command in _commands(root, context) for part in _command(*command)]
    yield "cli.md", page("Command line", _EXIT, *parts)


def _commands(group: Any, context: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each command below a group with its context, in the order of the help."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        below = type(context)(command, info_name=name, parent=context)
        yield command, below
        if hasattr(command, "list_commands"):
            yield from _commands(command, below)


def _command(command: Any, context: Any) -> Iterator[str]:
    depth = context.command_path.count(" ")
    yield f"{'#' * min(depth + 1, 3)} {context.command_path}"
    text, examples = _help(command)
    yield text
    if not hasattr(command, "list_commands") or command.invoke_without_command:
        yield f"```text\n{_usage(command, context)}\n```"
    if examples:
        yield f"```console\n{examples}\n```"
    rows = [
        _parameter(one, context)
        for one in command.params
        if one.name != "help" and not getattr(one, "hidden", False)
    ]
    if rows:
        yield table(("argument or option", "default", "meaning"), rows)


def _help(command: Any) -> tuple[str, str]:
    """Return the help text of a command as paragraphs, and its examples as console lines."""
    text = inspect.cleandoc("\n\n".join(part for part in (command.help, command.epilog) if part))
    text = text.replace("\b\n", "").replace("\f", "")
    examples = re.findall(r"^\s*(?:\$ )?(cardwright .*)$", text, flags=re.MULTILINE)
    prose = re.sub(r"^\s*(?:Examples?:|(?:\$ )?cardwright .*)\s*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", prose).strip(), "\n".join(f"$ {line.strip()}" for line in examples)


def _usage(command: Any, context: Any) -> str:
    return " ".join([context.command_path, *command.collect_usage_pieces(context)])


def _parameter(parameter: Any, context: Any) -> tuple[str, str, str]:
    """Return the row of an argument or option: its names and value, its default, its help."""
    help_text = parameter.help or ""
    if parameter.param_type_name == "argument":
        names = (parameter.metavar or parameter.name.upper()).split("|")
        return " or ".join(map(code, names)), "", help_text
    names, _ = parameter.get_help_record(context)
    choices = _CHOICES.search(names)
    if choices:
        names = _CHOICES.sub("VALUE", names)
        help_text += f" One of {', '.join(map(code, choices[1].split('|')))}."
    default = parameter.default
    plain = type(default) in (str, int, float) and default != ""
    return code(names.strip().replace("|", " or ")), code(default) if plain else "", help_text
