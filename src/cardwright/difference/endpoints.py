"""What each A2A endpoint of a Beach card asks for: A2A has one list of requirements for all of them.

So a caller of one endpoint may be refused although the card as a whole still offers its credentials.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.comparators import Verdict, told
from cardwright.difference.pair import Pair, frozen, member

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change

_CHANGED: Final = Verdict(
    "transport-changed", "major", "what callers of this endpoint present is not what it asks for now"
)
_FREE: Final = "none"


def endpoints(pair: Pair) -> Iterator[Change]:
    """Compare what the A2A endpoints of two Beach cards ask for, each with itself."""
    transports = pair.member("transports")
    old, new = _asked(transports.old, transports.old_at), _asked(transports.new, transports.new_at)
    for endpoint, (auth, at) in new.items():
        if endpoint in old and _asks_for_more(old[endpoint][0], auth):
            yield told(Pair(old[endpoint][0], auth, old[endpoint][1], at), _CHANGED)


def _asked(transports: Any, at: str) -> dict[str, tuple[Any, str]]:
    found: dict[str, tuple[Any, str]] = {}
    for index, one in enumerate(transports if type(transports) is list else ()):
        endpoint = member(one, "endpoint")
        if member(one, "protocol") == "a2a" and isinstance(endpoint, str):
            found.setdefault(endpoint, (member(one, "auth"), f"{at}/{index}/auth"))
    return found


def _asks_for_more(old: Any, new: Any) -> bool:
    if new is None or member(new, "type") == _FREE:
        return False
    if type(old) is not dict or type(new) is not dict:
        return frozen(old) != frozen(new)
    if not _scopes(new) <= _scopes(old):
        return True
    # A token endpoint that is told now is one more thing to know, and a description is for people.
    told_of = (old.keys() | (new.keys() - {"tokenEndpoint"})) - {"scope", "description"}
    return any(frozen(old.get(name)) != frozen(new.get(name)) for name in told_of)


def _scopes(auth: dict[str, Any]) -> frozenset[Any]:
    scope = auth.get("scope")
    return frozenset(
        scope.split() if isinstance(scope, str) else map(frozen, scope) if type(scope) is list else ()
    )
