"""`cardwright canonicalize`: the bytes that a signature covers, and how they are derived from the card."""

from __future__ import annotations

import sys
from typing import Annotated, Final

from cardwright.cli import options, signing_options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import read_document
from cardwright.cli.option_groups import described
from cardwright.cli.terminal import at_terminal, emit, emit_bytes, fail, is_safe, legible, render
from cardwright.errors import NoCanonicalForm

EXAMPLES: Final = (
    "cardwright canonicalize agent-card.json | sha256sum",
    "cardwright canonicalize --profile sdk --explain agent-card.json",
)


def command(
    path: options.Card,
    *,
    profile: signing_options.SignedProfile = "spec",
    explained: Annotated[bool, described("canonicalize --explain")] = False,
    dialect: options.DialectName = None,
    checks: options.Limited,
) -> None:
    """Print the canonical form of a card, valid or not: the bytes that a signature covers.

    These bytes cannot be escaped. If they have characters that change what a terminal shows, nothing is printed on a
    terminal: write them into a file.

    Exit status: 0 success, 1 the profile defines no canonical form for the card, 2 it could not be read or
    not be printed on a terminal.
    """
    from cardwright.card import Card
    from cardwright.cli.reports.signatures import steps, table
    from cardwright.signing import canonical_form, explain

    card = read_document(Card, path, dialect, checks)
    try:
        body = canonical_form(card, profile=profile)
        explanation = list(explain(card, profile)) if explained else []
    except NoCanonicalForm as error:
        fail(f"{legible(path)}: {error}", status=1)
    interactive = at_terminal(sys.stdout)
    if interactive and not is_safe(body):
        fail(
            f"{legible(path)}: the canonical form has control or text direction characters, which are not printed on a"
            " terminal; write it into a file, such as `cardwright canonicalize CARD > FILE`"
        )
    # In a pipe the bytes are to be hashed: add no line end.
    emit_bytes(body + b"\n" if interactive or explained else body)
    if explained and interactive:
        render("", table(explanation))
    elif explained:
        emit("\n" + "".join(f"{line}\n" for line in steps(explanation)))
