"""Size limits of JSON values, checked before a value is copied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson

from cardwright.errors import MalformedDocument
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from cardwright.canonical import Limits


def check_size(value: Any, limits: Limits) -> None:
    """Refuse a value that is too deep, has too many values, or is certainly too long as JSON.

    A value that contains itself is too deep. A value that occurs several times counts each time.

    Args:
        value: Any value; not changed.
        limits: Maximum depth, length and number of values.

    Raises:
        MalformedDocument: With a pointer to the place that exceeds a limit.
    """
    left, values = limits.max_bytes, limits.max_values
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while stack:
        path, node = stack.pop()
        # Minimum length: a digit and a comma, or a string with its quotation marks.
        left -= len(node) + 3 if isinstance(node, str) else 2
        values -= 1
        if isinstance(node, (Mapping, list, tuple)):
            if len(path) >= limits.max_depth:
                message = f"it nests more than {limits.max_depth} levels or contains itself"
                raise MalformedDocument("decode/too-deep", message, pointer=pointer_of(path[:3]))
            left -= 2 * len(node)
            if left >= 0 and len(node) <= values:
                inner = node.items() if isinstance(node, Mapping) else enumerate(node)
                stack.extend(((*path, step), item) for step, item in inner)
            else:
                values = min(values, values - len(node))
        if values < 0:
            message = f"it has more than {limits.max_values:,} values"
            raise MalformedDocument("decode/too-many-values", message, pointer=pointer_of(path[:3]))
        if left < 0:
            raise _too_long(limits, pointer_of(path[:3]))


def check_length(value: Any, limits: Limits) -> None:
    """Refuse a JSON value whose encoding is too long.

    Raises:
        MalformedDocument: If it exceeds `limits.max_bytes`.
    """
    if len(orjson.dumps(value)) > limits.max_bytes:
        raise _too_long(limits, "")


def deep_copy(value: Any) -> Any:
    """Return a deep copy of a JSON value."""
    return orjson.loads(orjson.dumps(value)) if isinstance(value, (dict, list)) else value  # noqa: TID251 - its own JSON


def _too_long(limits: Limits, pointer: str) -> MalformedDocument:
    message = f"it is longer than {limits.max_bytes:,} bytes"
    return MalformedDocument("decode/too-large", message, pointer=pointer)
