"""Functions that fixes of messages name in `make`: each computes a value from another one, or the patch of a part."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_DATA_URL: Final = re.compile(r"data:[^,]{0,200};base64,", re.IGNORECASE)
_WITHOUT_ZONE: Final = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?")
# The content of a part by its kind in A2A 0.3 §6.5.
_CONTENT: Final = {"text": "text", "file": "file", "data": "data"}
# The fields of a file in A2A 0.3 §6.6, and those of a part in 1.0 §4.1.6.
_FILE: Final = {"bytes": "raw", "uri": "url", "mimeType": "mediaType", "name": "filename"}


def standard_base64(value: Any) -> str | None:
    """Return base64 of either alphabet, padded or not, in the standard alphabet with padding (RFC 4648 §4).

    >>> standard_base64("-_8")
    '+/8='
    """
    if type(value) is not str:
        return None
    digits = value.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return b64encode(b64decode(digits + "=" * (-len(digits) % 4), validate=True)).decode()
    except (binascii.Error, ValueError):
        return None


def without_data_url(value: Any) -> str | None:
    """Return the base64 of a `data:` URL (RFC 2397)."""
    match = _DATA_URL.match(value) if type(value) is str else None
    return standard_base64(value[match.end() :]) if match else None


def zoned(value: Any) -> str | None:
    """Return a time without a zone as one in UTC (RFC 3339 §5.6)."""
    matches = type(value) is str and _WITHOUT_ZONE.fullmatch(value)
    return f"{value[:10]}T{value[11:]}Z" if matches else None


def part_kind(part: Any) -> str | None:
    """Return the `kind` of a part of A2A 0.3 by its content; None if it has none, or several."""
    kinds = [kind for name, kind in _CONTENT.items() if type(part) is dict and name in part]
    return kinds[0] if len(kinds) == 1 else None


def flat_file(part: Any, pointer: str) -> Sequence[dict[str, Any]] | None:
    """Return the patch that writes a part with a file of A2A 0.3 as a part of 1.0."""
    file = part.get("file") if type(part) is dict else None
    if type(file) is not dict or not file or not file.keys() <= _FILE.keys():
        return None
    others = {name: value for name, value in part.items() if name not in ("file", "kind")}
    flat = {_FILE[name]: value for name, value in file.items()}
    if flat.keys() & others.keys():
        return None
    return [{"op": "replace", "path": pointer, "value": {**flat, **others}}]
