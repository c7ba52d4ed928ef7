"""`cardwright verify`: which signatures of a card hold, by which keys, and what they do not cover."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import card_of
from cardwright.cli.fetch_options import is_url, key_set_at, name_of, reach_of
from cardwright.cli.keyfiles import trusted
from cardwright.cli.option_groups import option
from cardwright.cli.terminal import fail, legible, report, tell
from cardwright.extras import check_extra
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.cli.fetch_options import Reach
    from cardwright.signing import KeySet, Verification

_FORMATS: Final = {
    "text": "signatures:piped",
    "terminal": "signatures:shown",
    "json": "signatures:contract",
}


def command(  # noqa: PLR0913 - an argument an option
    path: options.PathOrUrl,
    *,
    keys: options.Keys = None,
    jku: Annotated[
        list[str] | None,
        option(
            "--jku",
            "Trust the key sets that this https origin publishes, too, and fetch them where a signature"
            " names one. May be repeated.",
            "ORIGIN",
        ),
    ] = None,
    profiles: options.Profiles = None,
    allow_uncovered: Annotated[
        bool,
        option(
            "--allow-uncovered",
            "Exit with 0 though the signature leaves security, interfaces, url or skills uncovered.",
        ),
    ] = False,
    form: options.Format = "text",
    dialect: options.DialectName = None,
    checks: options.Limited,
    allowed: options.Reachable,
) -> None:
    """Verify the signatures of a card by keys that are trusted.

    Trusted are the keys of --keys, the key sets of the origins of --jku and of a trust store, and of the
    https origin that the card itself is fetched from. Of a file nothing is fetched without them.

    Exits with 0 if one verifies and covers what matters, 1 if none does, 2 if the card or the keys
    could not be read.
    """
    if path in (keys or ()):
        fail(f"{legible(path)} is both the card and the keys")
    if not keys and not jku and not is_url(path):
        fail("name what is trusted: --keys FILE, or --jku ORIGIN")
    if jku:
        check_extra("discovery")
    reach = reach_of(allowed, [path])
    key_set = trusted(keys)
    card = card_of(path, dialect, checks, reach=reach)
    found = _verified(card, key_set, path, jku, profiles, reach)
    report(form, _FORMATS, legible(name_of(path)), found)
    if not card.valid:
        tell(f"{escaped(legible(name_of(path)))}: the card has errors: see `cardwright check`\n")
    raise typer.Exit(0 if found.covered or (allow_uncovered and found.verified) else 1)


def _verified(
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
