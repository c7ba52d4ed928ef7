"""The root command group: adds the commands of other packages, and reports a missing extra in one line."""

from __future__ import annotations

from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from typer.core import TyperGroup
from typer.main import get_command

from cardwright.cli.terminal import fail
from cardwright.errors import MissingPackage
from cardwright.extras import missing_extra

# The help panel of a command that another package adds.
_PANELS: Final = {"gateway": "Gateway"}


class Commands(TyperGroup):
    """The commands of this package and of the entry points in the group `cardwright.commands`.

    The entry point, its command and the extra that installs its requirements have the same name. The command is
    loaded when it is used or listed.
    """

    @cached_property
    def _entry_points(self) -> dict[str, EntryPoint]:
        return {entry.name: entry for entry in entry_points(group="cardwright.commands")}

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return [*super().list_commands(ctx), *self._entry_points]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command with this name, or None."""
        command: Any = super().get_command(ctx, cmd_name)
        if command is not None or cmd_name not in self._entry_points:
            return command
        command = get_command(self._entry_points[cmd_name].load())
        command.name = cmd_name
        command.rich_help_panel = _PANELS.get(cmd_name)
        return command

    def invoke(self, ctx: Any) -> Any:
        """Run a command; if an extra is missing, print the command that installs it and exit with 2."""
        try:
            return super().invoke(ctx)
        except (MissingPackage, ModuleNotFoundError) as error:
            missing = missing_extra(error, extra=ctx.invoked_subcommand)
            if missing is None:
                raise
            fail(str(missing))
