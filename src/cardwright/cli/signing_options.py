"""Options that the commands of signatures share."""

from __future__ import annotations

from typing import Annotated

from cardwright.cli.option_groups import described
from cardwright.cli.terminal import fail
from cardwright.signing import PROFILES, Algorithm, Profile


def _known_profiles(names: list[str] | None) -> list[str] | None:
    for name in names or ():
        if name not in PROFILES:
            fail(f"unknown profile {name!r}; known profiles: {', '.join(PROFILES)}")
    return names


KeyFile = Annotated[str | None, described("sign --key")]
Alg = Annotated[Algorithm, described("sign --alg")]
SignedProfile = Annotated[Profile, described("sign --profile")]
Profiles = Annotated[
    list[str] | None,
    described(
        "verify --profile",
        names=", ".join(PROFILES),
        callback=_known_profiles,
        autocompletion=lambda: list(PROFILES),
    ),
]
