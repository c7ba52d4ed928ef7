"""Bytes to JSON value: strict decoding with limits. The way back is `jcs`.

What is refused, and why, is the table of reliability: one rule id for each fault, so that a
program can tell them apart. A document that orjson writes as it was read holds no repeated member,
so most documents are read once; only the others are read again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import jiter
import orjson

from cardwright.errors import MalformedDocument
from cardwright_runtime.engine import Text, compile_schema
from cardwright_runtime.violation import pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jsonschema_rs import Validator

    Path = tuple[str | int, ...]

_COMPACT: Final = orjson.OPT_STRICT_INTEGER
_INDENTED: Final = orjson.OPT_STRICT_INTEGER | orjson.OPT_INDENT_2
# RFC 8785 §3.2.2.3: what a double holds exactly.
_GREATEST_INTEGER: Final = 2**53 - 1
_ASCII: Final = bytes(range(128))
_WHITE_SPACE: Final = b" \t\r\n"


# jiter reads 200 levels and orjson writes 254; what is deeper could not be judged.
GREATEST_DEPTH: Final = 128


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a document is read: bytes, levels of nesting, members of one object (ours).

    Raises:
        ValueError: If a limit is below 1, or the depth past `GREATEST_DEPTH`.
    """

    max_bytes: int = 256 * 1024
    max_depth: int = 64
    max_members: int = 4096

    def __post_init__(self) -> None:
        """Refuse limits that could not be kept."""
        for limit in (self.max_bytes, self.max_depth, self.max_members):
            if type(limit) is not int or limit < 1:
                raise ValueError(f"a limit is an integer of at least 1, not {limit!r}")
        if self.max_depth > GREATEST_DEPTH:
            raise ValueError(f"documents are read to at most {GREATEST_DEPTH} levels, not {self.max_depth}")


DEFAULT_LIMITS: Final = Limits()


def decode(body: bytes, limits: Limits = DEFAULT_LIMITS) -> Any:
    """Return the JSON value of a body, read strictly (RFC 8259, I-JSON RFC 7493).

    >>> decode(b'{"name": "A"}')
    {'name': 'A'}

    Raises:
        MalformedDocument: If it is empty, past a limit, not UTF-8, not JSON, or says something
            that two readers would read differently (a repeated member, an integer past 2^53 - 1,
            a lone surrogate, NUL, NaN or Infinity).
    """
    return decode_with_text(body, limits)[0]


def text_of(value: Any) -> Text | None:
    """Return a value as one JSON text; None where it has none."""
    try:
        return _text(orjson.dumps(value, option=_INDENTED))
    except (TypeError, ValueError):
        return None


