"""The command line: one module per command.

The output for programs (`--format json`) and the exit status are a contract: 0 success, 1 a card is invalid,
its dialect is unknown or a gate failed, 2 an input could not be read or the command line is wrong.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardwright.cli import (
    canonicalize,
    check,
    convert,
    detect,
    diff,
    discover,
    explain,
    fix,
    init,
    jwks,
    keygen,
    probe,
    registry,
    schema,
    serve,
    show,
    sign,
    verify,
)
from cardwright.cli.commands import Commands
from cardwright.cli.option_groups import examples, grouped, help_of
from cardwright.cli.terminal import discard, emit

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["app", "main"]

app = typer.Typer(
    name="cardwright",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 success; 1 a card is invalid, its dialect is unknown or a gate failed; 2 an input could not"
    " be read or the command line is wrong.\n\nOptions and examples of a command: cardwright COMMAND --help",
)

# The panels of `cardwright --help`, in this order. The gateway's is in `commands`.
_PANELS: Final[dict[str, tuple[ModuleType, ...]]] = {
    "Validate": (check, explain, detect, show, schema),
    "Create and transform": (init, fix, convert, diff),
    "Sign": (keygen, sign, verify, jwks, canonicalize),
    "Publish": (serve,),
    "Discover": (discover, probe, registry),
}
for _panel, _modules in _PANELS.items():
    for _module in _modules:
        _name = _module.__name__.rpartition(".")[2]
        if hasattr(_module, "app"):
            app.add_typer(_module.app, name=_name, rich_help_panel=_panel)
        else:
            _help = help_of(_module.command)
            _epilog = examples(*_module.EXAMPLES)
            app.command(_name, help=_help, epilog=_epilog, rich_help_panel=_panel)(grouped(_module.command))


def main() -> None:
    """Run the command line on the arguments of the process."""
    # gRPC writes lines about closed connections to standard error, past every log.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    try:
        app(prog_name="cardwright")
    except OSError as error:
        # An input that cannot be read is a row of the report, so this is a failure to write.
        discard()
        typer.echo(f"cardwright: cannot write: {error.strerror}", err=True)
        sys.exit(2)


def _version(requested: bool) -> None:  # noqa: FBT001 - typer passes an option's value by position
    if requested:
        from cardwright.version import __version__

        emit(f"cardwright {__version__}\n")
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Validate, fix, convert, compare, sign, publish and discover agent cards: A2A 0.1 to 1.0, hybrid, Beach and MCP."""
