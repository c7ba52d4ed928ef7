"""How large a value of somebody else's is, asked before anything copies it; and copies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright.errors import MalformedDocument
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from cardwright.canonical import Limits

# How many values a part may hold: a second's work to look at (ours).
MAX_VALUES: Final = 1_000_000


def check_size(value: Any, limits: Limits, *, most: int = MAX_VALUES) -> None:
    """Refuse what is deeper or, written as JSON, surely longer than the limits, or holds too many values.

    What refers to itself is too deep. What is referred to many times counts as often as it would be written.

    Args:
        value: Anything; it is looked at and not changed.
        limits: How deep and long it may be.
        most: How many values it may hold.

    Raises:
        MalformedDocument: With the pointer of where it goes on too long.
    """
    left, values = limits.max_bytes, most
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while stack:
        path, node = stack.pop()
        # At least: a digit and a comma, a text and its quotation marks.
        left -= len(node) + 3 if isinstance(node, str) else 2
        values -= 1
        if isinstance(node, (Mapping, list, tuple)):
            if len(path) >= limits.max_depth:
                told = f"it nests more than {limits.max_depth} levels, or refers to itself"
                raise MalformedDocument("decode/too-deep", told, pointer=pointer_of(path[:3]))
            left -= 2 * len(node)
            if left >= 0 and len(node) <= values:
                inner = node.items() if isinstance(node, Mapping) else enumerate(node)
                stack.extend(((*path, step), item) for step, item in inner)
            else:
                values = min(values, values - len(node))
        if values < 0:
            told = f"it holds more than {most:,} values"
            raise MalformedDocument("decode/too-large", told, pointer=pointer_of(path[:3]))
        if left < 0:
            raise _too_long(limits, pointer_of(path[:3]))


def check_length(value: Any, limits: Limits) -> None:
    """Refuse a JSON value that is longer than the limits when it is written.

    Raises:
        MalformedDocument: If it is.
    """
    if len(orjson.dumps(value)) > limits.max_bytes:
        raise _too_long(limits, "")


def own(value: Any) -> Any:
    """Return a copy of a JSON value that shares nothing with it."""
    return orjson.loads(orjson.dumps(value)) if isinstance(value, (dict, list)) else value


def _too_long(limits: Limits, pointer: str) -> MalformedDocument:
    told = f"it is longer than {limits.max_bytes:,} bytes"
    return MalformedDocument("decode/too-large", told, pointer=pointer)
