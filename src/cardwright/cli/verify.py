"""`cardwright verify`: which signatures of a card are valid, with which keys, and what they do not cover."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardwright.cli import options, signing_options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import read_document
from cardwright.cli.fetch_options import is_url, key_set_at, name_of, reach_of
from cardwright.cli.keyfiles import trusted
from cardwright.cli.option_groups import described
from cardwright.cli.terminal import emit_stderr, fail, legible, report
from cardwright.extras import check_extra
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.cli.fetch_options import Reach
    from cardwright.signing import KeySet, Verification

_FORMATS: Final = {
    "text": "signatures:piped",
    "terminal": "signatures:renderables",
    "json": "signatures:contract",
}


EXAMPLES: Final = (
    "cardwright verify --keys jwks.json agent-card.json",
    "cardwright verify --jku https://example.com https://agent.example.com",
)


def command(  # noqa: PLR0913 - an argument an option
    path: options.PathOrUrl,
    *,
    keys: options.Keys = None,
    jku: Annotated[list[str] | None, described("verify --jku")] = None,
    profiles: signing_options.Profiles = None,
    allow_uncovered: Annotated[bool, described("verify --allow-uncovered")] = False,
    form: options.Format = "text",
    dialect: options.DialectName = None,
    checks: options.Limited,
    allowed: options.Reachable,
) -> None:
    """Verify the signatures of a card with trusted keys.

    Trusted are the keys of --keys, the key sets at the origins of --jku and of a trust store, and those at the
    https origin from which the card is fetched. For a card in a file, give --keys or --jku.

    Exit status: 0 a signature is valid and covers security, interfaces, url and skills; 1 none does; 2 the card or
    the keys could not be read.
    """
    from cardwright.card import Card

    if path in (keys or ()):
        fail(f"{legible(path)}: the card cannot also be the file of --keys")
    if not keys and not jku and not is_url(path):
        fail("no trusted keys: give --keys FILE or --jku ORIGIN")
    if jku:
        check_extra("discovery")
    reach = reach_of(allowed, [path])
    key_set = trusted(keys)
    card = read_document(Card, path, dialect, checks, reach=reach)
    verification = _verify(card, key_set, path, jku, profiles, reach)
    report(form, _FORMATS, legible(name_of(path)), verification)
    if not card.valid:
        emit_stderr(
            f"{escaped(legible(name_of(path)))}: the card has errors; run `cardwright check` to list them\n"
        )
    raise typer.Exit(0 if verification.covered or (allow_uncovered and verification.verified) else 1)


def _verify(
    card: Card, keys: KeySet, path: str, jku: list[str] | None, profiles: list[str] | None, reach: Reach
) -> Verification:
    from cardwright.signing import PROFILES, Policy, verify

    try:
        policy = Policy(
            profiles=tuple(name for name in PROFILES if not profiles or name in profiles),
            jku_origins=frozenset(jku or ()),
            origin=path if is_url(path) else None,
            fetch=lambda url: key_set_at(url, reach),
        )
    except ValueError as error:
        fail(f"--jku: {error}")
    return verify(card, keys=keys, policy=policy)
