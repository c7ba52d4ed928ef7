"""`cardwright jwks`: the public halves of keys, as the JSON Web Key Set to publish."""

from __future__ import annotations

from typing import Annotated

import typer

from cardwright.cli.terminal import emit_json, fail, legible
from cardwright_models.violation import quote


def command(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Keys, private or public: JSON Web Keys or PEM.")
    ],
) -> None:
    """Print a public JSON Web Key Set; nothing secret of a private key is in it.

    A key without an id gets its RFC 7638 thumbprint. Exits with 0, or 2 if a file holds no key that
    signs cards, or two keys have one id.
    """
    from cardwright.cli.keyfiles import any_key

    keys: dict[str, dict[str, str]] = {}
    for path in paths:
        key = any_key(path)
        kid = key.kid if key.kid is not None else key.thumbprint
        jwk = {**key.to_jwk(), "kid": kid}
        if keys.setdefault(kid, jwk) != jwk:
            fail(
                f"{legible(path)}: another key has the id {quote(kid)} already: signatures could not tell them apart"
            )
    emit_json({"keys": list(keys.values())})
