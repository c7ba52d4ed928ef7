"""Facts about a2a-1.0 and a2a-0.3 that their schemas and rules state.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

# The transport of `url` in a card without `preferredTransport` (a2a-0.3).
DEFAULT_TRANSPORT: Final = "JSONRPC"
# The field of a2a-1.0 that wraps a security scheme, by its `type` in a2a-0.3.
SCHEME_WRAPPERS: Final = {
    "apiKey": "apiKeySecurityScheme",
    "http": "httpAuthSecurityScheme",
    "oauth2": "oauth2SecurityScheme",
    "openIdConnect": "openIdConnectSecurityScheme",
    "mutualTLS": "mtlsSecurityScheme",
}
SCHEME_TYPES: Final = {wrapper: kind for kind, wrapper in SCHEME_WRAPPERS.items()}
# The fields that a security scheme of a2a-0.3 requires beside its `type`.
SCHEME_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "apiKey": ("in", "name"),
    "http": ("scheme",),
    "oauth2": ("flows",),
    "openIdConnect": ("openIdConnectUrl",),
    "mutualTLS": (),
}
# Root fields of a card that only a2a-0.3 has, and that only a2a-1.0 has.
OLDER_FIELDS: Final[tuple[str, ...]] = (
    "protocolVersion",
    "url",
    "preferredTransport",
    "additionalInterfaces",
    "security",
    "supportsAuthenticatedExtendedCard",
)
NEWER_FIELDS: Final[tuple[str, ...]] = ("supportedInterfaces", "securityRequirements")
# The well-known paths of a card, that of the newest version first.
CARD_PATHS: Final[tuple[str, ...]] = ("/.well-known/agent-card.json", "/.well-known/agent.json")
# The maximum of items in lists of a card, by pointer.
MAX_ITEMS: Final[dict[str, int]] = {"/skills": 1024, "/supportedInterfaces": 64, "/additionalInterfaces": 64}
