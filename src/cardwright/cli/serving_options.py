"""The options of `cardwright serve`, in the groups that its help shows."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from cardwright.cli.option_groups import option

_WHERE: Final = "Where"
_WHAT: Final = "What"
_SIGNING: Final = "Signing"
_WHO: Final = "Who sees what"

Paths = Annotated[
    list[str],
    typer.Argument(metavar="PATH", help="Cards: files, folders (every *.json below), or patterns."),
]
Host = Annotated[str, option("--host", "The address to listen on.", panel=_WHERE)]
Port = Annotated[int, option("--port", "The port; 0 takes one that is free.", panel=_WHERE, min=0, max=65535)]
BaseURL = Annotated[
    str | None,
    option(
        "--base-url",
        "The public URL the agents are reached at; replaces the origin of their own endpoints.",
        "URL",
        panel=_WHERE,
    ),
]
Workers = Annotated[int, option("--workers", "How many processes answer.", panel=_WHERE, min=1, max=256)]
LogRequests = Annotated[bool, option("--log-requests", "Log each request.", panel=_WHERE)]
Watch = Annotated[
    bool, option("--watch", "Serve a card anew when its file changes; a bad one is refused.", panel=_WHAT)
]
Versions = Annotated[
    list[str] | None,
    option(
        "--a2a-version",
        "Offer this version of A2A: 1.0, 0.3, 0.2, 0.1. May be repeated; those that the card's"
        " interfaces speak where not given.",
        "V",
        panel=_WHAT,
    ),
]
Default = Annotated[
    str | None,
    option(
        "--default",
        "What is served where no version is named: hybrid, as-written, or a version.",
        "FORM",
        panel=_WHAT,
    ),
]
MaxAge = Annotated[
    int, option("--max-age", "How long caches may keep a card.", "SECONDS", panel=_WHAT, min=0)
]
Root = Annotated[str | None, option("--root", "The card served at the root, of several.", "ID", panel=_WHAT)]
Key = Annotated[
    str | None,
    option(
        "--key",
        "The private key, that only its owner can read; without it, the key itself in the environment"
        " as CARDWRIGHT_KEY.",
        "FILE",
        panel=_SIGNING,
    ),
]
Kid = Annotated[
    str | None, option("--kid", "The id of the key; its own where not given.", "K", panel=_SIGNING)
]
Alg = Annotated[str | None, option("--alg", "Sign with this algorithm and --key.", panel=_SIGNING)]
Jku = Annotated[
    str | None, option("--jku", "Where the key set is that has the public key.", "URL", panel=_SIGNING)
]
State = Annotated[
    str | None,
    option(
        "--state", "Keep signatures here: every worker and restart serves the same.", "DIR", panel=_SIGNING
    ),
]
Views = Annotated[
    str | None,
    option("--views", "Who sees what of the cards, as JSON; needs --api-keys.", "FILE", panel=_WHO),
]
ApiKeys = Annotated[
    str | None,
    option(
        "--api-keys",
        "A JSON object from API keys (X-API-Key) to authenticated or owner, that only its owner can read.",
        "FILE",
        panel=_WHO,
    ),
]
Sensitive = Annotated[
    str | None,
    option(
        "--publish-sensitive",
        "Publish internal hosts openly (hosts), or credentials too (all).",
        "WHAT",
        panel=_WHO,
    ),
]
