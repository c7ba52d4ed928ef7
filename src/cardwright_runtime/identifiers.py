"""Identifiers, names and texts as registries accept them.

Catalogue entries have `urn:air:<publisher>:<namespace>:<name>` (ARD 0.91 §4.2 and Appendix C; the rule on domains is
§4.5.1). MCP servers have a domain in reverse order, a slash and a name (MCP Server Card v1; MCP registry 2025-12-11).
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from cardwright_runtime.checks import mapping, objects
from cardwright_runtime.violation import break_rule

if TYPE_CHECKING:
    from cardwright_runtime.violation import Rule, Violation

_AIR: Final = re.compile(r"urn:air?:([A-Za-z0-9.-]+):", re.IGNORECASE)
_DID_WEB: Final = "did:web:"
_DOMAIN: Final = re.compile(r"(?:[a-z0-9-]+\.)+[a-z0-9-]+")
_OLDER_PREFIX: Final = "urn:ai:"
_NOT_IN_NAME: Final = re.compile(r"[^A-Za-z0-9._-]+")
_NOT_IN_DOMAIN: Final = re.compile(r"[^a-z0-9.-]+")
# The domain of what has no public host (project decision).
_LOCAL: Final = "localhost"
# Where a description of an MCP server has a URL of the server or of its publisher, best first.
_URLS: Final = (("remotes", "url"), ("websiteUrl", ""), ("repository", "url"))
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
    for index, entry in objects(document.get("entries")):
        manifest = mapping(entry.get("trustManifest"))
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
    steps = [name_part(unquote(step)) for step in parts.path.split("/")]
    return ":".join(("urn:air", domain_part(parts.hostname), *([step for step in steps if step] or [_ROOT])))


def name_part(text: str) -> str:
    """Return text as a part of an identifier or of a server's name; "" if no character of it is allowed there."""
    return _NOT_IN_NAME.sub("-", text).strip("-")


def domain_part(host: str) -> str:
    """Return a host as the domain in an identifier; a name in another script in its ASCII form (RFC 5890).

    >>> domain_part("Harbour.Example.com")
    'harbour.example.com'
    """
    with suppress(UnicodeError):
        host = host.encode("idna").decode()
    return _NOT_IN_DOMAIN.sub("-", host.lower()).strip(".") or _LOCAL


def reversed_domain(host: str) -> str:
    """Return a host as the first part of a server's name.

    >>> reversed_domain("agents.example.com")
    'com.example.agents'
    """
    return ".".join(reversed(domain_part(host).split(".")))


def server_name(value: Any, document: Any) -> str | None:
    """Return a name with the reversed domain of a URL of the server before it; None if the document has no URL.

    >>> server_name("Tide Desk", {"websiteUrl": "https://www.example.com/tides"})
    'com.example/Tide-Desk'
    """
    if type(value) is not str or type(document) is not dict:
        return None
    name = name_part(value.rpartition("/")[2]).strip(".")
    host = next((host for url in _urls(document) if (host := _host(url))), "").removeprefix("www.")
    return f"{reversed_domain(host)}/{name}" if name and "." in host else None


def shortened(value: Any, limit: Any) -> str | None:
    """Return a text that is at most so many characters long, cut at the end of a word with an ellipsis.

    >>> shortened("Finds charts of every harbour", 20)
    'Finds charts of…'
    """
    if type(value) is not str or type(limit) is not int:
        return None
    text = " ".join(value.split())
    if not text or len(text) <= limit:
        return text or None
    head = text[: limit - 1]
    cut = head if text[limit - 1] == " " else head.rpartition(" ")[0] or head
    return f"{cut.rstrip(' ,;:.–-')}…"


def _urls(document: dict[str, Any]) -> list[Any]:
    values = ((document.get(name), inner) for name, inner in _URLS)
    return [
        item.get(inner) if type(item) is dict else item
        for value, inner in values
        for item in (value if type(value) is list else [value])
    ]


def _host(url: Any) -> str:
    try:
        return (urlsplit(url).hostname or "") if type(url) is str and "{" not in url else ""
    except ValueError:
        return ""
