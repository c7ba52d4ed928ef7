"""`cardwright verify`: which signatures of a card hold, by which keys, and what they do not cover."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cardwright.canonical import DEFAULT_LIMITS, Limits
from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import card_of
from cardwright.cli.fetch_options import is_url, key_set_at, name_of, reach_of
from cardwright.cli.terminal import at_terminal, emit, emit_json, fail, legible, render, tell
from cardwright.extras import check_extra
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from cardwright.signing import Verification

Format = Literal["text", "json"]


def command(  # noqa: PLR0913 - an argument an option
    path: options.PathOrUrl,
    *,
    keys: Annotated[
        list[str] | None,
        typer.Option(
            "--keys",
            metavar="JWKS",
            help="A file of trusted keys: a JSON Web Key Set, a trust store, one key or PEM. May be repeated.",
        ),
    ] = None,
    jku: Annotated[
        list[str] | None,
        typer.Option(
            "--jku",
            metavar="ORIGIN",
            help="Trust the key sets that this https origin publishes, too, and fetch them where a signature"
            " names one. May be repeated.",
        ),
    ] = None,
    profiles: options.Profiles = None,
    allow_uncovered: Annotated[
        bool,
        typer.Option(
            "--allow-uncovered",
            help="Exit with 0 though the signature leaves security, interfaces, url or skills uncovered.",
        ),
    ] = False,
    report: Annotated[Format, typer.Option("--format", help="How to report.")] = "text",
    dialect: options.DialectName = None,
    max_bytes: options.MaxBytes = DEFAULT_LIMITS.max_bytes,
    max_depth: options.MaxDepth = DEFAULT_LIMITS.max_depth,
    max_members: options.MaxMembers = DEFAULT_LIMITS.max_members,
    allow_private: options.AllowPrivate = False,
    allow: options.Allow = None,
    allow_port: options.AllowPort = None,
    header: options.HeaderField = None,
) -> None:
    """Verify the signatures of a card by keys that are trusted.

    Trusted are the keys of --keys, the key sets of the origins of --jku and of a trust store, and of the
    https origin that the card itself is fetched from. Of a file nothing is fetched without them.

    Exits with 0 if one verifies and covers what matters, 1 if none does, 2 if the card or the keys
    could not be read.
    """
    from cardwright.cli.keyfiles import key_set
    from cardwright.cli.reports.signatures import lines, shown
    from cardwright.signing import PROFILES, KeySet, Policy, verify

    if path in (keys or ()):
        fail(f"{legible(path)} is both the card and the keys")
    if not keys and not jku and not is_url(path):
        fail("name what is trusted: --keys FILE, or --jku ORIGIN")
    if jku:
        check_extra("discovery")
    reach = reach_of(private=allow_private, allow=allow, ports=allow_port, headers=header, names=[path])
    trusted = KeySet().merged([key_set(name) for name in keys or ()])
    limits = Limits(max_bytes, max_depth, max_members)
    card = card_of(path, dialect, limits, reach=reach)
    try:
        policy = Policy(
            profiles=tuple(name for name in PROFILES if not profiles or name in profiles),
            jku_origins=frozenset(jku or ()),
            origin=path if is_url(path) else None,
            fetch=lambda url: key_set_at(url, reach),
        )
    except ValueError as error:
        fail(f"--jku: {error}")
    verdict = verify(card, keys=trusted, policy=policy)
    path = name_of(path)
    if report == "json":
        emit_json(verdict.to_json())
    elif at_terminal(sys.stdout):
        render(*shown(legible(path), verdict))
    else:
        emit("".join(f"{line}\n" for line in lines(legible(path), verdict)))
    if not card.valid:
        tell(f"{escaped(legible(path))}: the card has errors: see `cardwright check`\n")
    raise typer.Exit(_status(verdict, allow_uncovered=allow_uncovered))


def _status(verdict: Verification, *, allow_uncovered: bool) -> int:
    return 0 if verdict.covered or (allow_uncovered and verdict.verified) else 1
