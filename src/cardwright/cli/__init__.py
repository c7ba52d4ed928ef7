"""The command line: one module a command.

What a command prints for programs (`--format json`) and how it exits are a contract: 0 all is
well, 1 something is invalid, unknown or past a gate, 2 something could not be read or was asked wrongly.
"""

from __future__ import annotations

import sys
from typing import Annotated

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
from cardwright.cli.option_groups import grouped
from cardwright.cli.terminal import discard, emit

__all__ = ["app", "main"]

app = typer.Typer(
    name="cardwright",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 all is well, 1 a card is invalid, unknown or past a gate, 2 it could not be read or was asked wrongly.",
)
for _module in (init, check, explain, convert, detect, diff, fix, show, probe, serve, discover):
    app.command(_module.__name__.rpartition(".")[2])(grouped(_module.command))
app.add_typer(registry.app, name="registry")
for _module in (keygen, jwks, sign, verify, canonicalize):
    app.command(_module.__name__.rpartition(".")[2])(grouped(_module.command))
app.add_typer(schema.app, name="schema")


def main() -> None:
    """Run the command line on the arguments of the process."""
    try:
        app(prog_name="cardwright")
    except OSError as error:
        # A fault of an input is a row of the report: only writing is left to fail.
        discard()
        typer.echo(f"cardwright: cannot write: {error.strerror}", err=True)
        sys.exit(2)


def _version(asked: bool) -> None:  # noqa: FBT001 - typer passes an option's value by position
    if asked:
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
    """Begin, read, judge, convert, compare, mend, sign, publish, discover and probe agent cards of every dialect: A2A 0.1 to 1.0, hybrids, Beach and MCP."""
