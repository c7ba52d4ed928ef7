"""Arguments and options that several commands share, each declared once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Final, Literal

import typer

from cardwright.canonical import DEFAULT_LIMITS, Limits
from cardwright.checks import Checks, RuleSet
from cardwright.cli.option_groups import Group, option
from cardwright.cli.terminal import fail
from cardwright.signing import PROFILES, Algorithm, Profile
from cardwright_models import DIALECTS

# What `cardwright registry` keeps cards in, and who is known, unless an option says otherwise.
STORE: Final = "agents.db"
FILES: Final = ("agents.yml", "agents.yaml", "agents.json")


def _known(name: str | None) -> str | None:
    if name is not None and name not in DIALECTS:
        fail(f"there is no dialect {name!r}; known are {', '.join(DIALECTS)}")
    return name


def _profiles(names: list[str] | None) -> list[str] | None:
    for name in names or ():
        if name not in PROFILES:
            fail(f"there is no profile {name!r}; known are {', '.join(PROFILES)}")
    return names


def _names() -> list[str]:
    return list(DIALECTS)


Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH", help="Files, folders (every *.json below), patterns, or - for standard input."
    ),
]
PathsOrUrls = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH|URL",
        help="Files, folders (every *.json below), patterns, - for standard input; or URLs: of a card,"
        " or of an agent whose well-known places are asked.",
    ),
]
PathOrUrl = Annotated[
    str,
    typer.Argument(metavar="PATH|URL", help="A card, - for standard input, or the URL of a card or agent."),
]
Card = Annotated[str, typer.Argument(metavar="PATH", help="A card, or - for standard input.")]
Format = Annotated[Literal["text", "json"], option("--format", "How to report.")]
# Formats of reports that build servers and code hosts read.
CheckFormat = Annotated[Literal["text", "json", "sarif", "junit"], option("--format", "How to report.")]
Keys = Annotated[
    list[str] | None,
    option(
        "--keys",
        "A file of trusted keys, to verify signatures: a JSON Web Key Set, a trust store, one key or PEM."
        " May be repeated.",
        "JWKS",
    ),
]
DialectName = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="NAME",
        callback=_known,
        autocompletion=_names,
        help=f"Judge by this dialect instead of detecting it: {', '.join(DIALECTS)}.",
    ),
]
ToDialect = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="NAME",
        callback=_known,
        autocompletion=_names,
        help=f"Convert to this dialect: {', '.join(DIALECTS)}.",
    ),
]
FromDialect = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="NAME",
        callback=_known,
        autocompletion=_names,
        help="Read the card as this dialect instead of detecting it.",
    ),
]
KeyFile = Annotated[
    str | None,
    option(
        "--key",
        "The private key, a JSON Web Key or PEM that only its owner can read;"
        " without it, the key itself in the environment as CARDWRIGHT_KEY.",
        "FILE",
    ),
]
Alg = Annotated[Algorithm, option("--alg", "The algorithm; there is no default.")]
SignedProfile = Annotated[
    Profile,
    option(
        "--profile",
        "The canonical form: of A2A 1.0 §8.4.1, of a2a-sdk and @a2a-js/sdk, or the card as it is.",
    ),
]
Profiles = Annotated[
    list[str] | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        callback=_profiles,
        autocompletion=lambda: list(PROFILES),
        help=f"Accept only this canonical form: {', '.join(PROFILES)}. May be repeated; all where not given.",
    ),
]


# Past a gigabyte one read would be too much for a machine; deeper than canonical.GREATEST_DEPTH nothing is read.
def _limits(
    *,
    max_bytes: Annotated[
        int, option("--max-bytes", "Refuse documents of more bytes.", "N", min=1, max=2**30)
    ] = DEFAULT_LIMITS.max_bytes,
    max_depth: Annotated[
        int, option("--max-depth", "Refuse deeper nesting (at most 128).", "N", min=1, max=128)
    ] = DEFAULT_LIMITS.max_depth,
    max_members: Annotated[
        int, option("--max-members", "Refuse objects of more members.", "N", min=1, max=2**30)
    ] = DEFAULT_LIMITS.max_members,
) -> Checks:
    return Checks(limits=Limits(max_bytes, max_depth, max_members))


def _rules(
    *,
    limited: Annotated[Checks, Group(_limits)],
    rules: Annotated[
        RuleSet | None,
        option(
            "--rules",
            "Apply a further rule set: text looks for text that instructs the model which reads the card.",
        ),
    ] = None,
) -> Checks:
    return Checks(limits=limited.limits, rules=(rules,) if rules else ())


@dataclass(frozen=True, slots=True)
class Allowed:
    """What may be dialled, as options say it, and the fields that are sent along."""

    private: bool = False
    networks: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    headers: tuple[str, ...] = ()


_GUARD: Final = "What a URL may reach"


def _guarded(
    *,
    allow_private: Annotated[
        bool,
        option(
            "--allow-private", "Dial loopback and private addresses (RFC 1918, RFC 4193) too.", panel=_GUARD
        ),
    ] = False,
    allow: Annotated[
        list[str] | None,
        option("--allow", "Dial addresses of this network too. May be repeated.", "CIDR", panel=_GUARD),
    ] = None,
    allow_port: Annotated[
        list[int] | None,
        option(
            "--allow-port",
            "Dial this port of public addresses too, beside 80 and 443. May be repeated.",
            "N",
            panel=_GUARD,
            min=1,
            max=65535,
        ),
    ] = None,
) -> Allowed:
    return Allowed(allow_private, tuple(allow or ()), tuple(allow_port or ()))


def _reaching(
    *,
    guarded: Annotated[Allowed, Group(_guarded)],
    header: Annotated[
        list[str] | None,
        option(
            "--header",
            "Send 'Name: value' to the URL's own origin, nowhere else. May be repeated.",
            "FIELD",
            panel=_GUARD,
        ),
    ] = None,
) -> Allowed:
    return replace(guarded, headers=tuple(header or ()))


@dataclass(frozen=True, slots=True)
class Registry:
    """Which registry a command opens, what it may dial, and which keys it trusts; nothing of a command that asks nobody."""

    store: str | None = None
    config: str | None = None
    allowed: Allowed = Allowed()
    keys: tuple[str, ...] = ()
    asks: bool = False


def _registry(
    *,
    store: Annotated[
        str | None,
        option("--store", f"The database: a file, or postgresql://…; {STORE} where not given.", "FILE|URL"),
    ] = None,
    config: Annotated[
        str | None,
        option("--config", f"Who is known; {' or '.join(FILES)} of this folder where not given.", "FILE"),
    ] = None,
) -> Registry:
    return Registry(store, config)


def _asking_registry(
    *,
    registry: Annotated[Registry, Group(_registry)],
    allowed: Annotated[Allowed, Group(_guarded)],
    keys: Keys = None,
) -> Registry:
    return replace(registry, allowed=allowed, keys=tuple(keys or ()), asks=True)


Limited = Annotated[Checks, Group(_limits)]
LimitedAndRules = Annotated[Checks, Group(_rules)]
Reachable = Annotated[Allowed, Group(_reaching)]
KnownAgents = Annotated[Registry, Group(_registry)]
AskedAgents = Annotated[Registry, Group(_asking_registry)]
