"""JSON source text on a page: indented, with invisible characters escaped."""

from __future__ import annotations

from typing import Any

import orjson

from cardwright_runtime.violation import unseen_as


def pretty(value: Any) -> str:
    r"""Return a JSON value as indented JSON text with invisible characters escaped.

    >>> print(pretty({"a": chr(0x202E)}))
    {
      "a": "\u202e"
    }
    """
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    return "\n".join(unseen_as(line, _escape) for line in text.split("\n"))


def _escape(char: str) -> str:
    """Return the escapes of a character in a JSON string (RFC 8259 §7)."""
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
