"""One guarded HTTP client: the only place from which connections to other machines are opened.

The names of `__all__` are imported when first used: the rules alone need no HTTP client.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.extras import missing_extra
from cardwright_runtime.lazy import lazy_exports

if TYPE_CHECKING:
    from cardwright.guard.answers import Answer, Headers, Timeouts
    from cardwright.guard.client import GuardedClient, Streamed
    from cardwright.guard.limits import MAX_BYTES, MAX_REDIRECTS, OWN_FIELDS
    from cardwright.guard.rules import PRIVATE, Guard, allowed
    from cardwright.guard.target import Target, target_of

__all__ = [
    "MAX_BYTES",
    "MAX_REDIRECTS",
    "OWN_FIELDS",
    "PRIVATE",
    "Answer",
    "Guard",
    "GuardedClient",
    "Headers",
    "Streamed",
    "Target",
    "Timeouts",
    "allowed",
    "target_of",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "MAX_BYTES": "cardwright.guard.limits",
        "MAX_REDIRECTS": "cardwright.guard.limits",
        "OWN_FIELDS": "cardwright.guard.limits",
        "PRIVATE": "cardwright.guard.rules",
        "Answer": "cardwright.guard.answers",
        "Guard": "cardwright.guard.rules",
        "GuardedClient": "cardwright.guard.client",
        "Headers": "cardwright.guard.answers",
        "Streamed": "cardwright.guard.client",
        "Target": "cardwright.guard.target",
        "Timeouts": "cardwright.guard.answers",
        "allowed": "cardwright.guard.rules",
        "target_of": "cardwright.guard.target",
    },
    on_missing=missing_extra,
)
