"""Reading members of a document that may hold anything anywhere: nothing here raises.

Every text comes out as one printable line, prose as several, so that no card can move a cursor.
"""

from __future__ import annotations

import re
from typing import Any, Final

from cardwright_runtime.violation import escaped, quote

# Enough for any honest description; a card may hold 256 KiB of one (ours).
SHOWN_CHARACTERS: Final = 1_000
_BLANKS: Final = re.compile(r"\n{3,}")
# Where there is room for paragraphs: descriptions of MCP tools run to pages (ours).
PROSE_CHARACTERS: Final = 8_000


def words(value: Any) -> str:
    """Return a value in words: text as one line, yes and no, a name of what is no text; "" for null."""
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
    """Return a text in words, with its line breaks and indents; a longer one ends in an ellipsis."""
    if not isinstance(value, str):
        return words(value)
    lines = (line.expandtabs(4).rstrip() for line in value[: 2 * PROSE_CHARACTERS].splitlines())
    whole = _BLANKS.sub("\n\n", "\n".join(map(escaped, lines)).strip())
    return f"{whole[:PROSE_CHARACTERS]}…" if len(whole) > PROSE_CHARACTERS else whole


def member(node: Any, *steps: str) -> Any:
    """Return the member of a member …, or None where a step does not exist."""
    for step in steps:
        node = node.get(step) if isinstance(node, dict) else None
    return node


def text(node: Any, *steps: str) -> str:
    """Return a member in words."""
    return words(member(node, *steps))


def items(node: Any, *steps: str) -> list[Any]:
    """Return the items of a member that is an array; none where it is not."""
    value = member(node, *steps)
    return value if isinstance(value, list) else []


def entries(node: Any, *steps: str) -> dict[str, Any]:
    """Return the members of a member that is an object; none where it is not."""
    value = member(node, *steps)
    return value if isinstance(value, dict) else {}


def listed(node: Any, *steps: str) -> str:
    """Return the items of a member in words, with commas."""
    return ", ".join(words(item) for item in items(node, *steps))
