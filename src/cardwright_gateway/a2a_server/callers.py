"""Whose a call is, where nothing before the bridge has found out: a digest of the credentials that it brings."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cardwright.http.request import Scope

# The header fields that credentials of agents come in.
_CREDENTIALS: Final = (b"authorization", b"x-api-key", b"x-agent-api-key")
# Another one in each process: a digest tells nobody whether a credential that was guessed is the one.
_SALT: Final = secrets.token_bytes(32)


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller as Starlette knows users.

    Attributes:
        display_name: The digest of its credentials; "" where it has none.
    """

    display_name: str

    @property
    def is_authenticated(self) -> bool:
        """Whether it brings credentials; nobody has checked them."""
        return bool(self.display_name)


def caller_of(scope: Scope) -> Any:
    """Return the user of a scope, or a caller by its credentials as they came (ours)."""
    if scope.get("user") is not None:
        return scope["user"]
    brought = [
        (name, value) for name in _CREDENTIALS for field, value in scope["headers"] if field.lower() == name
    ]
    if not brought:
        return Caller("")
    digest = hashlib.sha256(_SALT)
    for item in (item for pair in brought for item in pair):
        # With its length before it, no item runs into the next.
        digest.update(len(item).to_bytes(8, "big") + item)
    return Caller(digest.hexdigest())
