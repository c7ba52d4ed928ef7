"""Rule ids of failed fetches, such as `fetch/timeout`: stored with a peer, and used in messages of the CLI."""

from __future__ import annotations

from typing import Final

from cardwright.errors import AccessDenied, BadResponse, PeerError, PeerTimeout

# The last part of these ids is `BadResponse.kind`.
_KINDS: Final = ("encoding", "not-a-card", "not-a-reply", "not-found", "redirects", "status", "too-large")
FETCH_RULES: Final = frozenset(f"fetch/{kind}" for kind in (*_KINDS, "denied", "timeout", "unreachable"))


def fetch_rule(error: PeerError) -> str:
    """Return the id of the rule for a failed fetch."""
    match error:
        case BadResponse():
            return f"fetch/{error.kind}" if error.kind in _KINDS else "fetch/status"
        case AccessDenied():
            return "fetch/denied"
        case PeerTimeout():
            return "fetch/timeout"
        case _:
            return "fetch/unreachable"
