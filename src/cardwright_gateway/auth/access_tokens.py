"""Access tokens for client credentials (RFC 6749 §4.4): an agent key, encrypted, for an hour."""

from __future__ import annotations

import time
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Final

from cryptography.fernet import Fernet, InvalidToken

from cardwright_gateway.auth.secret_values import KEY_FORM

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_gateway.database.deployment import Deployment

PREFIX: Final = "oag_"
# How long a token is valid, unless its key ends before (project decision).
SECONDS: Final = 3_600


class AccessTokens:
    """Access tokens of all processes on one database; none is stored, and each ends with its key.

    Args:
        deployment: The gateway: its processes read each other's tokens.
        wall: Seconds since 1970.
    """

    def __init__(self, deployment: Deployment, wall: Callable[[], float] = time.time) -> None:
        self._fernet = Fernet(urlsafe_b64encode(deployment.digest("access token")[:32]))
        self._wall = wall

    def issue(self, key: str) -> str:
        """Return a token for an agent key."""
        return PREFIX + self._fernet.encrypt_at_time(key.encode(), int(self._wall())).decode()

    def key_of(self, token: str) -> str | None:
        """Return the key of a token; None if it is not a token of this gateway, or has expired."""
        if not token.startswith(PREFIX):
            return None
        try:
            encrypted = token.removeprefix(PREFIX).encode()
            key = self._fernet.decrypt_at_time(encrypted, SECONDS, int(self._wall())).decode()
        except InvalidToken:
            return None
        return key if KEY_FORM.fullmatch(key) else None
