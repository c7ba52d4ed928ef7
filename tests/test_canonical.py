"""Strict JSON decoding: refused documents by rule, and accepted ones; and canonical JSON (RFC 8785)."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import json
import struct
import sys
import uuid
from collections import OrderedDict
from typing import Any, NamedTuple

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.canonical import Limits, checked_copy, count_values, decode
from cardwright.errors import MalformedDocument
from cardwright.jcs import canonical_bytes, digest

REFUSED = {
    "empty": (b"", "decode/empty"),
    "only white space": (b" \r\n\t", "decode/empty"),
    "a byte-order mark": (b"\xef\xbb\xbf{}", "decode/byte-order-mark"),
    "UTF-16 with a mark": ("{}".encode("utf-16"), "decode/encoding"),
    "UTF-16 without a mark": ('{"a":1}'.encode("utf-16-le"), "decode/encoding"),
    "UTF-32": ('{"a":1}'.encode("utf-32-be"), "decode/encoding"),
    "Latin-1": ('{"a":"é"}'.encode("latin-1"), "decode/encoding"),
    "an overlong UTF-8 slash": (b'{"a":"\xc0\xaf"}', "decode/encoding"),
    "NaN": (b'{"a":NaN}', "decode/number"),
    "Infinity": (b'{"a":Infinity}', "decode/number"),
    "minus Infinity": (b'{"a":-Infinity}', "decode/number"),
    "a number past every double": (b'{"a":1e400}', "decode/number"),
    "an integer past 2^53 - 1": (b'{"a":9007199254740992}', "decode/integer-range"),
    "an integer past 2^64": (b'{"a":18446744073709551616}', "decode/integer-range"),
    "a negative integer past it": (b'{"a":-9007199254740993}', "decode/integer-range"),
    "a repeated field": (b'{"a":1,"a":2}', "decode/duplicate-member"),
    "a repeated field in another spelling": (b'{"a":1,"\\u0061":2}', "decode/duplicate-member"),
    "a repeated field with equal values": (b'{"a":1, "a":1}', "decode/duplicate-member"),
    "a repeated field hidden by escaped quotes": (
        b'{ "a":1, "a":2, "x":"\\u0022\\u0022"}',
        "decode/duplicate-member",
    ),
    "half a surrogate pair": (b'{"a":"\\ud800"}', "decode/lone-surrogate"),
    "NUL in a text": (b'{"a":"x\\u0000y"}', "decode/nul"),
    "NUL in a name": (b'{"a\\u0000":1}', "decode/nul"),
    "trailing bytes": (b"{} x", "decode/not-json"),
    "two documents": (b"{}{}", "decode/not-json"),
    "a trailing comma": (b'{"a":1,}', "decode/not-json"),
    "a comment": (b'{"a":1} // one', "decode/not-json"),
    "a single quote": (b"{'a':1}", "decode/not-json"),
    "a raw control character": (b'{"a":"\x01"}', "decode/not-json"),
    "half a document": (b'{"a":', "decode/not-json"),
    "65 levels": (b"[" * 65 + b"]" * 65, "decode/too-deep"),
    "65 levels of objects": (b'{"a":' * 65 + b"1" + b"}" * 65, "decode/too-deep"),
    "1,000 levels": (b"[" * 1000 + b"]" * 1000, "decode/too-deep"),
    "9,999 levels": (b"[" * 9_999 + b"]" * 9_999, "decode/too-deep"),
    "9,999 levels never closed": (b"[" * 9_999, "decode/too-deep"),
    "10,000 levels": (b"[" * 10_000 + b"]" * 10_000, "decode/too-many-values"),
    "more bytes than the limit": (b'"' + b"a" * 262_144 + b'"', "decode/too-large"),
}

READ = {
    "63 levels": b"[" * 63 + b"]" * 63,
    "64 levels": b"[" * 64 + b"]" * 64,
    "the greatest integer": b'{"a":9007199254740991}',
    "the least integer": b'{"a":-9007199254740991}',
    "a whole surrogate pair": b'"\\ud83d\\ude00"',
    "CRLF line ends": b'{\r\n  "a": 1\r\n}\r\n',
    "an escaped slash": b'{"a":"\\/"}',
    "brackets in a text": b'{"a":"' + b"[" * 100 + b'"}',
    "the same name in two objects": b'{"a":{"a":1},"b":[{"a":2}]}',
    "an escaped backslash before u0000": b'{"a":"\\\\u0000"}',
    "a small exponent": b'{"a":1E5}',
}


@pytest.mark.parametrize("name", REFUSED)
def test_ambiguous_json_is_refused(name: str) -> None:
    body, rule = REFUSED[name]
    with pytest.raises(MalformedDocument) as refusal:
        decode(body)
    assert refusal.value.rule == rule
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("name", READ)
def test_plain_json_is_read(name: str) -> None:
    assert decode(READ[name]) == json.loads(READ[name])


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (b'{"name":"good","name":"evil"}', "/name"),
        (b'{"skills":[{"id":"a"},{"id":"b","id":"c"}]}', "/skills/1/id"),
        (b'{"a/b":{"~":1,"~":2}}', "/a~1b/~0"),
    ],
)
def test_a_repeated_field_is_named_by_its_pointer(body: bytes, pointer: str) -> None:
    with pytest.raises(MalformedDocument) as refusal:
        decode(body)
    assert refusal.value.pointer == pointer


def test_a_syntax_error_is_named_by_its_offset() -> None:
    with pytest.raises(MalformedDocument) as refusal:
        decode('{"é": tru}'.encode())
    assert refusal.value.offset is not None
    assert "line 1" in refusal.value.reason


def test_limits_are_arguments() -> None:
    assert decode(b"[[[]]]", Limits(max_depth=3)) == [[[]]]
    with pytest.raises(MalformedDocument, match="2 levels"):
        decode(b"[[[]]]", Limits(max_depth=2))
    with pytest.raises(MalformedDocument, match="the maximum of 2"):
        decode(b'{"a":1,"b":2,"c":3}', Limits(max_members=2))
    with pytest.raises(MalformedDocument, match="the maximum of 4"):
        decode(b"[1,2]", Limits(max_bytes=4))
    with pytest.raises(MalformedDocument, match="more than 3 values"):
        decode(b"[1,2,3]", Limits(max_values=3))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (rb"0", 1),
        (rb"[1, 2]", 3),
        (rb'{"a": "b", "c": {"d": 1}}', 4),
        (rb'["[,{", "\\", "\"[", "\\\"[,", "\n\"{"]', 6),
        # An empty array counts twice: nothing shows that it is empty.
        (rb"[[], {}]", 5),
    ],
)
def test_values_inside_strings_are_not_counted(text: bytes, values: int) -> None:
    assert count_values(text, 100) == values
    assert count_values(text, 2) == min(values, 3)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_at_least_the_actual_number_of_values_is_counted(value: Any) -> None:
    def size(node: Any) -> int:
        inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        return 1 + sum(map(size, inner))

    assert size(value) <= count_values(orjson.dumps(value), 10_000)


@pytest.mark.parametrize("item", [b"[]", b'{"a":0}', b'""', b"0", b'{"a":"b"}', b"[" * 55 + b"]" * 55])
def test_too_many_small_values_are_refused_before_parsing(
    item: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = b"[" + b",".join([item] * 120_000) + b"]"
    monkeypatch.setattr("cardwright.canonical.orjson", None)
    with pytest.raises(MalformedDocument, match="more than 10,000 values"):
        decode(body, Limits(max_bytes=len(body)))


@pytest.mark.parametrize(
    "limits", [{"max_depth": 129}, {"max_depth": 0}, {"max_bytes": 0}, {"max_members": -1}]
)
def test_limits_that_cannot_be_enforced_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"at (least|most)"):
        Limits(**limits)


@pytest.mark.parametrize("spelling", [b"[", b" [ "])
def test_the_maximum_depth_is_read_in_every_spelling(spelling: bytes) -> None:
    limits = Limits(max_depth=128)
    assert decode(spelling * 128 + b"]" * 128, limits)
    with pytest.raises(MalformedDocument) as refusal:
        decode(spelling * 129 + b"]" * 129, limits)
    assert refusal.value.rule == "decode/too-deep"


def test_nine_thousand_fields_are_refused() -> None:
    body = json.dumps({f"m{index}": 0 for index in range(9_000)}).encode()
    with pytest.raises(MalformedDocument) as refusal:
        decode(body, Limits(max_bytes=len(body)))
    assert refusal.value.rule == "decode/too-many-members"


@pytest.mark.parametrize(
    "value",
    [
        {1: "a"}, {"a": object()}, {"a": float("nan")}, {"a": "\ud800"}, {"a": {1, 2}}, {"a": b"x"}, {"a": 2**53},
    ],
)  # fmt: skip
def test_a_value_that_is_no_json_is_not_copied(value: Any) -> None:
    with pytest.raises(MalformedDocument):
        checked_copy(value)


class Kind(str, enum.Enum):  # noqa: UP042 - a StrEnum is its text by str(), this one is not
    A = "x"


class Odd(str):
    """A text that equals no other."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Level(enum.IntEnum):
    HIGH = 3


