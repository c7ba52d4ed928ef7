"""Links of a page: only URLs that are fully visible and that browsers and people read the same way."""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

# Visible ASCII without backslashes, which browsers replace, without quotes and brackets, which end a URL for some
# readers, and without the escapes that `words` writes.
_WEB: Final = re.compile(r"https?://[A-Za-z0-9\[][!#-&(-;=?-\[\]_a-z~]*", re.IGNORECASE)
_MAILBOX: Final = re.compile(r"[A-Za-z0-9.+_-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){1,8}")
# Relative to the page, on the same host.
_LOCAL: Final = re.compile(r"(?!//)[/?.#A-Za-z0-9_][!#-&(-9;=?-\[\]_a-z~]*")
_TOKENS: Final = re.compile(r"(\s+)")
_CLOSING: Final = ";,."


class Piece(NamedTuple):
    """A part of a text; `href` is empty if it is not a link."""

    text: str
    href: str = ""


def web(url: str) -> str:
    """Return an http(s) URL if it may be a link, else "".

    A URL with a user name is not linked, since the user name looks like a host.

    >>> web("https://example.com/a"), web("javascript:alert(1)"), web("https://example.com@evil.example")
    ('https://example.com/a', '', '')
    """
    if not _WEB.fullmatch(url):
        return ""
    try:
        parts = urlsplit(url)
        readable = bool(parts.hostname) and "@" not in parts.netloc and (parts.port is None or parts.port > 0)
    except ValueError:
        return ""
    return url if readable else ""


def mailbox(address: str) -> str:
    """Return the mailto link of a plain address, else "".

    >>> mailbox("desk@example.com"), mailbox("desk@example.com?cc=everyone@example.com")
    ('mailto:desk@example.com', '')
    """
    return f"mailto:{address}" if _MAILBOX.fullmatch(address) else ""


def published(href: str) -> str:
    """Return a relative or http(s) link of the publisher, else "".

    >>> published("?format=json"), published("//evil.example"), published("data:text/html,x")
    ('?format=json', '', '')
    """
    return href if _LOCAL.fullmatch(href) else web(href)


def pieces(text: str) -> list[Piece]:
    """Split a text into plain parts and links.

    >>> pieces("token https://example.com/t; more")
    [Piece(text='token ', href=''), Piece(text='https://example.com/t', href='https://example.com/t'), Piece(text='; more', href='')]
    """
    result: list[Piece] = []
    plain = ""
    for token in _TOKENS.split(text):
        bare = token.rstrip(_CLOSING)
        href = web(bare) or mailbox(bare)
        if not href:
            plain += token
            continue
        result += [Piece(plain)] * bool(plain) + [Piece(bare, href)]
        plain = token[len(bare) :]
    return result + [Piece(plain)] * bool(plain)
