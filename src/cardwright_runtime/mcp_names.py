"""Names and texts of MCP servers as registries accept them (MCP Server Card v1; MCP registry 2025-12-11)."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urlsplit

_NOT_IN_NAME: Final = re.compile(r"[^A-Za-z0-9._-]+")
# Where a description names a URL of the server or of its publisher, best first.
_URLS: Final = (("remotes", "url"), ("websiteUrl", ""), ("repository", "url"))


def server_name(value: Any, document: Any) -> str | None:
    """Return a name with the reversed domain of a URL of the server before it; None if the document has no URL.

    >>> server_name("Tide Desk", {"websiteUrl": "https://www.example.com/tides"})
    'com.example/Tide-Desk'
    """
    if type(value) is not str or type(document) is not dict:
        return None
    name = _NOT_IN_NAME.sub("-", value.rpartition("/")[2]).strip("-.")
    host = next((host for url in _urls(document) if (host := _host(url))), "")
    domain = ".".join(reversed(host.removeprefix("www.").split(".")))
    return f"{domain}/{name}" if name and "." in domain else None


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
