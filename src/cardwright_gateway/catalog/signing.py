"""The key that signs the served cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.errors import BadConfiguration, BadKey
from cardwright.regular_file import read_regular_file
from cardwright.serve import SignatureFolder, Signing
from cardwright.signing import Key

if TYPE_CHECKING:
    from cardwright_gateway_models.settings.gateway import SigningSettings


def signing_of(config: SigningSettings) -> Signing:
    """Return how cards are signed.

    Raises:
        BadConfiguration: If the key cannot be read, others can read it, or it is public.
    """
    path = Path(config.key)
    try:
        mode = path.stat().st_mode
        body = read_regular_file(path)
    except OSError as error:
        raise BadConfiguration(
            "", f"/signing/key: {path}: the file cannot be read: {error.strerror or error}"
        ) from None
    if mode & 0o077:
        raise BadConfiguration(
            "", f"/signing/key: {path}: other users can read the file; run chmod 600 {path}"
        )
    try:
        key = Key.read(body)
    except BadKey as error:
        raise BadConfiguration("", f"/signing/key: {path}: {error}") from None
    if not key.private:
        raise BadConfiguration(
            "", f"/signing/key: {path}: this is a public key; signing requires a private key"
        )
    kid = config.kid or key.kid or key.thumbprint
    store = SignatureFolder(Path(config.state)) if config.state else None
    return Signing(key, kid, config.alg, jku=config.jku, store=store)
