"""Strict decoding: what is refused, by which rule, and what is not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardwright.canonical import Limits, canonical_bytes, copied, decode, digest
from cardwright.errors import MalformedDocument

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
    "a repeated member": (b'{"a":1,"a":2}', "decode/duplicate-member"),
    "a repeated member in another spelling": (b'{"a":1,"\\u0061":2}', "decode/duplicate-member"),
    "a repeated member with equal values": (b'{"a":1, "a":1}', "decode/duplicate-member"),
    "a repeated member hidden by escaped quotes": (
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
    "100,000 levels": (b"[" * 100_000 + b"]" * 100_000, "decode/too-deep"),
    "100,000 levels never closed": (b"[" * 100_000, "decode/too-deep"),
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
def test_what_two_readers_would_read_differently_is_refused(name: str) -> None:
    body, rule = REFUSED[name]
    with pytest.raises(MalformedDocument) as refusal:
        decode(body)
    assert refusal.value.rule == rule
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("name", READ)
def test_what_is_plain_json_is_read(name: str) -> None:
    assert decode(READ[name]) == json.loads(READ[name])


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (b'{"name":"good","name":"evil"}', "/name"),
        (b'{"skills":[{"id":"a"},{"id":"b","id":"c"}]}', "/skills/1/id"),
        (b'{"a/b":{"~":1,"~":2}}', "/a~1b/~0"),
    ],
)
def test_a_repeated_member_is_named_by_its_pointer(body: bytes, pointer: str) -> None:
    with pytest.raises(MalformedDocument) as refusal:
        decode(body)
    assert refusal.value.pointer == pointer


def test_a_fault_in_the_bytes_is_named_by_its_offset() -> None:
    with pytest.raises(MalformedDocument) as refusal:
        decode('{"é": tru}'.encode())
    assert refusal.value.offset is not None
    assert "line 1" in refusal.value.reason


def test_limits_are_arguments() -> None:
    assert decode(b"[[[]]]", Limits(max_depth=3)) == [[[]]]
    with pytest.raises(MalformedDocument, match="2 levels"):
        decode(b"[[[]]]", Limits(max_depth=2))
    with pytest.raises(MalformedDocument, match="at most 2 are read"):
        decode(b'{"a":1,"b":2,"c":3}', Limits(max_members=2))
    with pytest.raises(MalformedDocument, match="at most 4 are read"):
        decode(b"[1,2]", Limits(max_bytes=4))


@pytest.mark.parametrize(
    "limits", [{"max_depth": 129}, {"max_depth": 0}, {"max_bytes": 0}, {"max_members": -1}]
)
def test_limits_that_could_not_be_kept_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"at (least|most)"):
        Limits(**limits)


@pytest.mark.parametrize("spelling", [b"[", b" [ "])
def test_the_greatest_depth_is_read_in_every_spelling(spelling: bytes) -> None:
    limits = Limits(max_depth=128)
    assert decode(spelling * 128 + b"]" * 128, limits)
    with pytest.raises(MalformedDocument) as refusal:
        decode(spelling * 129 + b"]" * 129, limits)
    assert refusal.value.rule == "decode/too-deep"


def test_a_hundred_thousand_members_are_refused() -> None:
    body = json.dumps({f"m{index}": 0 for index in range(100_000)}).encode()
    with pytest.raises(MalformedDocument) as refusal:
        decode(body, Limits(max_bytes=len(body)))
    assert refusal.value.rule == "decode/too-many-members"


@pytest.mark.parametrize(
    "value",
    [
        {1: "a"},
        {"a": object()},
        {"a": float("nan")},
        {"a": "\ud800"},
        {"a": {1, 2}},
        {"a": b"x"},
        {"a": 2**53},
    ],
)
def test_a_value_that_is_no_json_is_not_copied(value: Any) -> None:
    with pytest.raises(MalformedDocument):
        copied(value)


def test_a_cyclic_value_is_refused_as_too_deep() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(MalformedDocument) as refusal:
        copied(value)
    assert refusal.value.rule == "decode/too-deep"


def test_canonical_bytes_are_those_of_rfc_8785() -> None:
    assert canonical_bytes({"b": [1.0, 1e21, "é"], "a": None}) == '{"a":null,"b":[1,1e+21,"é"]}'.encode()


def test_equal_values_have_equal_digests() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1.0})
    assert digest({"a": 1}).startswith("sha256:")
