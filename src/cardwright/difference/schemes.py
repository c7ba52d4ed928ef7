"""Comparators of the security schemes of a card, by their names (A2A 1.0 §4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.difference.comparators import entries, entry, fields, fixed, flag, text
from cardwright.difference.pair import Pair, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.difference.change import Change

_URL: Final = fixed("scheme-changed", "scheme-changed/added", "scheme-changed/removed")
_HTTP_SCHEME: Final = fixed(
    "scheme-changed/http",
    "scheme-changed/http-added",
    "scheme-changed/http-removed",
    fold=True,  # RFC 9110 §11.1
)
_FLOW: Final = fields(
    {
        "authorizationUrl": _URL,
        "deviceAuthorizationUrl": _URL,
        "tokenUrl": _URL,
        "refreshUrl": _URL,
        "pkceRequired": flag("scheme-changed/pkce-optional", "scheme-changed/pkce-required"),
        "scopes": entries(text, "scope-offered", "scope-withdrawn"),
    }
)


def _api_key(pair: Pair) -> Iterator[Change]:
    """Compare the place of an API key; the name of a header is compared without case (RFC 9110 §5.1)."""
    is_header = field(pair.old, "location") == field(pair.new, "location") == "header"
    name = fixed("scheme-changed", "scheme-changed/added", "scheme-changed/removed", fold=is_header)
    yield from fields({"description": text, "location": _URL, "name": name})(pair)


_BODIES: Final = {
    "apiKeySecurityScheme": _api_key,
    "httpAuthSecurityScheme": fields({"description": text, "scheme": _HTTP_SCHEME, "bearerFormat": text}),
    "oauth2SecurityScheme": fields(
        {
            "description": text,
            "oauth2MetadataUrl": _URL,
            "flows": entries(_FLOW, "flow-added", "flow-removed"),
        }
    ),
    "openIdConnectSecurityScheme": fields({"description": text, "openIdConnectUrl": _URL}),
    "mtlsSecurityScheme": fields({"description": text}),
}


def _scheme(pair: Pair) -> Iterator[Change]:
    old, new = (_wrappers(side) for side in (pair.old, pair.new))
    if old != new:
        yield pair.change("scheme-type-changed")
    elif old:
        yield from fields(_BODIES)(pair)
    elif not pair.equal:
        yield pair.unreadable()


def _wrappers(value: Any) -> Iterable[str]:
    return {name for name in _BODIES if field(value, name) is not None}


def schemes(card: Pair) -> Iterator[Change]:
    """Compare the schemes of two cards; removing a scheme together with its requirements is compatible."""
    before, after = _required_schemes(card.old), _required_schemes(card.new)
    # Callers store their credentials by the name of a scheme, so that a new name is a new scheme.
    unused = entry(_scheme, "scheme-added", "scheme-removed/unused")
    default_comparator = entry(_scheme, "scheme-added", "scheme-removed")
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
