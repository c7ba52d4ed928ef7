"""Where in a text the values of a JSON document stand: line and column, for editors and annotations.

The text is known to be JSON by then, so that a scanner of tokens is enough.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from cardwright_runtime.violation import steps_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class Place(NamedTuple):
    """A line and a column, both from 1; columns count Unicode code points."""

    line: int
    column: int


@dataclass(slots=True)
class Node:
    """A value in a text.

    Attributes:
        at: Where its name begins; without a name, the value itself.
        start: Where it begins.
        end: Where it ends.
        first: Where its inside begins.
        inner: What is in it, by name or index.
    """

    at: int
    start: int
    end: int
    first: int = 0
    inner: dict[str | int, Node] = field(default_factory=dict["str | int", "Node"])


def locate(body: bytes, pointers: Collection[str]) -> dict[str, Place]:
    """Return the place of each pointer: the name of a field, the first character of an item.

    Args:
        body: JSON that has been decoded already.
        pointers: RFC 6901 pointers; one that leads nowhere gets the place of its nearest ancestor.
    """
    text = body.decode("utf-8")
    root = parsed(text)
    return {pointer: _place(text, _nearest(root, pointer).at) for pointer in pointers}


def place_at(body: bytes, offset: int) -> Place:
    """Return the place of a byte, whether or not the bytes are UTF-8."""
    before = body[:offset].decode("utf-8", "replace")
    return _place(before, len(before))


def parsed(text: str) -> Node:
    """Return where everything stands in a text that is known to be JSON."""
    tokens = ((token.start(), token.end()) for token in TOKEN.finditer(text))
    start, end = next(tokens)
    return _value(text, tokens, Node(start, start, end))


def _value(text: str, tokens: Iterator[tuple[int, int]], node: Node) -> Node:
    opening = text[node.start]
    if opening not in "{[":
        return node
    for start, end in tokens:
        mark = text[start]
        if mark in "}]":
            node.end = end
            return node
        if mark == ",":
            continue
        node.first = node.first or start
        if opening == "[":
            node.inner[len(node.inner)] = _value(text, tokens, Node(start, start, end))
        else:
            name = str(json.loads(text[start:end]))
            next(tokens)
            node.inner[name] = _value(text, tokens, Node(start, *next(tokens)))
    return node


def _nearest(node: Node, pointer: str) -> Node:
    """Return what a pointer leads to, or the nearest ancestor that is there."""
    for step in steps_of(pointer):
        inner = node.inner.get(step) or (node.inner.get(int(step)) if step.isdecimal() else None)
        if inner is None:
            break
        node = inner
    return node


def _place(text: str, offset: int) -> Place:
    return Place(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
