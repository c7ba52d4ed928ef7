"""Rule ids of failed fetches, such as `fetch/timeout`: stored with a peer, and used in messages of the CLI."""

from __future__ import annotations

from typing import Final

from cardwright.errors import AccessDenied, BadResponse, PeerError, PeerTimeout

FETCH_DENIED: Final = "fetch/denied"
FETCH_NOT_FOUND: Final = "fetch/not-found"
FETCH_TIMEOUT: Final = "fetch/timeout"
FETCH_UNREACHABLE: Final = "fetch/unreachable"
# The last part of these ids is `BadResponse.kind`.
_BY_KIND: Final = {
    kind: f"fetch/{kind}"
    for kind in ("encoding", "not-a-card", "not-a-reply", "not-found", "redirects", "status", "too-large")
}
FETCH_RULES: Final = frozenset({FETCH_DENIED, FETCH_TIMEOUT, FETCH_UNREACHABLE, *_BY_KIND.values()})


def fetch_rule(error: PeerError) -> str:
    """Return the id of the rule for a failed fetch."""
    match error:
        case BadResponse():
            return _BY_KIND.get(error.kind, "fetch/status")
        case AccessDenied():
            return FETCH_DENIED
        case PeerTimeout():
            return FETCH_TIMEOUT
        case _:
            return FETCH_UNREACHABLE
