"""Normalization of A2A messages before an SDK parses them: what peers write differently, and SDKs misread or refuse.

Files: a2a-sdk drops characters outside of the base64 alphabet, so that base64url becomes other bytes. Times without a
zone: fasta2a writes them. States and roles with the names of 0.3 in replies of 1.0: a task would never end.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import decode, json_text
from cardwright.errors import BadResponse, MalformedDocument
from cardwright.guard.message_limits import as_lines
from cardwright_runtime.message_fixes import standard_base64, zoned

if TYPE_CHECKING:
    from cardwright.guard.message_limits import MessageLimits

# The fields of a part with a file: A2A 1.0 §4.1.6, 0.3.0 §6.6, and the proto of 0.3.
_RAW: Final = frozenset({"raw", "filename", "mediaType", "media_type", "metadata"})
_BYTES: Final = frozenset({"bytes", "name", "mimeType"})
_PROTO: Final = ("fileWithBytes", "file_with_bytes")
# Only a message with one of these may need a change.
_SIGNS: Final = re.compile(
    rb'"(?:raw|bytes|fileWithBytes|file_with_bytes)"|"timestamp"\s{0,8}:\s{0,8}"[^"]{0,40}\d"'
)
_OLDER_NAMES: Final = re.compile(rb'"(?:state|role)"\s{0,8}:\s{0,8}"[a-z]')
# At the beginning of a line, which ends with LF, CR or CRLF.
_DATA_LINE: Final = re.compile(rb"data:(?<![^\r\n]data:)([^\r\n]*)")


def normalized(text: bytes, limits: MessageLimits, url: str, *, events: bool, newer: bool = False) -> bytes:
    """Return a response, or events of a stream, in the form that SDKs read. `newer`: to a request of A2A 1.0.

    Raises:
        BadResponse: If a file is not base64.
    """

    def read(line: bytes) -> bytes:
        if not (_SIGNS.search(line) or (newer and _OLDER_NAMES.search(line))):
            return line
        try:
            value = decode(line, limits.decoding)
            result = value.get("result", value)
            # A result of 0.3 has a `kind`.
            return as_lines(json_text(with_normalized_parts(value, newer=newer and "kind" not in result)))
        except (MalformedDocument, AttributeError, TypeError):
            # Not a message: the SDK says what it is.
            return line
        except ValueError as error:
            raise BadResponse(url, "not-a-reply", str(error)) from None

    return _DATA_LINE.sub(lambda line: b"data:" + read(line[1]), text) if events else read(text)


def has_files(text: bytes) -> bool:
    """Return whether a message may have files."""
    return _SIGNS.search(text) is not None


def with_normalized_parts(value: Any, *, newer: bool) -> Any:
    """Return a message, or what contains messages, with files in standard base64, and times with a zone.

    Args:
        value: A JSON value, at most 128 levels deep.
        newer: Whether it is of A2A 1.0: states and roles get the names of 1.0.

    Raises:
        ValueError: If a file is not base64.
    """
    if type(value) is list:
        return [with_normalized_parts(item, newer=newer) for item in value]
    if type(value) is not dict:
        return value
    return {name: _field(name, field, value, newer=newer) for name, field in value.items()}


def _field(name: str, value: Any, holder: dict[str, Any], *, newer: bool) -> Any:
    if type(value) is not str:
        # Data and metadata are not of A2A.
        return value if name in ("data", "metadata") else with_normalized_parts(value, newer=newer)
    if (name == "raw" and holder.keys() <= _RAW) or (name == "bytes" and holder.keys() <= _BYTES):
        return _digits(value)
    if name in _PROTO:
        # a2a-sdk writes and reads a file of 0.3 over HTTP+JSON in base64 of base64; others write it once.
        return b64encode(base64_text(b64decode(_digits(value)))).decode()
    if name == "timestamp":
        return zoned(value) or value
    if newer and name in ("state", "role") and value.islower():
        return f"{'TASK_STATE' if name == 'state' else 'ROLE'}_{value.upper().replace('-', '_')}"
    return value


def _digits(text: str) -> str:
    # Many encoders write lines (RFC 2045 §6.8), which SDKs read.
    digits = standard_base64("".join(text.split()))
    if digits is None:
        raise ValueError("a file is not base64 (RFC 4648)")
    return digits


def base64_text(file: bytes) -> bytes:
    """Return the bytes of a file in the proto of 0.3 as base64, as a2a-sdk reads them; others write the file itself."""
    is_text = file.isascii() and len(file) % 4 == 0 and standard_base64(file.decode()) is not None
    return file if is_text else b64encode(file)
