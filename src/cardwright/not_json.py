"""Diagnosis of bytes that are not JSON: the most precise error for them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cardwright.errors import MalformedDocument
from cardwright.event_stream import is_stream

if TYPE_CHECKING:
    import orjson

# A YAML document begins with a mark, a directive, a comment, or a key and its value.
_YAML: Final = re.compile(r"(---|%YAML|#[^\n]*\n|[A-Za-z][\w-]*:(\s|$))")


def diagnosed(body: bytes, error: orjson.JSONDecodeError, max_depth: int) -> MalformedDocument:
    """Return the most precise error for a body that is not JSON."""
    if not body.strip(b" \t\r\n"):
        return MalformedDocument("decode/empty", "the document is empty")
    if body.startswith(b"\xef\xbb\xbf"):
        return MalformedDocument(
            "decode/byte-order-mark",
            "the document begins with a byte-order mark; save it as UTF-8 without one: `cardwright fix` removes it",
            offset=0,
        )
    if body.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in body[:4]:
        return MalformedDocument(
            "decode/encoding", "the document is UTF-16 or UTF-32; save it as UTF-8", offset=0
        )
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as fault:
        return MalformedDocument("decode/encoding", "the document is not UTF-8", offset=fault.start)
    offset = len(text[: error.pos].encode("utf-8"))
    if "depth" in str(error):
        reason = f"the document has more than {max_depth} levels of nesting"
        return MalformedDocument("decode/too-deep", reason)
    rest = text[max(0, error.pos - 1) :].lstrip(" \t\r\n-+:,[")
    if rest.startswith(("NaN", "Infinity")) or "infinity when parsed" in str(error):
        return MalformedDocument(
            "decode/number", "NaN, Infinity and numbers above 1.8e308 are not JSON numbers", offset=offset
        )
    if "surrogate" in str(error):
        return MalformedDocument(
            "decode/lone-surrogate", "a string contains half of a surrogate pair", offset=offset
        )
    return MalformedDocument("decode/not-json", _not_json(text, error), offset=offset)


def _not_json(text: str, error: orjson.JSONDecodeError) -> str:
    start = text.lstrip()
    if is_stream(text.encode()):
        return "the document is a stream of Server-Sent Events, which only `check` and `detect` read"
    if _YAML.match(start):
        return "the document is YAML, and cards are JSON: convert it to JSON"
    if start.startswith("<"):
        return "the document is HTML or XML, not JSON: an error page, perhaps"
    return (
        f"the document is not JSON: {str(error).split(':', 1)[0]}, line {error.lineno} column {error.colno}"
    )