def decode_with_text(body: bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[Any, Text]:
    """Return what `decode` does, and the value as one JSON text.

    Raises:
        MalformedDocument: If it is empty, past a limit, not UTF-8, not JSON, or says something
            that two readers would read differently (a repeated member, an integer past 2^53 - 1,
            a lone surrogate, NUL, NaN or Infinity).
    """
    if not isinstance(body, (bytes, bytearray)):
        raise TypeError(f"a body is bytes, not {type(body).__name__}; a JSON value goes to from_document")
    if len(body) > limits.max_bytes:
        reason = f"the document has {len(body):,} bytes; at most {limits.max_bytes:,} are read"
        raise MalformedDocument("decode/too-large", reason)
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise _diagnosed(body, limits, error) from None
    try:
        indented = orjson.dumps(value, option=_INDENTED)
    except TypeError as error:
        raise _unwritable(value, limits, str(error)) from None
    if not _written_alike(body.rstrip(_WHITE_SPACE), value, indented) and not _holds_all(
        body, value, indented
    ):
        value = _read_again(body, value, limits)
    # Indentation shows the nesting: two spaces a level, and no string holds a raw line feed. One
    # level too deep, the indentation of what leads there alone has more bytes than this.
    if len(indented) > 2 * limits.max_depth**2 and _deep(limits.max_depth) in indented:
        _check_depth(value, limits)
    # A member takes at least five bytes, and writes `": ` once: only a long body can hold too many.
    if len(body) > 5 * limits.max_members and indented.count(b'": ') > limits.max_members:
        _check_members(value, (), limits)
    if 92 in body and b"\\u0000" in indented:
        _check_strings(value, ())
    return value, _text(indented)


def copied(value: Any, limits: Limits = DEFAULT_LIMITS) -> Any:
    """Return a deep copy of a JSON value, checked as `decode` checks a body.

    Raises:
        MalformedDocument: If it holds anything that is no JSON value, or is past a limit.
    """
    return _copied(value, (), limits)


def _text(written: bytes) -> Text:
    beyond = "" if written.isascii() else written.translate(None, _ASCII).decode()
    return Text(written.decode(), beyond)


@cache
def _deep(max_depth: int) -> bytes:
    return b"\n" + b"  " * max_depth


def _written_alike(body: bytes, value: Any, indented: bytes) -> bool:
    """Whether orjson writes a value as its body does: then no member of the body was dropped."""
    if body[1:2].isspace():
        return body == indented
    return body == orjson.dumps(value, option=_COMPACT)


def _holds_all(body: bytes, value: Any, indented: bytes) -> bool:
    r"""Whether a value in another spelling surely holds all that its body says.

    Every name and text is written between two quotation marks, so a member that was dropped leaves
    fewer of them; only `\u0022` writes one without a mark. An integer past 64 bits was read as a
    double past 2^53.
    """
    return (
        body.count(b'"') == indented.count(b'"')
        and (92 not in body or b"\\u0022" not in body)
        and _small_numbers().is_valid(value)
    )


@cache
def _small_numbers() -> Validator:
    again = {"$ref": "#"}
    limit = {"minimum": -_GREATEST_INTEGER, "maximum": _GREATEST_INTEGER}
    return compile_schema({**limit, "items": again, "additionalProperties": again})


def _read_again(body: bytes, value: Any, limits: Limits) -> Any:
    """Read a body in another spelling once more, by a reader that sees repeated members."""
    try:
        again = jiter.from_json(body, catch_duplicate_keys=True)
    except ValueError as error:
        if "duplicate key" in str(error).casefold():
            raise _repeated(body) from None
        # jiter stops at 200 levels, before orjson does.
        _check_depth(value, limits)
        raise MalformedDocument("decode/not-json", f"the document is not JSON: {error}") from None
    try:
        orjson.dumps(again, option=_COMPACT)
    except TypeError as error:
        raise _unwritable(again, limits, str(error)) from None
    return again


def _repeated(body: bytes) -> MalformedDocument:
    """Find which member stands twice, and where."""
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

    path = find(json.loads(body, object_pairs_hook=hook), ()) or ()
    reason = f"the member {quote(path[-1] if path else '')} stands twice in one object: readers disagree which counts"
    return MalformedDocument("decode/duplicate-member", reason, pointer=pointer_of(path))


def _unwritable(value: Any, limits: Limits, told: str) -> MalformedDocument:
    """Explain why orjson would not write what it read: an integer too great, or too deep a nesting."""
    try:
        _check_depth(value, limits)
        _copied(value, (), limits)
    except MalformedDocument as error:
        return error
    return MalformedDocument("decode/not-json", f"the document cannot be written again: {told}")


def _check_depth(value: Any, limits: Limits) -> None:
    level: list[tuple[Path, Any]] = [((), value)]
    depth = 0
    while level:
        level = [
            # Two steps are enough to find the place; all of them would be as long as it is deep.
            ((*path, step) if depth < 2 else path, item)
            for path, node in level
            for step, item in _inner(node)
            if isinstance(item, (dict, list))
        ]
        depth += 1
        if level and depth >= limits.max_depth:
            reason = f"the document nests more than {limits.max_depth} levels below"
            raise MalformedDocument("decode/too-deep", reason, pointer=pointer_of(level[0][0]) or "/")


def _inner(node: Any) -> Iterable[tuple[str | int, Any]]:
    """Return (step, value) of everything right inside a value."""
    if isinstance(node, dict):
        return node.items()
    return enumerate(node) if isinstance(node, list) else ()


def _check_members(node: Any, path: Path, limits: Limits) -> None:
    if isinstance(node, dict) and len(node) > limits.max_members:
        reason = f"an object has {len(node):,} members; at most {limits.max_members:,} are read"
        raise MalformedDocument("decode/too-many-members", reason, pointer=pointer_of(path))
    for step, item in _inner(node):
        if isinstance(item, (dict, list)):
            _check_members(item, (*path, step), limits)


def _check_strings(node: Any, path: Path) -> None:
    """Refuse NUL in any text, names included."""
    if isinstance(node, str) and "\0" in node:
        raise MalformedDocument("decode/nul", "a text holds the character NUL", pointer=pointer_of(path))
    for step, item in _inner(node):
        _check_strings(step, (*path, step))
        _check_strings(item, (*path, step))


def _copied(node: Any, path: Path, limits: Limits) -> Any:
    def refuse(rule: str, reason: str) -> MalformedDocument:
        return MalformedDocument(rule, reason, pointer=pointer_of(path))

    match node:
        case None | True | False:
            return node
        case str():
            if "\0" in node:
                raise refuse("decode/nul", "a text holds the character NUL")
            if not node.isascii() and any("\ud800" <= character <= "\udfff" for character in node):
                raise refuse("decode/lone-surrogate", "a text holds half of a surrogate pair")
            # What an Enum makes of str() is its name and not its text.
            return str.__str__(node)
        case int():
            if abs(node) > _GREATEST_INTEGER:
                raise refuse(
                    "decode/integer-range", "an integer is past 2^53 - 1: readers round it differently"
                )
            return int(node)
        case float():
            if not math.isfinite(node):
                raise refuse("decode/number", f"{node} is no JSON number")
            return float(node)
        case dict() | list() | tuple():
            if len(path) >= limits.max_depth:
                reason = f"the document nests more than {limits.max_depth} levels"
                raise MalformedDocument("decode/too-deep", reason, pointer=pointer_of(path[:2]))
            return (
                _copied_members(node, path, limits)
                if isinstance(node, dict)
                else [_copied(item, (*path, index), limits) for index, item in enumerate(node)]
            )
        case _:
            raise refuse("decode/not-json", f"a {type(node).__name__} is no JSON value")


def _copied_members(node: Mapping[Any, Any], path: Path, limits: Limits) -> dict[str, Any]:
    if len(node) > limits.max_members:
        reason = f"an object has {len(node):,} members; at most {limits.max_members:,} are read"
        raise MalformedDocument("decode/too-many-members", reason, pointer=pointer_of(path))
    members: dict[str, Any] = {}
    for name, item in node.items():
        if not isinstance(name, str):
            reason = f"a member's name is {quote(name)}; names are text"
            raise MalformedDocument("decode/not-json", reason, pointer=pointer_of(path))
        written: str = _copied(name, path, limits)
        # Names that are of a class of their own may differ and be written alike.
        if written in members:
            reason = f"the member {quote(written)} would be written twice in one object"
            raise MalformedDocument("decode/duplicate-member", reason, pointer=pointer_of((*path, written)))
        members[written] = _copied(item, (*path, written), limits)
    return members


def _diagnosed(body: bytes, limits: Limits, error: orjson.JSONDecodeError) -> MalformedDocument:
    """Say why a body is not JSON, as precisely as a second look allows."""
    if not body.strip(_WHITE_SPACE):
        return MalformedDocument("decode/empty", "the document is empty")
    if body.startswith(b"\xef\xbb\xbf"):
        return MalformedDocument(
            "decode/byte-order-mark",
            "the document begins with a byte-order mark: save it as UTF-8 without one",
            offset=0,
        )
    if body.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in body[:4]:
        return MalformedDocument(
            "decode/encoding", "the document is UTF-16 or UTF-32: JSON is exchanged as UTF-8", offset=0
        )
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as fault:
        return MalformedDocument("decode/encoding", "the document is not UTF-8", offset=fault.start)
    offset = len(text[: error.pos].encode("utf-8"))
    if "depth" in str(error):
        return MalformedDocument("decode/too-deep", f"the document nests more than {limits.max_depth} levels")
    rest = text[max(0, error.pos - 1) :].lstrip(" \t\r\n-+:,[")
    if rest.startswith(("NaN", "Infinity")) or "infinity when parsed" in str(error):
        return MalformedDocument(
            "decode/number", "NaN, Infinity and numbers past 1.8e308 are no JSON numbers", offset=offset
        )
    if "surrogate" in str(error):
        return MalformedDocument(
            "decode/lone-surrogate", "a text holds half of a surrogate pair", offset=offset
        )
    reason = str(error).split(":", 1)[0]
    return MalformedDocument(
        "decode/not-json",
        f"the document is not JSON: {reason}, line {error.lineno} column {error.colno}",
        offset=offset,
    )
