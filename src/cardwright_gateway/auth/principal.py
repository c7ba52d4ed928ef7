"""Principals: callers as they were authenticated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from cardwright_gateway.auth.agent_keys import Quota

__all__ = ["ANONYMOUS", "Principal", "Quota"]


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
