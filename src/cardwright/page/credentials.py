"""The header fields that satisfy a card's security requirements."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.view.fields import string
from cardwright.view.security import declared_schemes, scheme_of, security_of, transport_security

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.view.security import RequiredScheme

# RFC 9110 §5.1: a field name is a token.
_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}")
# Authentication schemes (RFC 9110 §11.1) whose whole credential is one secret text.
_PREFIXES: Final = {"bearer": "Bearer ", "basic": "Basic "}


@dataclass(frozen=True, slots=True)
class Credential:
    """A secret that a caller sends in a header field.

    Attributes:
        header: The name of the field.
        prefix: The text before the secret, such as `Bearer `.
        label: What the secret is, for people.
        word: The same as a placeholder, such as `KEY`.
    """

    header: str
    prefix: str
    label: str
    word: str


def credentials_of(card: Card) -> tuple[Credential, ...] | None:
    """Return the header fields of the first security requirement that header fields can satisfy.

    Returns:
        The fields; () if a caller needs none; None if each requirement needs something else, such as OAuth 2 or mutual
        TLS.
    """
    document = card.document
    beach = card.dialect.family == "beach"
    alternatives = transport_security(document) if beach else security_of(document, document)
    if not alternatives:
        return ()
    for alternative in alternatives:
        fields = [_credential(document, required) for required in alternative]
        found = tuple(one for one in fields if one is not None)
        if len(found) == len(fields) == len({one.header.lower() for one in found}):
            return found
    return None


def _credential(document: Any, required: RequiredScheme) -> Credential | None:
    kind, body = scheme_of(declared_schemes(document).get(required.name))
    if kind == "apiKey" and (string(body, "location") or string(body, "in")) == "header":
        header = string(body, "name")
        return Credential(header, "", "API key", "KEY") if _TOKEN.fullmatch(header) else None
    # Beach has only the kind of authentication.
    scheme = (string(body, "scheme") if kind == "http" else required.kind if not kind else "").lower()
    prefix = _PREFIXES.get(scheme)
    if prefix is None:
        return None
    label = "Token" if scheme == "bearer" else "User name and password in Base64"
    return Credential("Authorization", prefix, label, "TOKEN" if scheme == "bearer" else "CREDENTIALS")