def test_an_enum_member_is_copied_as_its_text_or_number() -> None:
    copy = checked_copy({Kind.A: [Kind.A, Named.A, Level.HIGH, Text("a")]})

    assert copy == {"x": ["x", "a", 3, "a"]}
    assert {type(one) for one in (*copy, *copy["x"])} == {str, int}


def test_two_equal_field_names_are_refused() -> None:
    with pytest.raises(MalformedDocument) as refusal:
        checked_copy({"a": {Odd("x"): 1, "x": 2}})

    assert (refusal.value.rule, refusal.value.pointer) == ("decode/duplicate-member", "/a/x")


def test_a_cyclic_value_is_refused_as_too_deep() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(MalformedDocument) as refusal:
        checked_copy(value)
    assert refusal.value.rule == "decode/too-deep"


@pytest.mark.parametrize(
    "value",
    [
        [1] * 10,
        [[]] * 5,
        {"a": [{}, {"b": 1}], "c": ({}, [])},
        {str(number): number for number in range(10)},
        [[[[[[[[[[1]]]]]]]]]],
    ],
)
def test_a_copy_and_a_body_have_the_same_maximum_of_values(value: Any) -> None:
    body = json.dumps(value).encode()
    values = count_values(body, 1_000)

    assert checked_copy(value, Limits(max_values=values)) == decode(body, Limits(max_values=values))
    limits = Limits(max_values=values - 1)
    with pytest.raises(MalformedDocument) as of_copy:
        checked_copy(value, limits)
    with pytest.raises(MalformedDocument) as of_body:
        decode(body, limits)
    assert of_copy.value.rule == of_body.value.rule == "decode/too-many-values"


