"""`cardwright sign`: the card with one more signature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import card_of
from cardwright.cli.option_groups import option
from cardwright.cli.terminal import emit_json, fail, legible, tell
from cardwright.errors import BadKey, CardError, InvalidCard
from cardwright_runtime.violation import clipped, escaped, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card
    from cardwright.signing import Form, Key


def command(  # noqa: PLR0913 - an argument an option
    path: Annotated[str, typer.Argument(metavar="PATH", help="A valid card, or - for standard input.")],
    *,
    alg: options.Alg,
    key: options.KeyFile = None,
    kid: Annotated[
        str | None,
        option("--kid", "The id of the key; its own, or its RFC 7638 thumbprint, where not given.", "K"),
    ] = None,
    jku: Annotated[
        str | None, option("--jku", "Name the https URL of the key set that has the public key.", "URL")
    ] = None,
    profile: options.SignedProfile = "spec",
    replace: Annotated[
        bool, option("--replace", "Drop the signatures that the card has, such as those of before an edit.")
    ] = False,
    dialect: options.DialectName = None,
    checks: options.Limited,
) -> None:
    """Print a card with one more signature (A2A 1.0 §8.4); those that it has are kept, but with --replace.

    Exits with 0, 1 if the card is invalid or cannot be signed, 2 if the card or the key could not be
    read or the key is not one for the algorithm.
    """
    from cardwright.cli.keyfiles import VARIABLE, key_of
    from cardwright.signing import form_of, sign, unsigned

    card = card_of(path, dialect, checks)
    card = unsigned(card) if replace else card
    signer = key_of(key)
    # As `cardwright jwks` names a key without an id.
    name = next(one for one in (kid, signer.kid, signer.thumbprint) if one is not None)
    try:
        signed = sign(card, key=signer, kid=name, alg=alg, jku=jku, profile=profile)
    except BadKey as error:
        fail(f"{VARIABLE if key is None else legible(key)}: {error}")
    except InvalidCard as error:
        fail(f"{legible(path)}: {error}: see `cardwright check` and `cardwright fix`", status=1)
    except CardError as error:
        fail(f"{legible(path)}: {error}", status=1)
    emit_json(signed.document)
    tell(f"{escaped(legible(path))}: signed with {alg} as {quote(name)}, profile {profile}\n")
    tell("".join(f"  {line}\n" for line in _cautions(card, signer, name, form_of(card, profile))))


def _cautions(card: Card, signer: Key, name: str, form: Form) -> Iterator[str]:
    """Yield what whoever signs should know of what was signed."""
    if before := len(card.document.get("signatures", ())):
        kept = "the signature" if before == 1 else f"the {before} signatures"
        yield f"{kept} of before stay, and hold only if the card is as it was: --replace drops them"
    if signer.kid is None and name != signer.thumbprint:
        yield f"the key itself has no id: publish it under this one, cardwright jwks --kid {quote(name)} FILE"
    for pointer in form.uncovered:
        yield f"the signature does not cover {clipped(pointer)}"
