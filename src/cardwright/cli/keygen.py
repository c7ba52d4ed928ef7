"""`cardwright keygen`: a new private key for signing cards."""

from __future__ import annotations

from typing import Annotated, Final

from cardwright.cli import signing_options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.option_groups import described
from cardwright.cli.terminal import emit_stderr, fail, json_text, legible
from cardwright_runtime.violation import escaped, quote

EXAMPLES: Final = ("cardwright keygen --alg ES256 --kid key-1 --out key.json",)


def command(
    *,
    alg: signing_options.Alg,
    kid: Annotated[str, described("keygen --kid")],
    out: Annotated[str, described("keygen --out")],
) -> None:
    """Generate a private key and write it to a file that only its owner can read (mode 0600).

    The file is a JSON Web Key. RSA keys have 3,072 bits.

    Exit status: 0 success, 2 the file exists or cannot be written.
    """
    from cardwright.cli.keyfiles import write_key
    from cardwright.errors import BadKey
    from cardwright.signing import Key, new_key

    try:
        jwk = new_key(alg, kid)
    except BadKey as error:
        fail(str(error))
    write_key(out, json_text(jwk))
    name = escaped(legible(out))
    emit_stderr(
        f"{name}: a private {alg} key with the id {quote(kid)}, thumbprint {Key.from_jwk(jwk).thumbprint}\n"
        f"print its public key: cardwright jwks {name}\n"
    )