def test_a_shared_value_counts_for_each_copy() -> None:
    value: list[Any] = [1, 1]
    for _ in range(40):
        value = [value, value]
    with pytest.raises(MalformedDocument) as refusal:
        checked_copy(value)
    assert refusal.value.rule == "decode/too-many-values"


# RFC 8785 Appendix B: the bits of a double, and how it is written.
NUMBERS = {
    "0000000000000000": "0", "8000000000000000": "0", "0000000000000001": "5e-324", "8000000000000001": "-5e-324",
    "7fefffffffffffff": "1.7976931348623157e+308", "ffefffffffffffff": "-1.7976931348623157e+308",
    "4340000000000000": "9007199254740992", "c340000000000000": "-9007199254740992",
    "4430000000000000": "295147905179352830000", "44b52d02c7e14af5": "9.999999999999997e+22",
    "44b52d02c7e14af6": "1e+23", "44b52d02c7e14af7": "1.0000000000000001e+23",
    "444b1ae4d6e2ef4e": "999999999999999700000", "444b1ae4d6e2ef4f": "999999999999999900000",
    "444b1ae4d6e2ef50": "1e+21", "3eb0c6f7a0b5ed8c": "9.999999999999997e-7", "3eb0c6f7a0b5ed8d": "0.000001",
    "41b3de4355555553": "333333333.3333332", "41b3de4355555554": "333333333.33333325",
    "41b3de4355555555": "333333333.3333333", "41b3de4355555556": "333333333.3333334",
    "41b3de4355555557": "333333333.33333343", "becbf647612f3696": "-0.0000033333333333333333",
    "43143ff3c1cb0959": "1424953923781206.2",
}  # fmt: skip
NO_NUMBERS = ["7fffffffffffffff", "7ff0000000000000", "fff0000000000000"]


def double(bits: str) -> float:
    (value,) = struct.unpack(">d", bytes.fromhex(bits))
    return float(value)


@pytest.mark.parametrize("bits", NUMBERS)
@pytest.mark.parametrize("frame", ["%s", "[%s]", "[true,%s]", '{"a":%s}'])
def test_a_double_is_written_as_rfc_8785_appendix_b_writes_it(bits: str, frame: str) -> None:
    value = json.loads(frame % repr(double(bits)))
    assert canonical_bytes(value) == (frame % NUMBERS[bits]).encode()


@pytest.mark.parametrize("bits", NO_NUMBERS)
def test_a_double_that_is_no_number_has_no_canonical_form(bits: str) -> None:
    for value in (double(bits), [None, double(bits)], {"a": None, "b": (double(bits),)}):
        with pytest.raises(MalformedDocument):
            canonical_bytes(value)


def test_the_example_of_rfc_8785_is_written_as_printed() -> None:
    # RFC 8785 §3.2.2, §3.2.3 and §3.2.4.
    body = rb"""{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }"""
    assert canonical_bytes(decode(body)) == (
        rb'{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        rb'"string":"' + "€".encode() + rb"""$\u000f\nA'B\"\\\\\"/"}"""
    )


