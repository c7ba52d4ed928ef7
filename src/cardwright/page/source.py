"""JSON as a page shows it: pretty, and with every character that a reader would not see written out."""

from __future__ import annotations

from typing import Any

import orjson

from cardwright_runtime.violation import unseen_as


def pretty(value: Any) -> str:
    r"""Return a JSON value as indented text that is JSON still, whatever a reader's eye would miss.

    >>> print(pretty({"a": chr(0x202E)}))
    {
      "a": "\u202e"
    }
    """
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    return "\n".join(unseen_as(line, _escape) for line in text.split("\n"))


def _escape(char: str) -> str:
    """Return the escapes of a character that stands in a JSON string (RFC 8259 §7)."""
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
