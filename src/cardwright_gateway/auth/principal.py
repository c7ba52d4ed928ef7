"""Principals: authenticated callers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from cardwright_gateway.auth.agent_keys import Quota

__all__ = ["ANONYMOUS", "Principal", "Quota"]


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller; all fields were verified.

    Attributes:
        kind: How the caller was authenticated.
        name: The caller's identity, the same in all processes and after a key rotation; "" for an anonymous caller.
        owner_id: The owner of the key, or the owner that the user is; "" if the configuration has no such owner.
        key_id: The id of the key.
        quota: The key's own rate limit, or None.
        agent_id: The agent that the key is for; "" for a user.
        paused: Whether the key is paused: then it may not begin anything.
    """

    kind: Literal["anonymous", "key", "user"]
    name: str = ""
    owner_id: str = ""
    key_id: str = ""
    quota: Quota | None = None
    agent_id: str = ""
    paused: bool = False


ANONYMOUS: Final = Principal("anonymous")


def anonymous_share(concurrency: int) -> int:
    """Return how many of an agent's concurrent calls callers without credentials may make, if others have keys.

    >>> anonymous_share(256), anonymous_share(1)
    (128, 1)
    """
    return max(1, concurrency // 2)
