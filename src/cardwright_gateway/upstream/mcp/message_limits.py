"""Limits of the messages from an MCP server's process.

mcp collects a line of any size, and parses it. The only part of its stdio transport that an application can choose is
the text encoding: so the limits are in a codec, UTF-8 that passes on complete lines within the limits.
"""

from __future__ import annotations

import codecs
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Final

from cardwright.errors import BadResponse
from cardwright.guard.message_limits import MCP_MESSAGES

if TYPE_CHECKING:
    from collections.abc import Callable

    # typeshed declares its parameter as any object with a buffer.
    from typing_extensions import Buffer

_NAME: Final = "cardwright_mcp_lines"
# Called with the first violation of the process that is being started: a codec has no other way to its user.
EXCEEDED: ContextVar[Callable[[BadResponse], None] | None] = ContextVar("exceeded", default=None)


@cache
def line_encoding() -> str:
    """Register the codec, and return its name for `StdioServerParameters.encoding`."""
    utf8 = codecs.lookup("utf-8")
    codec = codecs.CodecInfo(utf8.encode, utf8.decode, incrementaldecoder=LineDecoder, name=_NAME)
    codecs.register(lambda name: codec if name == _NAME else None)
    return _NAME


class LineDecoder(codecs.IncrementalDecoder):
    """Decoder that passes on complete lines; after the first line that exceeds a limit it passes on nothing."""

    def __init__(self, errors: str = "strict") -> None:
        super().__init__(errors)
        self._pieces: list[bytes] = []
        self._size = 0
        self._ended = False
        self._exceeded = EXCEEDED.get()

    def decode(self, input: Buffer, final: bool = False) -> str:  # noqa: A002, ARG002, FBT001, FBT002 - as `codecs` has it
        """Return the lines that are complete now."""
        if self._ended:
            return ""
        head, end, rest = bytes(input).rpartition(b"\n")
        try:
            lines = self._checked(head + end) if end else b""
            self._pieces.append(rest)
            self._size += len(rest)
            if self._size > MCP_MESSAGES.max_bytes:
                raise MCP_MESSAGES.too_many_bytes("")
        except BadResponse as error:
            self._ended = True
            self._pieces.clear()
            if self._exceeded is not None:
                self._exceeded(error)
            return ""
        # mcp ends the whole session for a line that is not UTF-8: with a replacement character it is one bad message.
        return lines.decode(errors="replace")

    def _checked(self, piece: bytes) -> bytes:
        lines = b"".join((*self._pieces, piece))
        self._pieces.clear()
        self._size = 0
        MCP_MESSAGES.check_all(lines, lines.split(b"\n"), "")
        return lines
