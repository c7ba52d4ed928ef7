"""Counting what a protobuf message has: its fields before it is parsed, its JSON values before it is converted."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from cardwright.guard.message_reader import base64_text

# How many fields a JSON value may have on the wire: one in a Struct has four.
_FIELDS_OF_VALUE: Final = 8
# The bytes of a fixed-size field by its wire type (protobuf, Encoding).
_FIXED: Final = {1: 8, 5: 4}
_VARINT: Final = 0
_MAX_SHIFT: Final = 63
_LENGTH_DELIMITED: Final = 2
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
            children = _children(value)
            if len(children) + values > at_most:
                # An element becomes a Python object when it is looked at.
                return Counted(at_most + 1, files)
            for child in children:
                if isinstance(child, bytes):
                    files += len(child)
                    values += 1
                elif hasattr(child, "ListFields"):
                    waiting.append(child)
                    values += not child.DESCRIPTOR.full_name.startswith(_WELL_KNOWN)
                else:
                    values += 1
    return Counted(values, files)


def encode_files(message: Any) -> None:
    """Write the files of a message of A2A 0.3 (`a2a.v1`) as a2a-sdk reads them; no message of 1.0 has such a field."""
    waiting = [message]
    for one in waiting:
        for field, value in one.ListFields():
            if field.name == "file_with_bytes":
                one.file_with_bytes = base64_text(value)
            elif field.message_type is not None and field.message_type.file.package == "a2a.v1":
                waiting.extend(child for child in _children(value) if hasattr(child, "ListFields"))


def has_too_many_fields(content: bytes, descriptor: Any, at_most: int) -> bool:
    """Return whether a message on the wire has more fields than one with `at_most` JSON values can have.

    Parsing takes some 75 bytes of memory for a field of two bytes. A message that cannot be read is left to the parser.

    Args:
        content: The message.
        descriptor: Its type.
        at_most: The maximum number of JSON values.
    """
    left, waiting = at_most * _FIELDS_OF_VALUE, [(0, len(content), descriptor)]
    try:
        while waiting:
            at, end, kind = waiting.pop()
            while at < end:
                left -= 1
                if left < 0:
                    return True
                tag, at = _varint(content, at)
                wire_type = tag & 7
                if wire_type == _VARINT:
                    _, at = _varint(content, at)
                elif wire_type == _LENGTH_DELIMITED:
                    size, at = _varint(content, at)
                    field = kind.fields_by_number.get(tag >> 3)
                    if field is not None and field.message_type is not None:
                        waiting.append((at, min(at + size, end), field.message_type))
                    at += size
                else:
                    at += _FIXED[wire_type]
    except (IndexError, KeyError):
        return False
    return False


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins at a position, and the position after it."""
    value = shift = 0
    while True:
        byte = content[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > _MAX_SHIFT:
            raise KeyError("no varint")


def _children(value: Any) -> Any:
    """Return the values of a field: those of a map, those of a list, or the only one."""
    if isinstance(value, (str, bytes)) or hasattr(value, "ListFields") or not hasattr(value, "__len__"):
        return (value,)
    return value.values() if hasattr(value, "values") else value
