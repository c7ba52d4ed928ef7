"""The line and column of each value in a JSON text, for editors and annotations.

The text is known to be valid JSON, so that a tokenizer is enough.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from cardwright_runtime.violation import steps_of

if TYPE_CHECKING:
    from collections.abc import Collection

STRING: Final = r'"[^"\\]*(?:\\.[^"\\]*)*"'
# A name with its colon, a text, a bracket or brace, or another value.
TOKEN: Final = re.compile(rf'{STRING}(\s*:)?|[{{}}\[\]]|[^\s{{}}\[\],:"]+')


class Place(NamedTuple):
    """A line and a column, both from 1; columns count Unicode code points."""

    line: int
    column: int


@dataclass(slots=True)
class Node:
    """The offsets of a value in a text.

    Attributes:
        at: The start of its name; if it has no name, of the value.
        start: The start of the value.
        end: The end of the value.
        first: The start of its first field or item.
        inner: Its fields by name, or its items by index.
    """

    at: int
    start: int
    end: int
    first: int = 0
    inner: dict[str | int, Node] = field(default_factory=dict["str | int", "Node"])


def locate(body: bytes, pointers: Collection[str]) -> dict[str, Place]:
    """Return the place of each pointer: of a field the start of its name, of an item its first character.

    Args:
        body: JSON that has been decoded already.
        pointers: RFC 6901 pointers; one that does not resolve gets the place of its nearest ancestor.
    """
    text = body.decode("utf-8")
    root = parsed(text)
    return {pointer: _place(text, _nearest(root, pointer).at) for pointer in pointers}


def place_at(body: bytes, offset: int) -> Place:
    """Return the place of a byte; the bytes need not be valid UTF-8."""
    before = body[:offset].decode("utf-8", "replace")
    return _place(before, len(before))


def parsed(text: str) -> Node:
    """Return the offsets of all values in a text that is known to be valid JSON."""
    tokens = TOKEN.finditer(text)
    first = next(tokens)
    root = Node(first.start(), first.start(), first.end())
    # A loop, not a recursion: the text may be nested too deeply for the stack.
    inside = [root] if text[root.start] in "{[" else []
    name: str | int = ""
    at = -1
    for token in tokens:
        if not inside:
            break
        node, (start, end) = inside[-1], token.span()
        mark = text[start]
        if mark in "}]":
            node.end = end
            inside.pop()
            continue
        node.first = node.first or start
        if token[1]:
            name, at = _name(text[start : end - len(token[1])]), start
            continue
        value = Node(start if at < 0 else at, start, end)
        node.inner[len(node.inner) if at < 0 else name] = value
        at = -1
        if mark in "{[":
            inside.append(value)
    return root


def _name(text: str) -> str:
    return str(json.loads(text)) if "\\" in text else text[1:-1]  # noqa: TID251 - a string of a document that was decoded


def _nearest(node: Node, pointer: str) -> Node:
    """Return the value at a pointer, or its nearest existing ancestor."""
    for step in steps_of(pointer):
        inner = node.inner.get(step) or (node.inner.get(int(step)) if step.isdecimal() else None)
        if inner is None:
            break
        node = inner
    return node


def _place(text: str, offset: int) -> Place:
    return Place(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
