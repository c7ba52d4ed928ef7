"""Which texts of a page lead somewhere: only what a reader sees in full and a browser reads alike."""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

# Visible ASCII without what browsers mend in silence (backslashes), without quotes and brackets, which end
# an address for some reader, and without what `words` writes for a character that it does not show.
_WEB: Final = re.compile(r"https?://[A-Za-z0-9\[][!#-&(-;=?-\[\]_a-z~]*", re.IGNORECASE)
_MAILBOX: Final = re.compile(r"[A-Za-z0-9.+_-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){1,8}")
# Relative to the page, and to no other host.
_LOCAL: Final = re.compile(r"(?!//)[/?.#A-Za-z0-9_][!#-&(-9;=?-\[\]_a-z~]*")
_TOKENS: Final = re.compile(r"(\s+)")
_CLOSING: Final = ";,."


class Piece(NamedTuple):
    """A part of a text, and where it leads; an empty `href` leads nowhere."""

    text: str
    href: str = ""


def web(url: str) -> str:
    """Return an http(s) URL that may be linked, or an empty text.

    A user name in a URL reads like a host, so one with `@` before its path is no link.

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
    """Return the mailto link of a plain address, or an empty text.

    >>> mailbox("desk@example.com"), mailbox("desk@example.com?cc=everyone@example.com")
    ('mailto:desk@example.com', '')
    """
    return f"mailto:{address}" if _MAILBOX.fullmatch(address) else ""


def published(href: str) -> str:
    """Return a link of the publisher's, relative or http(s), or an empty text.

    >>> published("?format=json"), published("//evil.example"), published("data:text/html,x")
    ('?format=json', '', '')
    """
    return href if _LOCAL.fullmatch(href) else web(href)


def pieces(text: str) -> list[Piece]:
    """Return a text in words in parts, its URLs as links.

    >>> pieces("token https://example.com/t; more")
    [Piece(text='token ', href=''), Piece(text='https://example.com/t', href='https://example.com/t'), Piece(text='; more', href='')]
    """
    found: list[Piece] = []
    plain = ""
    for token in _TOKENS.split(text):
        bare = token.rstrip(_CLOSING)
        href = web(bare) or mailbox(bare)
        if not href:
            plain += token
            continue
        found += [Piece(plain)] * bool(plain) + [Piece(bare, href)]
        plain = token[len(bare) :]
    return found + [Piece(plain)] * bool(plain)
