"""`cardwright keygen`: a new private key to sign cards with."""

from __future__ import annotations

from typing import Annotated

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.option_groups import option
from cardwright.cli.terminal import fail, json_text, legible, tell
from cardwright_runtime.violation import escaped, quote


def command(
    *,
    alg: options.Alg,
    kid: Annotated[str, option("--kid", "The id that signatures will name the key by.", "K")],
    out: Annotated[str, option("--out", "Write to FILE, which must not exist.", "FILE")],
) -> None:
    """Make a private key, as a JSON Web Key that only its owner can read (mode 0600); RSA has 3,072 bits.

    Exits with 0, or 2 if the file is there already or cannot be written.
    """
    from cardwright.cli.keyfiles import write_key
    from cardwright.errors import BadKey
    from cardwright.signing import Key, new_key

    try:
        made = new_key(alg, kid)
    except BadKey as error:
        fail(str(error))
    write_key(out, json_text(made))
    name = escaped(legible(out))
    tell(
        f"{name}: a private {alg} key with the id {quote(kid)}, thumbprint {Key.from_jwk(made).thumbprint}\n"
        f"its public half, for those who verify: cardwright jwks {name}\n"
    )
