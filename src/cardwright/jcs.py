"""Canonical JSON bytes (RFC 8785, JCS) and digests; uses orjson if its output is certainly canonical."""

from __future__ import annotations

import hashlib
import marshal
import re
from contextlib import suppress
from typing import Any, Final

import orjson

from cardwright.errors import MalformedDocument

# Only JSON types: by default, orjson writes other types instead of refusing them.
_SORTED: Final = (
    orjson.OPT_SORT_KEYS
    | orjson.OPT_STRICT_INTEGER
    | orjson.OPT_PASSTHROUGH_SUBCLASS
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
)
# Matches a double after `_NORMALIZED` has replaced each digit and minus by 0, and each character before a
# number by a colon. `00*` begins with two literal bytes, which `re` finds twice as fast as `0+`.
_DOUBLE: Final = re.compile(rb":00*[.e]")
_NORMALIZED: Final = bytes.maketrans(b",[-123456789", b"::0000000000")


def canonical_bytes(value: Any, *, decoded: bool = False) -> bytes:
    """Return the RFC 8785 (JCS) bytes of a JSON value.

    Args:
        value: The value.
        decoded: Whether the value comes from `decode` or `checked_copy`, like a card's document: then its types
            are not checked.

    Raises:
        MalformedDocument: If the value has no canonical form (it does not come from `decode`).
    """
    with suppress(TypeError, ValueError, RecursionError):
        encoded = orjson.dumps(value, option=_SORTED)
        # orjson also writes an Enum, a UUID and a Fragment. marshal accepts only Python's own types and
        # buffers, which orjson refuses; it is a fast walk of the value in C.
        if not decoded:
            marshal.dumps(value)
        if _is_canonical(encoded, value):
            return encoded
    import rfc8785

    try:
        return rfc8785.dumps(value)
    # A lone surrogate in a name, or 5,000 digits, raise a ValueError that is not from rfc8785.
    except (ValueError, RecursionError) as error:
        raise MalformedDocument(
            "decode/no-canonical-form", f"the value has no canonical form: {error}"
        ) from None


def digest(value: Any) -> str:
    """Return `sha256:` and the hexadecimal digest of a JSON value's canonical bytes."""
    return "sha256:" + hashlib.sha256(canonical_bytes(value)).hexdigest()


def _is_canonical(encoded: bytes, value: Any) -> bool:
    """Return whether the output of orjson is certainly canonical; False means only that it may differ.

    Both escape alike. They differ in doubles (`1.0`, `1e+16`), in NaN and Infinity (`null`), and in
    the order of names: in UTF-16, characters past U+FFFF sort before U+E000.
    """
    return not (
        _DOUBLE.search((b":" + encoded).translate(_NORMALIZED))
        or (b"null" in encoded and orjson.loads(encoded) != value)  # noqa: TID251 - its own JSON
        or ((0xEE in encoded or 0xEF in encoded) and any(lead in encoded for lead in range(0xF0, 0xF5)))
    )
