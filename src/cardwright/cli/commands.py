"""The root command group: imports a command when it is used, and reports a missing extra in one line."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from cardwright.cli.option_groups import examples, grouped, help_of
from cardwright.cli.plain_values import take_plain_values, with_plain_values
from cardwright.cli.terminal import fail
from cardwright.errors import MissingPackage
from cardwright.extras import missing_extra

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

# The panels of `cardwright --help` with the commands of this package, each a module of this folder, in this order.
_PANELS: Final = {
    "Validate": ("check", "explain", "detect", "show", "schema", "survey", "conformance"),
    "Create and transform": ("init", "fix", "convert", "diff"),
    "Sign": ("keygen", "sign", "verify", "jwks", "canonicalize"),
    "Publish": ("serve", "catalog"),
    "Discover": ("discover", "probe", "registry"),
    "Call": ("call", "task"),
    "Assistants": ("mcp",),
}
_PANEL_OF: Final = {name: panel for panel, names in _PANELS.items() for name in names}
# The help panel of a command that another distribution adds.
_OTHER_PANELS: Final = {"gateway": "Gateway"}


class Commands(TyperGroup):
    """The commands of this package and of the entry points in the group `cardwright.commands`.

    The entry point, its command and the extra that installs its requirements have the same name. The command is
    loaded when it is used or listed.
    """

    @cached_property
    def _entry_points(self) -> dict[str, EntryPoint]:
        # Reading the metadata of all installed packages takes longer than reading a card.
        from importlib.metadata import entry_points

        return {entry.name: entry for entry in entry_points(group="cardwright.commands")}

    def get_params(self, ctx: Any) -> Any:
        """Return the options of the program."""
        return with_plain_values(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the signature of click
        """Return the names of all commands."""
        return list(dict.fromkeys((*_PANEL_OF, *_OTHER_PANELS, *self._entry_points)))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - the signature of click
        """Return the command with this name, or None."""
        command: Any = self.commands.get(cmd_name)
        if command is None and cmd_name in _PANEL_OF:
            command = _own(cmd_name)
            command.rich_help_panel = _PANEL_OF[cmd_name]
        elif command is None and (cmd_name in self._entry_points or cmd_name in _OTHER_PANELS):
            entry = self._entry_points.get(cmd_name)
            command = get_command(_absent(cmd_name) if entry is None else entry.load())
            command.rich_help_panel = _OTHER_PANELS.get(cmd_name)
        if command is not None:
            command.name = cmd_name
            take_plain_values(command)
            self.commands[cmd_name] = command
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that arguments name; for another name, typer suggests one of the commands that are loaded."""
        if args and self.get_command(ctx, args[0]) is None:
            for name in _PANEL_OF:
                self.get_command(ctx, name)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; if an extra is missing, print the command that installs it and exit with 2."""
        try:
            return super().invoke(ctx)
        except (MissingPackage, ModuleNotFoundError) as error:
            missing = missing_extra(error, extra=ctx.invoked_subcommand)
            if missing is None:
                raise
            fail(str(missing))


def _own(name: str) -> Any:
    """Return a command of this package: its module has `app`, a group of commands, or `command` and `EXAMPLES`."""
    module = import_module(f"cardwright.cli.{name}")
    app = typer.Typer(add_completion=False)
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name)
        group: Any = get_command(app)
        return group.get_command(None, name)
    app.command(name, help=help_of(module.command), epilog=examples(*module.EXAMPLES))(
        grouped(module.command)
    )
    return get_command(app)


def _absent(name: str) -> typer.Typer:
    """Return a command whose distribution is not installed: it prints how to install it, whatever its arguments are."""
    app = typer.Typer(add_completion=False)
    lenient = {"ignore_unknown_options": True, "allow_extra_args": True}

    @app.command(help=f'Not installed: pip install "cardwright\\[{name}]"', context_settings=lenient)
    def absent() -> None:
        module = f"cardwright_{name}"
        raise ModuleNotFoundError(f"no module {module!r}", name=module)

    return app
