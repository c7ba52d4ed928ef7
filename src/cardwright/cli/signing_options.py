"""Options that the commands of signatures share."""

from __future__ import annotations

from typing import Annotated

import typer

from cardwright.cli.option_groups import option
from cardwright.cli.terminal import fail
from cardwright.signing import PROFILES, Algorithm, Profile


def _known_profiles(names: list[str] | None) -> list[str] | None:
    for name in names or ():
        if name not in PROFILES:
            fail(f"unknown profile {name!r}; known profiles: {', '.join(PROFILES)}")
    return names


KeyFile = Annotated[
    str | None,
    option(
        "--key",
        "The file of the private key, a JSON Web Key or PEM that only its owner can read. Default: the key in the"
        " environment variable CARDWRIGHT_KEY.",
        "FILE",
    ),
]
Alg = Annotated[Algorithm, option("--alg", "The signature algorithm.")]
SignedProfile = Annotated[
    Profile,
    option(
        "--profile",
        "The canonical form: spec (A2A 1.0 §8.4.1), sdk (as a2a-sdk and @a2a-js/sdk compute it) or as-received (the"
        " card unchanged).",
    ),
]
Profiles = Annotated[
    list[str] | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        callback=_known_profiles,
        autocompletion=lambda: list(PROFILES),
        help=f"Accept only this canonical form: {', '.join(PROFILES)}. Can be repeated. Default: all.",
    ),
]
