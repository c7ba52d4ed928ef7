"""The ways to authenticate that a card knows, each under a name of its own (A2A 1.0 §4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.comparators import Verdict, entries, entry, fixed, flag, members, text, told
from cardwright.difference.pair import Pair, member

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.difference.change import Change

_URL: Final = fixed(
    Verdict("scheme-changed", "major", "callers authenticate in the way, or at the address, that it was"),
    added=Verdict("scheme-changed", "minor", "one more thing that callers are told, and need not use"),
    removed=Verdict("scheme-changed", "major", "callers that read this find it no more"),
)
_HTTP_SCHEME: Final = fixed(
    Verdict("scheme-changed", "major", "callers send the authentication scheme that it was"),
    added=Verdict("scheme-changed", "major", "callers chose the authentication scheme themselves"),
    removed=Verdict("scheme-changed", "major", "callers are not told any more what to send"),
    fold=True,  # RFC 9110 §11.1
)
_FLOW: Final = members(
    {
        "authorizationUrl": _URL,
        "deviceAuthorizationUrl": _URL,
        "tokenUrl": _URL,
        "refreshUrl": _URL,
        "pkceRequired": flag(
            Verdict("scheme-changed", "minor", "callers may leave the code verifier out"),
            Verdict("scheme-changed", "major", "callers that send no code verifier are refused now"),
        ),
        "scopes": entries(
            text,
            Verdict("scope-offered", "minor", "one more scope that callers may ask for"),
            Verdict("scope-withdrawn", "major", "callers that ask for this scope are refused it now"),
        ),
    }
)
_BODIES: Final = {
    "apiKeySecurityScheme": members({"description": text, "location": _URL, "name": _URL}),
    "httpAuthSecurityScheme": members({"description": text, "scheme": _HTTP_SCHEME, "bearerFormat": text}),
    "oauth2SecurityScheme": members(
        {
            "description": text,
            "oauth2MetadataUrl": _URL,
            "flows": entries(
                _FLOW,
                Verdict("flow-added", "minor", "one more way to get a token"),
                Verdict("flow-removed", "major", "callers that get their tokens in this way get none now"),
            ),
        }
    ),
    "openIdConnectSecurityScheme": members({"description": text, "openIdConnectUrl": _URL}),
    "mtlsSecurityScheme": members({"description": text}),
}
_TYPE: Final = Verdict("scheme-type-changed", "major", "callers authenticate in another way under this name")


def _scheme(pair: Pair) -> Iterator[Change]:
    old, new = (_wrappers(side) for side in (pair.old, pair.new))
    if old != new:
        yield told(pair, _TYPE)
    elif old:
        yield from members(_BODIES)(pair)
    elif not pair.alike:
        yield pair.unreadable()


def _wrappers(value: Any) -> Iterable[str]:
    return {name for name in _BODIES if member(value, name) is not None}


_ADDED_SCHEME: Final = Verdict(
    "scheme-added", "minor", "one more scheme that the card knows; requirements say who must use it"
)
# Callers keep their credentials by this name, so a new name is a new scheme.
_REMOVED_SCHEME: Final = Verdict(
    "scheme-removed", "major", "callers that authenticate under this name find it no more"
)
_UNUSED_SCHEME: Final = Verdict(
    "scheme-removed", "minor", "no requirement names it any more; what that means, the requirements say"
)


def schemes(card: Pair) -> Iterator[Change]:
    """Compare the schemes of two cards; one that went together with its requirements is not missed."""
    before, after = _named(card.old), _named(card.new)
    unused = entry(_scheme, _ADDED_SCHEME, _UNUSED_SCHEME)
    kept = entry(_scheme, _ADDED_SCHEME, _REMOVED_SCHEME)
    yield from members(dict.fromkeys(before - after, unused), kept)(card.member("securitySchemes"))


def _named(card: Any) -> set[str]:
    """Return the schemes that the requirements of a card and of its skills name."""
    skills = member(card, "skills")
    holders = [card, *(skills if type(skills) is list else ())]
    lists = [member(holder, "securityRequirements") for holder in holders]
    asked = [member(one, "schemes") for items in lists if type(items) is list for one in items]
    return {name for found in asked if type(found) is dict for name in found}
