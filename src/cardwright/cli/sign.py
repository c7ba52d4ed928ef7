"""`cardwright sign`: a card with an additional signature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from cardwright.cli import options, signing_options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import read_document
from cardwright.cli.option_groups import described
from cardwright.cli.reports.words import counted
from cardwright.cli.terminal import emit_json, emit_stderr, fail, legible
from cardwright.errors import BadKey, CardError, InvalidCard
from cardwright_runtime.violation import clipped, escaped, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card
    from cardwright.signing import Form, Key


EXAMPLES: Final = (
    "cardwright sign --alg ES256 --key key.json agent-card.json > signed.json",
    "cardwright sign --alg EdDSA --replace agent-card.json > signed.json",
)


def command(  # noqa: PLR0913 - one parameter per option
    path: Annotated[str, described("sign PATH")],
    *,
    alg: signing_options.Alg,
    key: signing_options.KeyFile = None,
    kid: Annotated[str | None, described("sign --kid")] = None,
    jku: Annotated[str | None, described("sign --jku")] = None,
    profile: signing_options.SignedProfile = "spec",
    replace: Annotated[bool, described("sign --replace")] = False,
    dialect: options.DialectName = None,
    checks: options.Limited,
) -> None:
    """Sign a card (A2A 1.0 §8.4) and print it with the new signature added.

    Exit status: 0 success, 1 the card is invalid or cannot be signed, 2 the card or the key could not be read, or the
    key does not fit the algorithm.
    """
    from cardwright.card import Card
    from cardwright.cli.keyfiles import VARIABLE, key_of
    from cardwright.signing import form_of, sign, unsigned

    card = read_document(Card, path, dialect, checks)
    card = unsigned(card) if replace else card
    signer = key_of(key)
    # The same id as in the output of `cardwright jwks`.
    name = next(id_ for id_ in (kid, signer.kid, signer.thumbprint) if id_ is not None)
    try:
        signed = sign(card, key=signer, kid=name, alg=alg, jku=jku, profile=profile)
    except BadKey as error:
        fail(f"{VARIABLE if key is None else legible(key)}: {error}")
    except InvalidCard as error:
        fail(f"{legible(path)}: {error}; see `cardwright check` and `cardwright fix`", status=1)
    except CardError as error:
        fail(f"{legible(path)}: {error}", status=1)
    emit_json(signed.document)
    emit_stderr(f"{escaped(legible(path))}: signed with {alg} as {quote(name)}, profile {profile}\n")
    emit_stderr("".join(f"  {line}\n" for line in _cautions(card, signer, name, form_of(card, profile))))


def _cautions(card: Card, signer: Key, name: str, form: Form) -> Iterator[str]:
    """Yield notes for the signer about the result."""
    if existing := len(card.document.get("signatures", ())):
        yield (
            f"{counted(existing, 'existing signature')} kept, valid only if the card has not changed since;"
            " --replace removes them"
        )
    if signer.kid is None and name != signer.thumbprint:
        yield f"the key has no id: publish it with this one, cardwright jwks --kid {quote(name)} FILE"
    for pointer in form.uncovered:
        yield f"the signature does not cover {clipped(pointer)}"
