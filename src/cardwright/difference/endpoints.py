"""Comparison of the authentication of each A2A endpoint of a Beach card.

A2A has one list of requirements for all endpoints. So a caller of one endpoint may be refused, although the
card as a whole still accepts its credentials.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.pair import Pair, field, frozen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change

_NO_AUTH: Final = "none"


def endpoints(pair: Pair) -> Iterator[Change]:
    """Compare the authentication of the A2A endpoints that two Beach cards have in common."""
    transports = pair.field("transports")
    old, new = (
        _auth_by_endpoint(transports.old, transports.old_at),
        _auth_by_endpoint(transports.new, transports.new_at),
    )
    for endpoint, (auth, at) in new.items():
        if endpoint in old and _requires_more(old[endpoint][0], auth):
            yield Pair(old[endpoint][0], auth, old[endpoint][1], at).change("transport-changed/credentials")


def _auth_by_endpoint(transports: Any, at: str) -> dict[str, tuple[Any, str]]:
    by_endpoint: dict[str, tuple[Any, str]] = {}
    for index, transport in enumerate(transports if type(transports) is list else ()):
        endpoint = field(transport, "endpoint")
        if field(transport, "protocol") == "a2a" and isinstance(endpoint, str):
            by_endpoint.setdefault(endpoint, (field(transport, "auth"), f"{at}/{index}/auth"))
    return by_endpoint


def _requires_more(old: Any, new: Any) -> bool:
    if new is None or field(new, "type") == _NO_AUTH:
        return False
    if type(old) is not dict or type(new) is not dict:
        return frozen(old) != frozen(new)
    if not _scopes(new) <= _scopes(old):
        return True
    # An added token endpoint is additional information, and a description is text for people.
    names = (old.keys() | (new.keys() - {"tokenEndpoint"})) - {"scope", "description"}
    return any(_value(old, name) != _value(new, name) for name in names)


def _value(auth: dict[str, Any], name: str) -> Any:
    """Return a value to compare; the name of a header is compared without case (RFC 9110 §5.1)."""
    value = auth.get(name)
    return value.casefold() if name == "header" and isinstance(value, str) else frozen(value)


def _scopes(auth: dict[str, Any]) -> frozenset[Any]:
    scope = auth.get("scope")
    return frozenset(
        scope.split() if isinstance(scope, str) else map(frozen, scope) if type(scope) is list else ()
    )
