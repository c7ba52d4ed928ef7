"""Required fields of A2A's protobuf messages; importing this module imports the SDK.

The SDK validates them twice for each call, and looks into `google.protobuf.Value` too, which has no required field: a
message with 64 KiB of structured data would stop the event loop for a second.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from a2a.utils.errors import InvalidParamsError
from google.api.field_behavior_pb2 import (  # type: ignore[import-untyped] # it has no stubs
    FieldBehavior,
    field_behavior,
)
from google.protobuf.descriptor import FieldDescriptor  # type: ignore[import-untyped] # it has no stubs

if TYPE_CHECKING:
    from collections.abc import Iterator

_WELL_KNOWN_TYPES = "google.protobuf."


def check_required(message: Any) -> None:
    """Check that a protobuf message has its required fields, as the SDK does.

    Raises:
        InvalidParamsError: If one is missing or empty; its data have the form of the SDK's.
    """
    errors = [{"field": path, "message": text} for path, text in missing_fields(message)]
    if errors:
        raise InvalidParamsError(message="Validation failed", data={"errors": errors})


def missing_fields(message: Any) -> Iterator[tuple[str, str]]:
    """Yield the path of each required field that a protobuf message lacks, with what is wrong."""
    required, inner = _fields(message.DESCRIPTOR)
    for name, repeated, has_presence, default in required:
        if repeated:
            if not getattr(message, name):
                yield name, "Field must contain at least one element."
        elif not message.HasField(name) if has_presence else getattr(message, name) == default:
            yield name, "Field is required."
    for name, repeated in inner:
        if repeated:
            for index, item in enumerate(getattr(message, name)):
                yield from ((f"{name}[{index}].{path}", text) for path, text in missing_fields(item))
        elif message.HasField(name):
            yield from ((f"{name}.{path}", text) for path, text in missing_fields(getattr(message, name)))


@cache
def _fields(descriptor: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the required fields of a message type, and the fields that hold messages of A2A."""
    required = tuple(
        (field.name, field.is_repeated, field.has_presence, field.default_value)
        for field in descriptor.fields
        if FieldBehavior.REQUIRED in field.GetOptions().Extensions[field_behavior]
    )
    inner = tuple(
        (field.name, field.is_repeated)
        for field in descriptor.fields
        if field.type == FieldDescriptor.TYPE_MESSAGE
        and not field.message_type.full_name.startswith(_WELL_KNOWN_TYPES)
        and not field.message_type.GetOptions().map_entry
    )
    return required, inner
