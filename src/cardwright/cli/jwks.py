"""`cardwright jwks`: the public halves of keys, as the JSON Web Key Set to publish."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cardwright.cli.option_groups import option
from cardwright.cli.terminal import emit_json, fail, legible
from cardwright_runtime.violation import quote


def command(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Keys, private or public: JSON Web Keys, sets of them, or PEM."),
    ],
    *,
    kid: Annotated[
        str | None, option("--kid", "The id of one key that has none, as it was given to `sign`.", "K")
    ] = None,
) -> None:
    """Print a public JSON Web Key Set of keys and sets; nothing secret of a private key is in it.

    A key without an id gets its RFC 7638 thumbprint, or --kid. Exits with 0, or 2 if a file holds no key that
    signs cards, or two keys have one id.
    """
    from cardwright.cli.keyfiles import keys_of

    found = [(path, key) for path in paths for key in keys_of(path)]
    if kid is not None and len(found) != 1:
        fail("--kid names one key: give one file with one key")
    keys: dict[str, dict[str, Any]] = {}
    for path, key in found:
        if None not in (kid, key.kid) and kid != key.kid:
            fail(f"{legible(path)}: the key's own kid is {quote(key.kid)}, not {quote(kid)}")
        name = next(one for one in (key.kid, kid, key.thumbprint) if one is not None)
        jwk = {**key.to_jwk(), "kid": name}
        if keys.setdefault(name, jwk) != jwk:
            fail(
                f"{legible(path)}: another key has the id {quote(name)} already: signatures could not tell them apart"
            )
    emit_json({"keys": list(keys.values())})
