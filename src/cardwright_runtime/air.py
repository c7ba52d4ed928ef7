"""Identifiers of catalogue entries, `urn:air:<publisher>:<namespace>:<name>`, and the domains that vouch for them.

The form is that of ARD 0.91 §4.2 and Appendix C; the rule on domains is §4.5.1.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from cardwright_runtime.violation import break_rule

if TYPE_CHECKING:
    from cardwright_runtime.violation import Rule, Violation

_AIR: Final = re.compile(r"urn:air?:([A-Za-z0-9.-]+):", re.IGNORECASE)
_DID_WEB: Final = "did:web:"
_DOMAIN: Final = re.compile(r"(?:[a-z0-9-]+\.)+[a-z0-9-]+")
_OLDER_PREFIX: Final = "urn:ai:"
_NOT_ALLOWED: Final = re.compile(r"[^A-Za-z0-9._-]+")
# The namespace and the name of a resource whose URL has no path.
_ROOT: Final = "root"


def publisher_of(identifier: Any) -> str | None:
    """Return the domain of the publisher in an identifier, or None if it has another form.

    >>> publisher_of("urn:air:example.com:agents:tides")
    'example.com'
    """
    match = _AIR.match(identifier) if type(identifier) is str else None
    return match[1].lower() if match else None


def domain_of(identity: Any) -> str | None:
    """Return the domain of a DID, SPIFFE ID, URL, identifier or plain domain; None if it has no known form.

    >>> domain_of("did:web:example.com%3A8443:agents"), domain_of("spiffe://example.com/tides")
    ('example.com', 'example.com')
    """
    if type(identity) is not str:
        return None
    text = identity.strip().lower()
    if text.startswith(_DID_WEB):
        return unquote(text[len(_DID_WEB) :].partition(":")[0]).partition(":")[0] or None
    if "://" in text:
        try:
            return urlsplit(text).hostname
        except ValueError:
            return None
    return publisher_of(text) or (text if _DOMAIN.fullmatch(text) else None)


def agree(publisher: str, domain: str) -> bool:
    """Return whether two domains are the same, or one is a subdomain of the other."""
    return publisher == domain or publisher.endswith(f".{domain}") or domain.endswith(f".{publisher}")


def publisher(violations: list[Violation], rule: Rule, document: Any) -> None:
    """Add a violation for each entry whose trust manifest is that of another domain than its identifier."""
    entries = document.get("entries")
    for index, entry in enumerate(entries if type(entries) is list else ()):
        manifest = entry.get("trustManifest") if type(entry) is dict else None
        if type(manifest) is not dict:
            continue
        own, other = publisher_of(entry.get("identifier")), domain_of(manifest.get("identity"))
        if own and other and not agree(own, other):
            pointer = f"/entries/{index}/trustManifest/identity"
            violations.append(break_rule(rule, pointer, own, identity=other))


def air_prefix(value: Any) -> str | None:
    """Return an identifier with the older prefix `urn:ai:` in its newer form; None if it has another prefix."""
    if type(value) is not str or not value.lower().startswith(_OLDER_PREFIX):
        return None
    return f"urn:air:{value[len(_OLDER_PREFIX) :]}"


def air_identifier(value: Any) -> str | None:
    """Return the identifier of the resource at an absolute http(s) URL; None for another value.

    >>> air_identifier("https://example.com/agents/tides.json")
    'urn:air:example.com:agents:tides.json'
    """
    try:
        parts = urlsplit(value) if type(value) is str else None
    except ValueError:
        return None
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    steps = [_NOT_ALLOWED.sub("-", unquote(step)).strip("-") for step in parts.path.split("/")]
    host = _NOT_ALLOWED.sub("-", parts.hostname)
    return ":".join(("urn:air", host, *([step for step in steps if step] or [_ROOT])))
