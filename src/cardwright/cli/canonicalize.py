"""`cardwright canonicalize`: the bytes that a signature covers, and how they came about."""

from __future__ import annotations

import sys
from typing import Annotated

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import card_of
from cardwright.cli.option_groups import option
from cardwright.cli.terminal import at_terminal, emit, emit_bytes, fail, legible, render
from cardwright.errors import NoCanonicalForm


def command(
    path: options.Card,
    *,
    profile: options.SignedProfile = "spec",
    explained: Annotated[
        bool,
        option("--explain", "Print after the bytes, member by member, what is kept or left out, and why."),
    ] = False,
    dialect: options.DialectName = None,
    checks: options.Limited,
) -> None:
    """Print the bytes of a card that a signature covers, and nothing else; of an invalid card too.

    Exits with 0, 1 if the profile defines no bytes for the card, 2 if it could not be read.
    """
    from cardwright.cli.reports.signatures import steps, table
    from cardwright.signing import canonical_form, explain

    card = card_of(path, dialect, checks)
    try:
        body = canonical_form(card, profile=profile)
        told = list(explain(card, profile)) if explained else []
    except NoCanonicalForm as error:
        fail(f"{legible(path)}: {error}", status=1)
    person = at_terminal(sys.stdout)
    # Bytes to be hashed end where they end; a person's prompt begins on a line of its own.
    emit_bytes(body + b"\n" if person or explained else body)
    if explained and person:
        render("", table(told))
    elif explained:
        emit("\n" + "".join(f"{line}\n" for line in steps(told)))
