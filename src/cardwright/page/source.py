"""JSON source text on a page: indented, with invisible characters escaped, and highlighted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright_runtime.violation import unseen_as

if TYPE_CHECKING:
    from markupsafe import Markup

# A longer text is not highlighted: its spans would double the size of the page (project decision).
MAX_HIGHLIGHTED: Final = 128 * 1024
_TOKEN: Final = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*+"(?=:))|(?P<string>"(?:[^"\\]|\\.)*+")|(?P<literal>-?[0-9][0-9.eE+-]*|true|false|null)'
)


def pretty(value: Any) -> str:
    r"""Return a JSON value as indented JSON text with invisible characters escaped.

    >>> print(pretty({"a": chr(0x202E)}))
    {
      "a": "\u202e"
    }
    """
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    return "\n".join(unseen_as(line, _escape) for line in text.split("\n"))


def highlighted(source: str) -> Markup:
    """Return JSON text of `pretty` as HTML, with a class on each field name, string and literal.

    >>> str(highlighted('{"a": 1}'))
    '{<span class="key">&#34;a&#34;</span>: <span class="literal">1</span>}'
    """
    from markupsafe import Markup, escape

    if len(source) > MAX_HIGHLIGHTED:
        return escape(source)
    pieces: list[Markup] = []
    end = 0
    for token in _TOKEN.finditer(source):
        pieces += (
            escape(source[end : token.start()]),
            Markup('<span class="{}">{}</span>').format(token.lastgroup, token[0]),
        )
        end = token.end()
    return Markup().join((*pieces, escape(source[end:])))


def _escape(char: str) -> str:
    """Return the escapes of a character in a JSON string (RFC 8259 §7)."""
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
