"""Where a pointer leads in a text."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwright.locate import Place, locate, place_at
from cardwright_runtime.violation import pointer_of

TEXT = b"""{
  "a": {"b": [1, {"c/d": "x,y:{"}]},
  "q\\"~": [],

  "a~b": "\xc3\xa9", "z": true
}
"""

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("", Place(1, 1)), ("/a", Place(2, 3)), ("/a/b", Place(2, 9)), ("/a/b/0", Place(2, 15)),
        ("/a/b/1", Place(2, 18)), ("/a/b/1/c~1d", Place(2, 19)), ('/q"~0', Place(3, 3)), ("/a~0b", Place(5, 3)),
        ("/z", Place(5, 15)), ("/a/missing", Place(2, 3)), ("/a/b/1/missing/deeper", Place(2, 18)),
        ("/missing", Place(1, 1)),
    ],
)  # fmt: skip
def test_a_pointer_has_the_place_of_its_field_or_nearest_ancestor(pointer: str, place: Place) -> None:
    assert locate(TEXT, [pointer]) == {pointer: place}


def test_a_byte_has_a_place_even_in_invalid_utf_8() -> None:
    assert place_at(b'{\n "\xff\xfe": NaN', 8) == Place(2, 7)


def reached(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield every pointer into a value with how the text begins there."""
    yield pointer_of(path), json.dumps(path[-1] if path and isinstance(path[-1], str) else value)[:1]
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in pairs:
        yield from reached(item, (*path, step))


@settings(deadline=None)
@given(value=JSON, indent=st.sampled_from([None, 0, 2]), ascii_only=st.booleans())
def test_every_pointer_of_any_document_is_found(value: Any, indent: int | None, *, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    expected = dict(reached(value))

    # Surrogates cannot be written as UTF-8; `decode` refuses them long before.
    places = locate(text.encode("utf-8", "replace"), expected)

    lines = text.split("\n")
    assert {pointer: lines[p.line - 1][p.column - 1] for pointer, p in places.items()} == expected


def test_a_text_may_be_nested_deeper_than_the_stack() -> None:
    depth = 20_000
    pointer = "/0" * depth

    assert locate(b"[" * depth + b"\n1" + b"]" * depth, [pointer]) == {pointer: Place(2, 1)}
