"""The options of `cardwright serve`, in the panels of its help."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from cardwright.cli.option_groups import option

_WHERE: Final = "Server"
_WHAT: Final = "Cards"
_SIGNING: Final = "Signing"
_WHO: Final = "Access"

Paths = Annotated[
    list[str],
    typer.Argument(metavar="PATH", help="Cards: files, folders (every *.json in them) or glob patterns."),
]
Host = Annotated[str, option("--host", "The address to listen on.", panel=_WHERE)]
Port = Annotated[
    int, option("--port", "The port to listen on; 0 chooses a free one.", panel=_WHERE, min=0, max=65535)
]
AllowHost = Annotated[
    list[str] | None,
    option(
        "--allow-host",
        "On a loopback address, also answer requests for this host name. Others are refused, except localhost and the"
        " host of --base-url, so that no web page reads the cards through a name of its own. Can be repeated.",
        "NAME",
        panel=_WHERE,
    ),
]
BaseURL = Annotated[
    str | None,
    option(
        "--base-url",
        "The public URL of the agents; replaces the origin of the endpoint URLs in the cards.",
        "URL",
        panel=_WHERE,
    ),
]
Workers = Annotated[int, option("--workers", "The number of worker processes.", panel=_WHERE, min=1, max=256)]
LogRequests = Annotated[bool, option("--log-requests", "Log each request.", panel=_WHERE)]
Watch = Annotated[
    bool, option("--watch", "Reload a card when its file changes, if the new card is valid.", panel=_WHAT)
]
Playground = Annotated[
    bool,
    option(
        "--playground",
        "Also serve /playground, on which visitors check cards that they paste. Nothing is stored.",
        panel=_WHAT,
    ),
]
Robots = Annotated[
    bool,
    option(
        "--robots",
        "Also serve /robots.txt with the hint Agentmap, the URL of the catalogue (ARD 0.91). Needs --base-url.",
        panel=_WHAT,
    ),
]
Default = Annotated[
    str | None,
    option(
        "--default",
        "What to serve to a client that requests no version, or one that the card cannot be written in: hybrid,"
        " as-written or a version.",
        "FORM",
        panel=_WHAT,
    ),
]
MaxAge = Annotated[
    int | None,
    option(
        "--max-age",
        "How long caches may keep a card without asking again. Default: 3600; with --watch 0.",
        "SECONDS",
        panel=_WHAT,
        min=0,
    ),
]
Root = Annotated[
    str | None, option("--root", "Of several cards, the one to serve at the root.", "ID", panel=_WHAT)
]
Key = Annotated[
    str | None,
    option(
        "--key",
        "The file of the private key, which only its owner can read. Default: the key in the environment variable"
        " CARDWRIGHT_KEY.",
        "FILE",
        panel=_SIGNING,
    ),
]
Kid = Annotated[
    str | None, option("--kid", "The id of the key. Default: the id in the key.", "K", panel=_SIGNING)
]
Alg = Annotated[str | None, option("--alg", "Sign the cards with this algorithm and --key.", panel=_SIGNING)]
Jku = Annotated[
    str | None, option("--jku", "The URL of the key set that contains the public key.", "URL", panel=_SIGNING)
]
State = Annotated[
    str | None,
    option(
        "--state",
        "Store signatures in this folder, so that every worker and every restart serves the same ones.",
        "DIR",
        panel=_SIGNING,
    ),
]
Views = Annotated[
    str | None,
    option(
        "--views",
        "A JSON file that says which callers see which fields; needs --api-keys.",
        "FILE",
        panel=_WHO,
    ),
]
ApiKeys = Annotated[
    str | None,
    option(
        "--api-keys",
        'A JSON file, which only its owner can read: {"API-KEY": "authenticated"} or "owner". Callers send the key as'
        " X-API-Key.",
        "FILE",
        panel=_WHO,
    ),
]
Sensitive = Annotated[
    str | None,
    option(
        "--publish-sensitive",
        "Publish cards that contain internal hosts (hosts), or also credentials (all).",
        "WHAT",
        panel=_WHO,
    ),
]
