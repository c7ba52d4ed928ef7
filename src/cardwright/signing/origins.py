"""Origins of https URLs."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urlsplit

# A host name or an address, and a port; no user information, and nothing that parsers interpret differently.
_AUTHORITY: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::([0-9]{1,5}))?")


def origin_of(url: Any) -> str | None:
    """Return the origin `https://host` or `https://host:port` of an https URL (RFC 6454 §4), or None.

    The result is None for a URL with user information, a fragment, a backslash, spaces or control characters.
    """
    if type(url) is not str or not url.isascii() or any(c <= " " or c in "\\#\x7f" for c in url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    authority = _AUTHORITY.fullmatch(parts.netloc.lower())
    if parts.scheme != "https" or authority is None:
        return None
    host, port = authority[1], int(authority[2] or 443)
    if not 0 < port < 2**16:
        return None
    return f"https://{host}" if port == 443 else f"https://{host}:{port}"


def is_origin(url: Any) -> bool:
    """Return whether a URL is an https origin without a path, which would suggest that only the path is trusted."""
    return origin_of(url) is not None and not url.partition("://")[2].partition("/")[2] and "?" not in url
