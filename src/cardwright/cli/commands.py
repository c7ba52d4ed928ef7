"""The root of the command line: commands of other packages, and one line for an extra that is missing."""

from __future__ import annotations

from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from typer.core import TyperGroup
from typer.main import get_command

from cardwright.cli.terminal import fail
from cardwright.errors import MissingPackage
from cardwright.extras import missing_extra


class Commands(TyperGroup):
    """Commands of this package, and those that packages join by an entry point in `cardwright.commands`.

    A joined command has the name of its entry point, and so has the extra that installs what it needs. It is
    loaded when it is used or listed.
    """

    @cached_property
    def _joined(self) -> dict[str, EntryPoint]:
        return {entry.name: entry for entry in entry_points(group="cardwright.commands")}

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return [*super().list_commands(ctx), *self._joined]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by its name; None if there is none."""
        found = super().get_command(ctx, cmd_name)
        if found is not None or cmd_name not in self._joined:
            return found
        command = get_command(self._joined[cmd_name].load())
        command.name = cmd_name
        return command

    def invoke(self, ctx: Any) -> Any:
        """Run a command; if it needs an extra that is not installed, print the line that installs it and exit with 2."""
        try:
            return super().invoke(ctx)
        except (MissingPackage, ModuleNotFoundError) as error:
            missing = missing_extra(error, extra=ctx.invoked_subcommand)
            if missing is None:
                raise
            fail(str(missing))
