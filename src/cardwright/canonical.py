"""Strict JSON decoding with limits; `jcs` encodes.

Each fault has its own rule id, so that a program can distinguish them. A document that orjson writes
exactly as it was read has no duplicate field, so that only other documents are read a second time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import jiter
import orjson

from cardwright.errors import MalformedDocument
from cardwright.not_json import diagnosed
from cardwright_runtime.text import Text
from cardwright_runtime.violation import pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Path = tuple[str | int, ...]

_COMPACT: Final = orjson.OPT_STRICT_INTEGER
_INDENTED: Final = orjson.OPT_STRICT_INTEGER | orjson.OPT_INDENT_2
# RFC 8785 §3.2.2.3: the largest integer that is exact as a double.
_MAX_INTEGER: Final = 2**53 - 1
_ASCII: Final = bytes(range(128))
_WHITE_SPACE: Final = b" \t\r\n"
_NOT_STRUCTURE: Final = bytes(set(range(256)) - set(b"[{,"))
# What is left of a text without all but its quotation marks and its digits, each as 0.
_DIGIT_AS_0: Final = bytes.maketrans(b"123456789", b"0" * 9)
_NOT_QUOTE_OR_DIGIT: Final = bytes(set(range(256)) - set(b'"0123456789'))
# The shortest integer that 64 bits may not hold.
_LONG_INTEGER: Final = b"0" * 19


# jiter reads 200 levels and orjson writes 254; deeper documents could not be validated.
MAX_DEPTH: Final = 128


@dataclass(frozen=True, slots=True)
class Limits:
    """Maximum size of a document (project decision).

    Attributes:
        max_bytes: Bytes.
        max_depth: Levels of nesting.
        max_members: Fields of one object.
        max_values: Values in the whole document: objects, arrays and what they contain. Two bytes are enough for an
            array, which then takes 60 bytes of memory and cannot be decoded without stopping all other threads.
        exact: Whether integers that a double does not hold exactly are refused (I-JSON, RFC 7493 §2.2). They are data
            in a message, and RFC 8259 §6 allows them.

    Raises:
        ValueError: If a limit is below 1, or the depth greater than `MAX_DEPTH`.
    """

    max_bytes: int = 256 * 1024
    max_depth: int = 64
    max_members: int = 4096
    max_values: int = 10_000
    exact: bool = True

    def __post_init__(self) -> None:
        """Refuse invalid limits."""
        for limit in (self.max_bytes, self.max_depth, self.max_members, self.max_values):
            if type(limit) is not int or limit < 1:
                raise ValueError(f"a limit must be an integer of at least 1, not {limit!r}")
        if self.max_depth > MAX_DEPTH:
            raise ValueError(f"max_depth must be at most {MAX_DEPTH}, not {self.max_depth}")


DEFAULT_LIMITS: Final = Limits()


def decode(body: bytes, limits: Limits = DEFAULT_LIMITS) -> Any:
    """Return the JSON value of a body, decoded strictly (RFC 8259, I-JSON RFC 7493).

    >>> decode(b'{"name": "A"}')
    {'name': 'A'}

    Raises:
        MalformedDocument: If it is empty, exceeds a limit, is not UTF-8 or not JSON, or is ambiguous (a
            duplicate field, an integer past 2^53 - 1, a lone surrogate, NUL, NaN or Infinity).
    """
    return decode_with_text(body, limits)[0]


def text_of(value: Any) -> Text | None:
    """Return a value as one JSON text; None if it cannot be encoded."""
    try:
        return _text(orjson.dumps(value, option=_COMPACT))
    except (TypeError, ValueError):
        return None


def decode_with_text(body: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[Any, Text]:
    """Return the JSON value of a body like `decode`, and the value as one JSON text.

    Raises:
        MalformedDocument: As `decode`.
    """
    if not isinstance(body, (bytes, bytearray)):
        raise TypeError(f"expected bytes, not {type(body).__name__}; use from_document for a JSON value")
    if len(body) > limits.max_bytes:
        reason = f"the document has {len(body):,} bytes, more than the maximum of {limits.max_bytes:,}"
        raise MalformedDocument("decode/too-large", reason)
    # What begins a value. Characters in strings count, too: a document has at most so many values and levels.
    begins = body.translate(None, _NOT_STRUCTURE)
    if len(begins) >= limits.max_values and count_values(body, limits.max_values) > limits.max_values:
        reason = f"the document has more than {limits.max_values:,} values"
        raise MalformedDocument("decode/too-many-values", reason)
    try:
        value = orjson.loads(body)  # noqa: TID251 - this is the decoder
    except orjson.JSONDecodeError as error:
        raise diagnosed(body, error, limits.max_depth) from None
    try:
        written = orjson.dumps(value, option=_INDENTED if body[1:2].isspace() else _COMPACT)
    except TypeError:
        written = _written(value, limits)
    # If orjson writes exactly the body, no field was dropped.
    if body.rstrip(_WHITE_SPACE) != written and not _has_every_field(body, written):
        value, written = _read_again(body, value, limits)
    if len(begins) - begins.count(b",") > limits.max_depth and _is_deep(value, written, limits.max_depth):
        _check_depth(value, limits)
    # Each field has one `":`: only a document with many of them can have an object with too many.
    if len(begins) >= limits.max_members and written.count(b'":') > limits.max_members:
        _check_members(value, (), limits)
    if 92 in body and b"\\u0000" in written:
        _check_strings(value, ())
    return value, _text(written)


def checked_copy(value: Any, limits: Limits = DEFAULT_LIMITS) -> Any:
    """Return a deep copy of a JSON value, checked as `decode` checks a body.

    Raises:
        MalformedDocument: If it contains anything but JSON values, or exceeds a limit.
    """
    return _copied(value, (), limits, [limits.max_values - 1])


def count_values(body: bytes, at_most: int) -> int:
    r"""Return how many values a JSON text has, without decoding it; more than `at_most` are not counted further.

    Each value but the first follows a comma, or the bracket or brace that begins its array or object. Empty arrays
    and objects therefore count twice.

    >>> count_values(rb'{"a": [1, "b, [c]", "\"{"], "d": []}', 100)
    7
    """
    plain = without_escapes(body)
    # Each string is a value or the name of one, and has two quotation marks.
    if plain.count(b'"') > 4 * at_most:
        return at_most + 1
    return min(1 + count_structure(b"".join(plain.split(b'"')[::2])), at_most + 1)


def without_escapes(body: bytes) -> bytes:
    """Return a JSON text without escapes, which are in strings only: each quotation mark begins or ends a string."""
    return body.replace(b"\\\\", b"").replace(b'\\"', b"") if 92 in body else body


def count_structure(text: bytes) -> int:
    """Return how many brackets, braces and commas begin a value in a text."""
    return len(text.translate(None, _NOT_STRUCTURE))


def _text(written: bytes) -> Text:
    beyond = "" if written.isascii() else written.translate(None, _ASCII).decode()
    return Text(written.decode(), beyond)


@cache
def _deep(max_depth: int) -> bytes:
    return b"\n" + b"  " * max_depth


def _is_deep(value: Any, written: bytes, max_depth: int) -> bool:
    """Return whether a value, written as JSON, has more levels of nesting than `max_depth`."""
    # Indentation shows the nesting: two spaces a level, and no string contains a raw line feed. A document
    # that is too deep has more bytes of indentation than this.
    try:
        indented = written if written[1:2] == b"\n" else orjson.dumps(value, option=_INDENTED)
    except TypeError:
        return True  # it has a large integer, and may be deep
    return len(indented) > 2 * max_depth**2 and _deep(max_depth) in indented


def _has_every_field(body: bytes, written: bytes) -> bool:
    r"""Return whether a value that is written as another text certainly has every field of its body.

    Each name and string has two quotation marks, so that a dropped field leaves fewer of them; only
    `\u0022` encodes one without a mark. An integer past 64 bits, which was decoded as a double, has 19 digits.
    """
    left = body.translate(_DIGIT_AS_0, _NOT_QUOTE_OR_DIGIT)
    return (
        left.count(b'"') == written.count(b'"')
        and (92 not in body or b"\\u0022" not in body)
        # Digits of a text such as 0x8004A169 become neighbours when its letters are left out.
        and (_LONG_INTEGER not in left or _LONG_INTEGER not in body.translate(_DIGIT_AS_0))
    )


def _read_again(body: bytes, value: Any, limits: Limits) -> tuple[Any, bytes]:
    """Decode a body a second time, with a decoder that detects duplicate fields; return the value and its text."""
    try:
        second_value = jiter.from_json(body, catch_duplicate_keys=True)
    except ValueError as error:
        if "duplicate key" in str(error).casefold():
            raise _repeated(body) from None
        # jiter stops at 200 levels, before orjson does.
        _check_depth(value, limits)
        raise MalformedDocument("decode/not-json", f"the document is not JSON: {error}") from None
    try:
        return second_value, orjson.dumps(second_value, option=_COMPACT)
    except TypeError:
        return second_value, _written(second_value, limits)


def _repeated(body: bytes) -> MalformedDocument:
    """Return the error for a duplicate field, with its place."""
    import json

    class Repeating(dict[str, Any]):
        name = ""

    def hook(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        repeating = Repeating(pairs)
        if len(repeating) == len(pairs):
            return dict(repeating)
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                repeating.name = name
                break
            seen.add(name)
        return repeating

    def find(node: Any, path: Path) -> Path | None:
        if isinstance(node, Repeating):
            return (*path, node.name)
        return next((found for step, item in _inner(node) if (found := find(item, (*path, step)))), None)

    path = find(json.loads(body, object_pairs_hook=hook), ()) or ()  # noqa: TID251 - this is the decoder
    reason = f"the field {quote(path[-1] if path else '')} occurs twice in one object"
    return MalformedDocument("decode/duplicate-member", reason, pointer=pointer_of(path))


def _written(value: Any, limits: Limits) -> bytes:
    """Return a value as JSON that orjson does not encode because of a large integer or of deep nesting, if it is allowed."""
    _check_depth(value, limits)
    _copied(value, (), limits, [limits.max_values - 1])
    return json_text(value)


def json_text(value: Any) -> bytes:
    """Return a JSON value as text; orjson refuses integers of more than 64 bits, which RFC 8259 §6 allows."""
    import json

    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _check_depth(value: Any, limits: Limits) -> None:
    level: list[tuple[Path, Any]] = [((), value)]
    depth = 0
    while level:
        level = [
            # Two steps are enough to find the place; the full path would be too long.
            ((*path, step) if depth < 2 else path, item)
            for path, node in level
            for step, item in _inner(node)
            if isinstance(item, (dict, list))
        ]
        depth += 1
        if level and depth >= limits.max_depth:
            reason = f"the document has more than {limits.max_depth} levels of nesting"
            raise MalformedDocument("decode/too-deep", reason, pointer=pointer_of(level[0][0]) or "/")


def _inner(node: Any) -> Iterable[tuple[str | int, Any]]:
    """Return (step, value) of each direct child of a value."""
    if isinstance(node, dict):
        return node.items()
    return enumerate(node) if isinstance(node, list) else ()


def _check_members(node: Any, path: Path, limits: Limits) -> None:
    if isinstance(node, dict) and len(node) > limits.max_members:
        reason = f"an object has {len(node):,} fields, more than the maximum of {limits.max_members:,}"
        raise MalformedDocument("decode/too-many-members", reason, pointer=pointer_of(path))
    for step, item in _inner(node):
        if isinstance(item, (dict, list)):
            _check_members(item, (*path, step), limits)


def _check_strings(node: Any, path: Path) -> None:
    """Refuse NUL in any string, including field names."""
    if isinstance(node, str) and "\0" in node:
        raise MalformedDocument("decode/nul", "a string contains the character NUL", pointer=pointer_of(path))
    for step, item in _inner(node):
        _check_strings(step, (*path, step))
        _check_strings(item, (*path, step))


def _copied(node: Any, path: Path, limits: Limits, left: list[int]) -> Any:
    def refuse(rule: str, reason: str) -> MalformedDocument:
        return MalformedDocument(rule, reason, pointer=pointer_of(path))

    match node:
        case None | True | False:
            return node
        case str():
            if "\0" in node:
                raise refuse("decode/nul", "a string contains the character NUL")
            if not node.isascii() and any("\ud800" <= character <= "\udfff" for character in node):
                raise refuse("decode/lone-surrogate", "a string contains half of a surrogate pair")
            # str() of an Enum is its name and not its text.
            return str.__str__(node)
        case int():
            if limits.exact and abs(node) > _MAX_INTEGER:
                raise refuse(
                    "decode/integer-range",
                    "an integer is outside of the range that JSON readers keep exactly (±(2^53 - 1))",
                )
            return int(node)
        case float():
            if not math.isfinite(node):
                raise refuse("decode/number", f"{node} is not a JSON number")
            return float(node)
        case dict() | list() | tuple():
            if len(path) >= limits.max_depth:
                reason = f"the document has more than {limits.max_depth} levels of nesting"
                raise MalformedDocument("decode/too-deep", reason, pointer=pointer_of(path[:2]))
            left[0] -= len(node) or 1
            if left[0] < 0:
                raise refuse(
                    "decode/too-many-values", f"the document has more than {limits.max_values:,} values"
                )
            return (
                _copied_object(node, path, limits, left)
                if isinstance(node, dict)
                else [_copied(item, (*path, index), limits, left) for index, item in enumerate(node)]
            )
        case _:
            raise refuse("decode/not-json", f"a Python {type(node).__name__} is not a JSON value")


def _copied_object(node: Mapping[Any, Any], path: Path, limits: Limits, left: list[int]) -> dict[str, Any]:
    if len(node) > limits.max_members:
        reason = f"an object has {len(node):,} fields, more than the maximum of {limits.max_members:,}"
        raise MalformedDocument("decode/too-many-members", reason, pointer=pointer_of(path))
    fields: dict[str, Any] = {}
    for name, item in node.items():
        if not isinstance(name, str):
            reason = f"the field name {quote(name)} must be a string"
            raise MalformedDocument("decode/not-json", reason, pointer=pointer_of(path))
        key: str = _copied(name, path, limits, left)
        # Different instances of a subclass of str may have the same text.
        if key in fields:
            reason = f"the field {quote(key)} occurs twice in one object"
            raise MalformedDocument("decode/duplicate-member", reason, pointer=pointer_of((*path, key)))
        fields[key] = _copied(item, (*path, key), limits, left)
    return fields
