"""The options of `cardwright serve`, in the groups that its help shows."""

from __future__ import annotations

from typing import Annotated, Final

import typer

_WHERE: Final = "Where"
_WHAT: Final = "What"
_SIGNING: Final = "Signing"
_WHO: Final = "Who sees what"

Paths = Annotated[
    list[str],
    typer.Argument(metavar="PATH", help="Cards: files, folders (every *.json below), or patterns."),
]
Host = Annotated[str, typer.Option("--host", rich_help_panel=_WHERE, help="The address to listen on.")]
Port = Annotated[
    int,
    typer.Option(
        "--port", min=0, max=65535, rich_help_panel=_WHERE, help="The port; 0 takes one that is free."
    ),
]
BaseURL = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        rich_help_panel=_WHERE,
        help="The public URL the agents are reached at; replaces the origin of their own endpoints.",
    ),
]
Workers = Annotated[
    int,
    typer.Option("--workers", min=1, max=256, rich_help_panel=_WHERE, help="How many processes answer."),
]
LogRequests = Annotated[
    bool, typer.Option("--log-requests", rich_help_panel=_WHERE, help="Log each request.")
]
Watch = Annotated[
    bool,
    typer.Option(
        "--watch",
        rich_help_panel=_WHAT,
        help="Serve a card anew when its file changes; a bad one is refused.",
    ),
]
Versions = Annotated[
    list[str] | None,
    typer.Option(
        "--a2a-version",
        metavar="V",
        rich_help_panel=_WHAT,
        help="Offer this version of A2A: 1.0, 0.3, 0.2, 0.1. May be repeated; those that the card's"
        " interfaces speak where not given.",
    ),
]
Default = Annotated[
    str | None,
    typer.Option(
        "--default",
        metavar="FORM",
        rich_help_panel=_WHAT,
        help="What is served where no version is named: hybrid, as-written, or a version.",
    ),
]
MaxAge = Annotated[
    int,
    typer.Option(
        "--max-age", metavar="SECONDS", min=0, rich_help_panel=_WHAT, help="How long caches may keep a card."
    ),
]
Root = Annotated[
    str | None,
    typer.Option(
        "--root", metavar="ID", rich_help_panel=_WHAT, help="The card served at the root, of several."
    ),
]
Key = Annotated[
    str | None,
    typer.Option(
        "--key",
        metavar="FILE",
        rich_help_panel=_SIGNING,
        help="The private key, that only its owner can read; without it, the key itself in the environment"
        " as CARDWRIGHT_KEY.",
    ),
]
Kid = Annotated[
    str | None,
    typer.Option(
        "--kid", metavar="K", rich_help_panel=_SIGNING, help="The id of the key; its own where not given."
    ),
]
Alg = Annotated[
    str | None,
    typer.Option("--alg", rich_help_panel=_SIGNING, help="Sign with this algorithm and --key."),
]
Jku = Annotated[
    str | None,
    typer.Option(
        "--jku",
        metavar="URL",
        rich_help_panel=_SIGNING,
        help="Where the key set is that has the public key.",
    ),
]
State = Annotated[
    str | None,
    typer.Option(
        "--state",
        metavar="DIR",
        rich_help_panel=_SIGNING,
        help="Keep signatures here: every worker and restart serves the same.",
    ),
]
Views = Annotated[
    str | None,
    typer.Option(
        "--views",
        metavar="FILE",
        rich_help_panel=_WHO,
        help="Who sees what of the cards, as JSON; needs --api-keys.",
    ),
]
ApiKeys = Annotated[
    str | None,
    typer.Option(
        "--api-keys",
        metavar="FILE",
        rich_help_panel=_WHO,
        help="A JSON object from API keys (X-API-Key) to authenticated or owner, that only its owner can read.",
    ),
]
Sensitive = Annotated[
    str | None,
    typer.Option(
        "--publish-sensitive",
        metavar="WHAT",
        rich_help_panel=_WHO,
        help="Publish internal hosts openly (hosts), or credentials too (all).",
    ),
]
