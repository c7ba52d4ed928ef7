"""The command line: one module per command, imported when the command is used.

The output for programs (`--format json`) and the exit status are a contract: 0 success, 1 a card is invalid,
its dialect is unknown or a gate failed, 2 an input could not be read or the command line is wrong.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from cardwright.cli.commands import Commands
from cardwright.cli.terminal import discard, emit

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


def main() -> None:
    """Run the command line on the arguments of the process."""
    # gRPC writes lines about closed connections and callers' metadata to standard error, past every log.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    if sys.argv[1:2] != ["gateway"]:
        # Looking for plugins of pydantic takes a tenth of a check; only the gateway runs code of its user.
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
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
