"""Origins of https URLs: which key sets may be asked for."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit


def origin_of(url: Any) -> str | None:
    """Return `https://host` or `https://host:port` of an https URL (RFC 6454 §4); None where it has none.

    A URL with user information, a fragment, a backslash, blanks or control characters has none:
    two readers may read two hosts in it.
    """
    if type(url) is not str or not url.isascii() or any(c <= " " or c in "\\\x7f" for c in url):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme != "https" or not parts.hostname or "@" in parts.netloc or "#" in url:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"https://{host}" if port in (None, 443) else f"https://{host}:{port}"
