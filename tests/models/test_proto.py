"""Models of A2A 1.0 and the protobuf messages of a2a-sdk: each is the other's, for drawn messages of every type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from a2a.types import a2a_pb2
from google.protobuf import struct_pb2  # type: ignore[import-untyped] # it has no stubs
from google.protobuf.descriptor import FieldDescriptor  # type: ignore[import-untyped] # it has no stubs
from google.protobuf.json_format import ParseError  # type: ignore[import-untyped] # it has no stubs
from hypothesis import given
from hypothesis import strategies as st

from cardwright_models import a2a_v0_3, a2a_v1_0
from cardwright_models.proto import from_proto, to_proto

if TYPE_CHECKING:
    from cardwright_models.base import WireModel

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8)
# A number in protobuf's JSON values is a float.
JSON = st.recursive(
    st.none() | st.booleans() | TEXT | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
MESSAGES = sorted(
    name
    for name, message in a2a_pb2.DESCRIPTOR.message_types_by_name.items()
    if not message.GetOptions().map_entry
)
SCALARS = {
    FieldDescriptor.TYPE_BOOL: st.booleans(),
    FieldDescriptor.TYPE_BYTES: st.binary(max_size=9),
    FieldDescriptor.TYPE_INT32: st.integers(-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_STRING: TEXT,
}
# Deeper messages have no optional fields, so that drawing ends.
DEPTH = 3


@st.composite
def messages(draw: st.DrawFn, name: str, depth: int = 0) -> Any:
    """Return a protobuf message with all that the specification requires."""
    message = getattr(a2a_pb2, name)()
    descriptor = message.DESCRIPTOR
    fields = getattr(a2a_v1_0, name).model_fields
    required = {field.rstrip("_") for field, one in fields.items() if one.is_required()}
    groups = [[field.name for field in group.fields] for group in descriptor.oneofs if len(group.fields) > 1]
    chosen = {draw(st.sampled_from(group)) for group in groups}
    others = {field for group in groups for field in group} - chosen
    for field in descriptor.fields:
        is_needed = field.name in required | chosen
        if is_needed or (field.name not in others and depth < DEPTH and draw(st.booleans())):
            _fill(draw, message, field, depth)
    return message


def _fill(draw: st.DrawFn, message: Any, field: Any, depth: int) -> None:
    name, kind = field.name, field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        inner = kind.fields_by_name["value"].message_type
        for key in draw(st.lists(TEXT, min_size=1, max_size=2)):
            if inner is None:
                getattr(message, name)[key] = draw(TEXT)
            else:
                getattr(message, name)[key].CopyFrom(draw(messages(inner.name, depth + 1)))
    elif field.is_repeated:
        for _ in range(draw(st.integers(1, 2))):
            getattr(message, name).append(draw(_values(field, depth)))
    elif kind is not None:
        getattr(message, name).CopyFrom(draw(_values(field, depth)))
    else:
        setattr(message, name, draw(_values(field, depth)))


def _values(field: Any, depth: int) -> st.SearchStrategy[Any]:
    if field.enum_type is not None:
        return st.sampled_from([value.number for value in field.enum_type.values])
    if field.message_type is None:
        if field.name == "location":
            return st.sampled_from(["cookie", "header", "query"])
        return SCALARS[field.type]
    match field.message_type.full_name:
        case "google.protobuf.Struct":
            return st.dictionaries(TEXT, JSON, max_size=2).map(_struct)
        case "google.protobuf.Value":
            return JSON.map(lambda value: _struct({"value": value}).fields["value"])
        case "google.protobuf.Timestamp":
            return st.datetimes().map(lambda time: a2a_pb2.TaskStatus(timestamp=time).timestamp)
        case _:
            return messages(field.message_type.name, depth + 1)


def _struct(value: dict[str, Any]) -> Any:
    struct = struct_pb2.Struct()
    struct.update(value)
    return struct


@pytest.mark.parametrize("name", MESSAGES)
@given(data=st.data())
def test_a_message_of_protobuf_comes_back_from_its_model(name: str, data: st.DataObject) -> None:
    message = data.draw(messages(name))

    model: WireModel = from_proto(message)

    assert type(model).__name__ == name
    assert to_proto(model) == message
    assert from_proto(to_proto(model)) == model


@pytest.mark.parametrize(
    ("message", "document"),
    [
        (
            a2a_pb2.ListTasksResponse(),
            {"tasks": [], "nextPageToken": "", "pageSize": 0, "totalSize": 0},
        ),
        (a2a_pb2.ClientCredentialsOAuthFlow(token_url="t"), {"tokenUrl": "t", "scopes": {}}),  # noqa: S106 - a URL
    ],
)
def test_what_is_required_and_empty_is_written(message: Any, document: dict[str, Any]) -> None:
    model: WireModel = from_proto(message)

    assert model.to_wire() == document
    assert to_proto(model) == message


def test_a_field_that_protobuf_does_not_have_is_named_or_left_out() -> None:
    skill = a2a_v1_0.AgentSkill(id="a", name="A", description="A.", tags=["x"])
    skill.__pydantic_extra__ = {"price": 5}

    with pytest.raises(ParseError, match="price"):
        to_proto(skill)
    assert to_proto(skill, ignore_unknown_fields=True).id == "a"


def test_what_the_other_side_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="no protobuf message for AgentProvider"):
        to_proto(a2a_v0_3.AgentProvider(organization="Port", url="https://port.example.com"))
    with pytest.raises(TypeError, match=r"no models of the protobuf package 'google\.protobuf'"):
        from_proto(struct_pb2.Struct())


def test_a_class_of_a_user_is_the_message_of_its_model() -> None:
    class Berth(a2a_v1_0.AgentSkill):
        length: int | None = None

    assert to_proto(Berth(id="a", name="A", description="A.", tags=["x"])).name == "A"
