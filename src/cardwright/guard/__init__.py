"""One guarded HTTP client: the only place from which connections to other machines are opened."""

from cardwright.guard.answers import Answer, Headers, Timeouts
from cardwright.guard.client import MAX_BYTES, MAX_REDIRECTS, OWN_FIELDS, GuardedClient, Streamed
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
