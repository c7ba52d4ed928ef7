"""`cardwright jwks`: public keys as a JSON Web Key Set to publish."""

from __future__ import annotations

from typing import Annotated, Any, Final

from cardwright.cli.option_groups import described
from cardwright.cli.terminal import emit_json, fail, legible
from cardwright_runtime.violation import quote

EXAMPLES: Final = ("cardwright jwks key.json > jwks.json",)


def command(
    paths: Annotated[list[str], described("jwks FILE")],
    *,
    kid: Annotated[str | None, described("jwks --kid")] = None,
) -> None:
    """Print the JSON Web Key Set to publish: the public keys of files, without private parts.

    A key without an id gets --kid or its RFC 7638 thumbprint as its id.

    Exit status: 0 success, 2 a file contains no key that can sign cards, or two keys have the same id.
    """
    from cardwright.cli.keyfiles import keys_of

    pairs = [(path, key) for path in paths for key in keys_of(path)]
    if kid is not None and len(pairs) != 1:
        fail("--kid needs exactly one key: give one file with one key")
    keys: dict[str, dict[str, Any]] = {}
    for path, key in pairs:
        if None not in (kid, key.kid) and kid != key.kid:
            fail(f"{legible(path)}: the key has the id {quote(key.kid)}; leave out --kid {quote(kid)}")
        name = next(id_ for id_ in (key.kid, kid, key.thumbprint) if id_ is not None)
        jwk = {**key.to_jwk(), "kid": name}
        if keys.setdefault(name, jwk) != jwk:
            fail(
                f"{legible(path)}: another key already has the id {quote(name)}; give each key an id of its own"
            )
    emit_json({"keys": list(keys.values())})
