"""Text of Server-Sent Events as one JSON array of the data of its events, in which each value keeps its line and column.

A2A streams its results so (A2A 1.0 §9.4.2, §11.7); the format is that of the HTML standard, §9.2.6.
"""

from __future__ import annotations

import re
from typing import Final

# A stream begins with a field or a comment, after blank lines; JSON and YAML cards begin with neither.
_BEGINS: Final = re.compile(rb"\s*(:|(data|event|id|retry):)")
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_FIELD: Final = b"data:"


def is_stream(body: bytes) -> bool:
    """Return whether a body begins as a stream of events."""
    return _BEGINS.match(body) is not None


def stream_as_json(body: bytes) -> bytes:
    r"""Return the events of a stream as a JSON array; a body that is no stream is returned as it is.

    What is no data becomes white space, so that the places in the array are those in the stream.

    >>> stream_as_json(b'data: {"a": 1}\n\ndata: {"a": 2}\n\n')
    b'    [ {"a": 1}\n\n    , {"a": 2}\n\n]'
    """
    if not is_stream(body):
        return body
    lines: list[bytes] = []
    before, inside = b"[", False
    for line in _LINE.findall(body):
        content = line.rstrip(b"\r\n")
        if content.startswith(_FIELD):
            # Several lines of data are one event.
            lines += [b"     " if inside else b"    " + before, line[len(_FIELD) :]]
            before, inside = b",", True
        else:
            inside = inside and bool(content)
            lines.append(b" " * len(content) + line[len(content) :])
    return b"".join([*lines, b"]" if before == b"," else b"[]"])
