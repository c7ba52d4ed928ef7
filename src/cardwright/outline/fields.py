"""Values of a document of any shape as text; nothing here raises.

Every text becomes one printable line, prose several, so that no card can send control characters to a terminal.
"""

from __future__ import annotations

import re
from typing import Any, Final

from cardwright.view.fields import field_at, items
from cardwright_runtime.violation import escaped, quote

# Project decision: enough for a description; a card may have up to 256 KiB.
SHOWN_CHARACTERS: Final = 1_000
_BLANKS: Final = re.compile(r"\n{3,}")
# Project decision: for pages; descriptions of MCP tools may be long.
PROSE_CHARACTERS: Final = 8_000


def words(value: Any) -> str:
    """Return a value as one line of text: "yes" or "no" for a boolean, "" for null."""
    match value:
        case str():
            line = escaped(" ".join(value[: 4 * SHOWN_CHARACTERS].split()))
            return f"{line[:SHOWN_CHARACTERS]}…" if len(line) > SHOWN_CHARACTERS else line
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case _:
            return quote(value)


def prose(value: Any) -> str:
    """Return a text with its line breaks and indents, shortened with an ellipsis if necessary."""
    if not isinstance(value, str):
        return words(value)
    lines = (line.expandtabs(4).rstrip() for line in value[: 2 * PROSE_CHARACTERS].splitlines())
    joined = _BLANKS.sub("\n\n", "\n".join(map(escaped, lines)).strip())
    return f"{joined[:PROSE_CHARACTERS]}…" if len(joined) > PROSE_CHARACTERS else joined


def text(node: Any, *steps: str) -> str:
    """Return the value at nested field names as one line of text."""
    return words(field_at(node, *steps))


def noted(*notes: str) -> str:
    """Return the notes that are not empty, in one line."""
    return "; ".join(filter(None, notes))


def listed(node: Any, *steps: str) -> str:
    """Return the items of an array at nested field names as text, separated by commas."""
    return ", ".join(words(item) for item in items(node, *steps))
