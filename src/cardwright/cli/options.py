"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from cardwright.cli.terminal import fail
from cardwright.signing import PROFILES, Algorithm, Profile
from cardwright_models import DIALECTS


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
# What `cardwright.guard` lets be dialled.
_GUARD: Any = "What a URL may reach"
AllowPrivate = Annotated[
    bool,
    typer.Option(
        "--allow-private",
        rich_help_panel=_GUARD,
        help="Dial loopback and private addresses (RFC 1918, RFC 4193) too.",
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        metavar="CIDR",
        rich_help_panel=_GUARD,
        help="Dial addresses of this network too. May be repeated.",
    ),
]
AllowPort = Annotated[
    list[int] | None,
    typer.Option(
        "--allow-port",
        metavar="N",
        min=1,
        max=65535,
        rich_help_panel=_GUARD,
        help="Dial this port of public addresses too, beside 80 and 443. May be repeated.",
    ),
]
HeaderField = Annotated[
    list[str] | None,
    typer.Option(
        "--header",
        metavar="FIELD",
        rich_help_panel=_GUARD,
        help="Send 'Name: value' to the URL's own origin, nowhere else. May be repeated.",
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
# Past a gigabyte one read would be too much for a machine; deeper than canonical.GREATEST_DEPTH nothing is read.
MaxBytes = Annotated[
    int, typer.Option("--max-bytes", metavar="N", min=1, max=2**30, help="Refuse documents of more bytes.")
]
MaxDepth = Annotated[
    int, typer.Option("--max-depth", metavar="N", min=1, max=128, help="Refuse deeper nesting (at most 128).")
]
MaxMembers = Annotated[
    int, typer.Option("--max-members", metavar="N", min=1, max=2**30, help="Refuse objects of more members.")
]
RuleSets = Annotated[
    Literal["text"] | None,
    typer.Option(
        "--rules",
        help="Apply a further rule set: text looks for text that instructs the model which reads the card.",
    ),
]
KeyFile = Annotated[
    str | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="The private key, a JSON Web Key or PEM that only its owner can read;"
        " without it, the key itself in the environment as CARDWRIGHT_KEY.",
    ),
]
Alg = Annotated[Algorithm, typer.Option("--alg", help="The algorithm; there is no default.")]
SignedProfile = Annotated[
    Profile,
    typer.Option(
        "--profile",
        help="The canonical form: of A2A 1.0 §8.4.1, of a2a-sdk and @a2a-js/sdk, or the card as it is.",
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
# For where a dialect must be named.
DIALECT_NAME: Any = typer.Argument(metavar="DIALECT", callback=_known, autocompletion=_names)
