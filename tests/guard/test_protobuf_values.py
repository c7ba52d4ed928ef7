"""What a protobuf message has is counted without making an object of each element."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from a2a.types import a2a_pb2
from google.protobuf.json_format import ParseDict  # type: ignore[import-untyped] # it has no stubs
from hypothesis import given
from hypothesis import strategies as st

from cardwright.guard.protobuf_values import count_values, has_too_many_fields

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

DESCRIPTOR = a2a_pb2.SendMessageRequest.DESCRIPTOR
JSON: SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


def request(data: Any) -> Any:
    parts = [{"data": data}, {"text": "a", "filename": "f"}, {"raw": "AAAA"}]
    message = {"messageId": "m", "role": "ROLE_USER", "parts": parts, "extensions": ["a", "b"]}
    return ParseDict({"message": message, "metadata": {"a": [data]}}, a2a_pb2.SendMessageRequest())


@given(JSON)
def test_a_message_with_few_values_has_not_too_many_fields(data: Any) -> None:
    message = request(data)
    values = count_values(message, 10_000).values

    assert not has_too_many_fields(message.SerializeToString(), DESCRIPTOR, values)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_result(content: bytes) -> None:
    assert has_too_many_fields(content, DESCRIPTOR, 1_000) is False


@pytest.mark.parametrize("nested", [False, True])
def test_many_empty_parts_are_too_many_fields_before_they_are_parsed(*, nested: bool) -> None:
    part = bytes([a2a_pb2.Message.DESCRIPTOR.fields_by_name["parts"].number << 3 | 2, 0])
    message = part * 50
    content = bytes([DESCRIPTOR.fields_by_name["message"].number << 3 | 2, len(message)]) + message
    descriptor = DESCRIPTOR if nested else a2a_pb2.Message.DESCRIPTOR

    assert has_too_many_fields(content if nested else message, descriptor, 5)
    assert not has_too_many_fields(content if nested else message, descriptor, 10)


def test_an_endless_varint_is_left_to_the_parser() -> None:
    assert has_too_many_fields(b"\xff" * 100_000, DESCRIPTOR, 1) is False


def test_counting_stops_before_the_elements() -> None:
    message = a2a_pb2.Message(parts=[a2a_pb2.Part() for _ in range(100)])

    assert count_values(message, 10).values == 11