def test_names_are_sorted_as_rfc_8785_sorts_them() -> None:
    # RFC 8785 §3.2.3: by UTF-16, where half of a surrogate pair comes before U+FB33.
    body = rb"""{
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }"""
    assert list(json.loads(canonical_bytes(decode(body))).values()) == [
        "Carriage Return",
        "One",
        "Control",
        "Latin Small Letter O With Diaeresis",
        "Euro Sign",
        "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
    ]


def test_each_character_is_escaped_as_rfc_8785_escapes_it() -> None:
    # RFC 8785 §3.2.2.2: five by a letter, the other control characters by their number.
    named = {"\b": rb"\b", "\t": rb"\t", "\n": rb"\n", "\f": rb"\f", "\r": rb"\r", '"': rb"\"", "\\": rb"\\"}
    controls = {chr(code): b"\\u%04x" % code for code in range(32)}
    for code in (*range(0xD800), *range(0xE000, 0x10001)):
        character = chr(code)
        escaped = named.get(character) or controls.get(character) or character.encode()
        assert canonical_bytes(character) == b'"' + escaped + b'"'


class Text(str):
    __slots__ = ()


class Whole(int):
    pass


class Point(NamedTuple):
    x: int
    y: int


class Plain(enum.Enum):
    A = "a"


class Named(enum.StrEnum):
    A = "a"


@dataclasses.dataclass
class Record:
    a: int = 1


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "null"), (True, "true"), (0, "0"), (2**53 - 1, "9007199254740991"), (1 - 2**53, "-9007199254740991"),
        ("", '""'), ("null 1.5, [1.5, :1e5", '"null 1.5, [1.5, :1e5"'), (":1.5", '":1.5"'),
        ((1, (2, [])), "[1,[2,[]]]"), ({"b": {}, "a": None, "": [None]}, '{"":[null],"a":null,"b":{}}'),
        ({"a": 10, "B": 9, "b": -1}, '{"B":9,"a":10,"b":-1}'), (Text("a"), '"a"'),
        ({Text("b"): Text("x"), "a": Whole(1)}, '{"a":1,"b":"x"}'), (Point(1, 2), "[1,2]"),
        (OrderedDict(b=1, a=2), '{"a":2,"b":1}'), ([Named.A], '["a"]'),
        ({"\U0001f600": "\ue000", "\ue000": 1}, '{"\U0001f600":"\ue000","\ue000":1}'),
        ({"\uffff": 1, "\U0010ffff": 2}, '{"\U0010ffff":2,"\uffff":1}'),
    ],
)  # fmt: skip
def test_a_value_of_python_is_written_as_rfc_8785_writes_it(value: Any, written: str) -> None:
    assert canonical_bytes(value) == written.encode()


@pytest.mark.parametrize(
    "value",
    [
        2**53, -(2**53), [10**5000], "\ud800", {"\ud800": 1}, {1: "a"}, {None: "a"}, {Plain.A: "a"}, Plain.A,
        uuid.UUID(int=1), orjson.Fragment(b"1"), Record(), dt.date(2025, 1, 1), b"a", {"a"}, 1j, object(),
    ],
)  # fmt: skip
def test_a_value_that_is_no_json_has_no_canonical_form(value: Any) -> None:
    for holder in (value, [None, value], {"a": (value,)}):
        with pytest.raises(MalformedDocument) as refusal:
            canonical_bytes(holder)
        assert refusal.value.rule == "decode/no-canonical-form"


def test_a_cyclic_value_has_no_canonical_form() -> None:
    value: dict[str, Any] = {}
    value["a"] = [value]
    with pytest.raises(MalformedDocument):
        canonical_bytes(value)


@pytest.mark.parametrize(
    ("value", "surely_alike"),
    [
        ({"b": None, "a": "Fähre, 12:30"}, True),
        (["1.0", -5, True, "null"], True),
        ("\U0001f600", True),
        ({"\uffff": {}}, True),
        (1.0, False),
        ({"\U0001f600": 1, "\uffff": 2}, False),
        ([None, float("nan")], False),
    ],
)
def test_only_values_that_orjson_writes_canonically_are_written_by_it(
    value: Any, *, surely_alike: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is loaded as None cannot be imported.
    monkeypatch.setitem(sys.modules, "rfc8785", None)
    if surely_alike:
        assert json.loads(canonical_bytes(value)) == value
    else:
        with pytest.raises(ImportError):
            canonical_bytes(value)


def test_equal_values_have_equal_digests() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1.0})
    assert digest({"a": 1}).startswith("sha256:")
