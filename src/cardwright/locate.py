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

TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


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
    tokens = ((token.start(), token.end()) for token in TOKEN.finditer(text))
    start, end = next(tokens)
    root = Node(start, start, end)
    # A loop, not a recursion: the text may be nested too deeply for the stack.
    inside = [root] if text[start] in "{[" else []
    for start, end in tokens:
        if not inside:
            break
        node, mark = inside[-1], text[start]
        if mark in "}]":
            node.end = end
            inside.pop()
            continue
        if mark == ",":
            continue
        node.first = node.first or start
        if text[node.start] == "[":
            name: str | int = len(node.inner)
            value = Node(start, start, end)
        else:
            name = str(json.loads(text[start:end]))
            next(tokens)
            value = Node(start, *next(tokens))
        node.inner[name] = value
        if text[value.start] in "{[":
            inside.append(value)
    return root


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
