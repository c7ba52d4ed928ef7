"""Principals: callers as they were authenticated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from cardwright_gateway.auth.agent_keys import Quota

__all__ = ["ANONYMOUS", "Principal", "Quota", "owner_of"]


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is asking; everything of it was verified.

    Attributes:
        kind: How they were recognised.
        name: Whose tasks theirs are, the same in all processes and after a key was rotated; "" for nobody.
        owner_id: The owner that a key or a user stands for; "" where that is none of the configuration's.
        key_id: The id of the key.
        quota: The quota of the key, if it has its own.
    """

    kind: Literal["nobody", "key", "user"]
    name: str = ""
    owner_id: str = ""
    key_id: str = ""
    quota: Quota | None = None


ANONYMOUS: Final = Principal("nobody")


def owner_of(agent_id: str, name: str) -> str:
    """Return the owner of a task: no two agents share one, and a caller without a name owns nothing that is listed.

    >>> owner_of("travel", "key:k1"), owner_of("travel", "")
    ('travel:key:k1', 'travel:')
    """
    return f"{agent_id}:{name}"
