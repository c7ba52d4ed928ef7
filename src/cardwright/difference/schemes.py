"""Comparators of the security schemes of a card, by their names (A2A 1.0 §4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.comparators import ChangeKind, change_of, entries, entry, fields, fixed, flag, text
from cardwright.difference.pair import Pair, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.difference.change import Change

_URL: Final = fixed(
    ChangeKind("scheme-changed", "major", "callers use the previous method or URL to authenticate"),
    added=ChangeKind("scheme-changed", "minor", "additional information, which callers do not have to use"),
    removed=ChangeKind("scheme-changed", "major", "callers that use this field no longer have it"),
)
_HTTP_SCHEME: Final = fixed(
    ChangeKind("scheme-changed", "major", "callers send the previous authentication scheme"),
    added=ChangeKind("scheme-changed", "major", "callers may have chosen another authentication scheme"),
    removed=ChangeKind("scheme-changed", "major", "callers do not know which scheme to send"),
    fold=True,  # RFC 9110 §11.1
)
_FLOW: Final = fields(
    {
        "authorizationUrl": _URL,
        "deviceAuthorizationUrl": _URL,
        "tokenUrl": _URL,
        "refreshUrl": _URL,
        "pkceRequired": flag(
            ChangeKind("scheme-changed", "minor", "callers may omit the code verifier"),
            ChangeKind("scheme-changed", "major", "callers that send no code verifier are refused"),
        ),
        "scopes": entries(
            text,
            ChangeKind("scope-offered", "minor", "a new scope that callers may request"),
            ChangeKind("scope-withdrawn", "major", "callers that request this scope do not get it"),
        ),
    }
)
_BODIES: Final = {
    "apiKeySecurityScheme": fields({"description": text, "location": _URL, "name": _URL}),
    "httpAuthSecurityScheme": fields({"description": text, "scheme": _HTTP_SCHEME, "bearerFormat": text}),
    "oauth2SecurityScheme": fields(
        {
            "description": text,
            "oauth2MetadataUrl": _URL,
            "flows": entries(
                _FLOW,
                ChangeKind("flow-added", "minor", "a new way to get a token"),
                ChangeKind("flow-removed", "major", "callers that use this flow get no token"),
            ),
        }
    ),
    "openIdConnectSecurityScheme": fields({"description": text, "openIdConnectUrl": _URL}),
    "mtlsSecurityScheme": fields({"description": text}),
}
_TYPE: Final = ChangeKind(
    "scheme-type-changed", "major", "callers that use this scheme must authenticate differently"
)


def _scheme(pair: Pair) -> Iterator[Change]:
    old, new = (_wrappers(side) for side in (pair.old, pair.new))
    if old != new:
        yield change_of(pair, _TYPE)
    elif old:
        yield from fields(_BODIES)(pair)
    elif not pair.equal:
        yield pair.unreadable()


def _wrappers(value: Any) -> Iterable[str]:
    return {name for name in _BODIES if field(value, name) is not None}


_ADDED_SCHEME: Final = ChangeKind(
    "scheme-added", "minor", "a new scheme; the requirements state whether callers must use it"
)
# Callers store their credentials by this name, so that a new name is a new scheme.
_REMOVED_SCHEME: Final = ChangeKind(
    "scheme-removed", "major", "callers that authenticate with this scheme do not find it"
)
_UNUSED_SCHEME: Final = ChangeKind(
    "scheme-removed", "minor", "no requirement uses this scheme any more; see the changes of the requirements"
)


def schemes(card: Pair) -> Iterator[Change]:
    """Compare the schemes of two cards; removing a scheme together with its requirements is compatible."""
    before, after = _required_schemes(card.old), _required_schemes(card.new)
    unused = entry(_scheme, _ADDED_SCHEME, _UNUSED_SCHEME)
    default_comparator = entry(_scheme, _ADDED_SCHEME, _REMOVED_SCHEME)
    yield from fields(dict.fromkeys(before - after, unused), default_comparator)(
        card.field("securitySchemes")
    )


def _required_schemes(card: Any) -> set[str]:
    """Return the names of the schemes in the requirements of a card and of its skills."""
    skills = field(card, "skills")
    holders = [card, *(skills if type(skills) is list else ())]
    lists = [field(holder, "securityRequirements") for holder in holders]
    scheme_maps = [
        field(requirement, "schemes") for items in lists if type(items) is list for requirement in items
    ]
    return {name for names in scheme_maps if type(names) is dict for name in names}
