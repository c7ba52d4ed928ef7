"""Where in a text a JSON Pointer leads: line and column, for editors and annotations.

The text is known to be JSON by then, so that a scanner of tokens is enough.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class Place(NamedTuple):
    """A line and a column, both from 1; columns count Unicode code points."""

    line: int
    column: int


def locate(body: bytes, pointers: Collection[str]) -> dict[str, Place]:
    """Return the place of each pointer: a member's name, an item's first character.

    Args:
        body: JSON that has been decoded already.
        pointers: RFC 6901 pointers; one that leads nowhere gets the place of its nearest ancestor.
    """
    text = body.decode("utf-8")
    ancestry = {pointer: tuple(_ancestry(pointer)) for pointer in pointers}
    wanted = {step for steps in ancestry.values() for step in steps}
    starts = {pointer: offset for pointer, offset in _starts(text) if pointer in wanted}
    return {
        pointer: _place(text, next(starts[step] for step in steps if step in starts))
        for pointer, steps in ancestry.items()
    }


def place_at(body: bytes, offset: int) -> Place:
    """Return the place of a byte, whether or not the bytes are UTF-8."""
    before = body[:offset].decode("utf-8", "replace")
    return _place(before, len(before))


def _ancestry(pointer: str) -> Iterator[str]:
    while pointer:
        yield pointer
        pointer = pointer.rpartition("/")[0]
    yield ""


class _Frame:
    """An open object or array: its pointer, and the step to what comes next (None: a name is due)."""

    __slots__ = ("pointer", "step")

    def __init__(self, pointer: str, step: int | str | None) -> None:
        self.pointer = pointer
        self.step = step


def _starts(text: str) -> Iterator[tuple[str, int]]:
    """Yield the pointer and the offset of every member's name, every item and the root."""
    open_frames: list[_Frame] = []
    for token in _TOKEN.finditer(text):
        mark = text[token.start()]
        frame = open_frames[-1] if open_frames else None
        if mark == ":":
            continue
        if mark in "}]":
            open_frames.pop()
        elif mark == "," and frame:
            frame.step = frame.step + 1 if isinstance(frame.step, int) else None
        elif frame and frame.step is None:
            frame.step = str(json.loads(token[0]))
            yield frame.pointer + pointer_of((frame.step,)), token.start()
        else:
            steps = () if frame is None or frame.step is None else (frame.step,)
            pointer = (frame.pointer if frame else "") + pointer_of(steps)
            if frame is None or isinstance(frame.step, int):
                yield pointer, token.start()
            if mark in "{[":
                open_frames.append(_Frame(pointer, None if mark == "{" else 0))


def _place(text: str, offset: int) -> Place:
    return Place(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
