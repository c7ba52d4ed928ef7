"""JSON value to bytes: RFC 8785 (JCS), by orjson where its bytes are surely those; and digests."""

from __future__ import annotations

import hashlib
import marshal
import re
from contextlib import suppress
from typing import Any, Final

import orjson

from cardwright.errors import MalformedDocument

# Nothing but JSON's own types: orjson would write what stands beside them in its way, not refuse it.
_SORTED: Final = (
    orjson.OPT_SORT_KEYS
    | orjson.OPT_STRICT_INTEGER
    | orjson.OPT_PASSTHROUGH_SUBCLASS
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
)
# A double, once each digit and minus is a 0, and each mark that a number may follow is a colon.
# `00*` begins with two plain bytes, which `re` finds twice as fast as what `0+` begins with.
_DOUBLE: Final = re.compile(rb":00*[.e]")
_MARKED: Final = bytes.maketrans(b",[-123456789", b"::0000000000")


def canonical_bytes(value: Any, *, decoded: bool = False) -> bytes:
    """Return the RFC 8785 (JCS) bytes of a JSON value.

    Args:
        value: The value.
        decoded: Whether it surely came from `decode` or `copied`, as a card's document does: then it is
            not looked through for what is no JSON value.

    Raises:
        MalformedDocument: If the value has no canonical form (it did not come from `decode`).
    """
    with suppress(TypeError, ValueError, RecursionError):
        written = orjson.dumps(value, option=_SORTED)
        # orjson writes an Enum, a UUID and a Fragment too. marshal takes Python's own types alone,
        # and buffers, which orjson refuses; it is a walk of the value in C.
        if not decoded:
            marshal.dumps(value)
        if _is_canonical(written, value):
            return written
    import rfc8785

    try:
        return rfc8785.dumps(value)
    # Half a surrogate pair in a name, or 5,000 digits, raise a ValueError that is not rfc8785's own.
    except (ValueError, RecursionError) as error:
        raise MalformedDocument(
            "decode/no-canonical-form", f"the value has no canonical form: {error}"
        ) from None


def digest(value: Any) -> str:
    """Return `sha256:` and the hexadecimal digest of a JSON value's canonical bytes."""
    return "sha256:" + hashlib.sha256(canonical_bytes(value)).hexdigest()


def _is_canonical(written: bytes, value: Any) -> bool:
    """Whether what orjson wrote is surely what RFC 8785 writes; that it may not be says little.

    Both escape alike. They differ in doubles (`1.0`, `1e+16`), in NaN and Infinity (`null`), and in
    the order of names: UTF-16 writes what is past U+FFFF with units that sort before U+E000.
    """
    return not (
        _DOUBLE.search((b":" + written).translate(_MARKED))
        or (b"null" in written and orjson.loads(written) != value)
        or ((0xEE in written or 0xEF in written) and any(lead in written for lead in range(0xF0, 0xF5)))
    )
