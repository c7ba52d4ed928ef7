"""Conversion between the models and the protobuf messages of a2a-sdk 1.x; the generator copies this module to `cardwright_models`.

It needs a2a-sdk: ``pip install "cardwright-models[proto]"``.

Generated from codegen/proto.py
by `make generate`. Do not edit: change it and generate again.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

from a2a.types import a2a_pb2
from google.api import annotations_pb2, field_behavior_pb2  # type: ignore[import-untyped] # noqa: F401 # they have no stubs
from google.protobuf.json_format import MessageToDict, ParseDict  # type: ignore[import-untyped] # it has no stubs

if TYPE_CHECKING:
    from cardwright_models.base import WireModel

_Model = TypeVar("_Model", bound="WireModel")

# The models, and the package of their protobuf messages.
_MODELS: Final = "cardwright_models.a2a_v1_0"
_PACKAGE: Final = a2a_pb2.DESCRIPTOR.package


def to_proto(model: WireModel, *, ignore_unknown_fields: bool = False) -> Any:
    """Return the protobuf message of a model of A2A 1.0.

    Args:
        model: A card, a message, a request or another object.
        ignore_unknown_fields: Whether fields that the protobuf message does not have are left out.

    Raises:
        TypeError: If a2a-sdk has no message for the model.
        google.protobuf.json_format.ParseError: If a value has no form in protobuf, or a field is unknown.
    """
    # A class of yours may derive from a model.
    names = (one.__name__ for one in type(model).__mro__ if one.__module__.startswith(_MODELS))
    kind = getattr(a2a_pb2, next(names, ""), None)
    if kind is None:
        raise TypeError(f"a2a-sdk has no protobuf message for {type(model).__name__}")
    return ParseDict(model.to_wire(), kind(), ignore_unknown_fields=ignore_unknown_fields)


@overload
def from_proto(message: Any) -> WireModel: ...


@overload
def from_proto(message: Any, model: type[_Model]) -> _Model: ...


def from_proto(message: Any, model: type[WireModel] | None = None) -> WireModel:
    """Return a protobuf message of A2A 1.0 as a model.

    ``from_proto(message)`` finds the model by the name of the message; ``from_proto(message, Task)`` is typed.

    Raises:
        TypeError: If there is no model for the message.
        pydantic.ValidationError: If the message lacks what the specification requires.
    """
    descriptor = message.DESCRIPTOR
    if descriptor.file.package != _PACKAGE:
        raise TypeError(f"there are no models of the protobuf package {descriptor.file.package!r}")
    found: type[WireModel] = model or getattr(import_module(_MODELS), descriptor.name)
    return found.from_wire(_completed(MessageToDict(message), descriptor))


def _completed(value: Any, descriptor: Any) -> Any:
    """Return a JSON object with the required fields that protobuf leaves out, because they are empty, 0 or false."""
    for field in descriptor.fields:
        name, inner = field.json_name, field.message_type
        behaviour = field.GetOptions().Extensions[field_behavior_pb2.field_behavior]
        if name not in value:
            if field_behavior_pb2.REQUIRED in behaviour and (inner is None or field.is_repeated):
                value[name] = _default(field)
        elif inner is not None and not inner.full_name.startswith("google."):
            is_map = inner.GetOptions().map_entry
            kind = inner.fields_by_name["value"].message_type if is_map else inner
            items = value[name].values() if is_map else value[name] if field.is_repeated else (value[name],)
            for item in items if kind is not None else ():
                _completed(item, kind)
    return value


def _default(field: Any) -> Any:
    if field.is_repeated:
        return {} if field.message_type is not None and field.message_type.GetOptions().map_entry else []
    return field.enum_type.values_by_number[0].name if field.enum_type else field.default_value
