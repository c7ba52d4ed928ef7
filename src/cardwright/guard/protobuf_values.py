"""Counting the JSON values of a protobuf message, before anything converts it value by value."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

# Types whose content is a JSON value, so that they are no values of their own.
_WELL_KNOWN: Final = "google.protobuf."


class Counted(NamedTuple):
    """What a message has.

    Attributes:
        values: How many JSON values its ProtoJSON has.
        file_bytes: How many bytes of them are content of files.
    """

    values: int
    file_bytes: int


def count_values(message: Any, at_most: int) -> Counted:
    """Return how many JSON values a message has; many more than `at_most` are not counted.

    Args:
        message: A protobuf message.
        at_most: The number from which on counting may stop.
    """
    values, files, waiting = 0, 0, [message]
    while waiting and values <= at_most:
        for _, value in waiting.pop().ListFields():
            for child in _children(value):
                if isinstance(child, bytes):
                    files += len(child)
                    values += 1
                elif hasattr(child, "ListFields"):
                    waiting.append(child)
                    values += not child.DESCRIPTOR.full_name.startswith(_WELL_KNOWN)
                else:
                    values += 1
            if len(waiting) > at_most:
                return Counted(at_most + 1, files)
    return Counted(values, files)


def _children(value: Any) -> Any:
    """Return the values of a field: those of a map, those of a list, or the only one."""
    if isinstance(value, (str, bytes)) or hasattr(value, "ListFields") or not hasattr(value, "__len__"):
        return (value,)
    return value.values() if hasattr(value, "values") else value
