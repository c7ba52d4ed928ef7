"""Limits of one message from an agent or MCP server, enforced before any library parses it.

A response is one message, or an event stream whose events are messages. The official SDKs decode a message as a whole,
on the event loop: without these limits, one response of an agent could take all memory, and stop all other requests.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright.canonical import Limits, count_structure, count_values, without_escapes
from cardwright.errors import BadResponse
from cardwright.http.request import off_loop

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator

    from cardwright.guard.answer_memory import HeldAnswer

EVENT_STREAM: Final = "text/event-stream"
# The least size of a batch of events (project decision).
_BATCH_BYTES: Final = 2 * 1024
_BOM: Final = b"\xef\xbb\xbf"
_BLANKS: Final = bytes.maketrans(b"\r\n", b"  ")
# Two line ends in a row, of LF, CR or CRLF (HTML, Server-sent events §9.2.5): the last byte of the first, and the second.
_EVENT_END: Final = re.compile(rb"\n\n|[\n\r]\r\n?")
# What is between the name of a field and its text.
_VALUE: Final = re.compile(rb'[ \t\n\r]{0,8}:[ \t\n\r]{0,8}"')
# Line ends of the SDKs' clients in ASCII. No JSON string contains one.
_LINE_ENDS: Final = re.compile(rb"[\n\r\x0b\x0c\x1c-\x1e]")
# Further ones, with the escape of each in a JSON string: httpx would end a line of an event there.
_UNICODE_LINE_ENDS: Final = (
    (b"\xc2\x85", b"\\u0085"),
    (b"\xe2\x80\xa8", b"\\u2028"),
    (b"\xe2\x80\xa9", b"\\u2029"),
)


@dataclass(frozen=True, slots=True)
class MessageLimits:
    """Maximum size of one message: a complete response, or one event of a stream (project decision).

    Attributes:
        max_bytes: Bytes, as received.
        max_values: JSON values, as `cardwright.canonical.Limits` counts them.
        max_depth: Levels of nesting, where this package decodes a message itself.
        max_text: Bytes without the files of A2A (the values of `raw`, in 0.3 `bytes`); None for no limit. Of a text,
            protobuf searches each character for surrogates, 40 ms for each megabyte.
    """

    max_bytes: int = 8 * 1024 * 1024
    max_values: int = 10_000
    max_depth: int = 128
    max_text: int | None = None

    @property
    def decoding(self) -> Limits:
        """The same limits for `cardwright.canonical.decode`."""
        return Limits(self.max_bytes, self.max_depth, self.max_values, self.max_values, exact=False)

    def too_many_bytes(self, url: str) -> BadResponse:
        """Return the error for a message with too many bytes, to be raised; `url` is shown."""
        return BadResponse(url, "too-large", f"a message of the response exceeds {self.max_bytes:,} bytes")

    def too_many_values(self, url: str) -> BadResponse:
        """Return the error for a message with too many values, to be raised; `url` is shown."""
        return BadResponse(
            url, "too-large", f"a message of the response exceeds {self.max_values:,} JSON values"
        )

    def too_much_text(self, url: str) -> BadResponse:
        """Return the error for a message with too much text, to be raised; `url` is shown."""
        return BadResponse(
            url, "too-large", f"a message of the response exceeds {self.max_text:,} bytes besides its files"
        )

    def check(self, message: bytes, url: str) -> None:
        """Check one complete message.

        Raises:
            BadResponse: `too-large`, if it exceeds a limit.
        """
        if len(message) > self.max_bytes:
            raise self.too_many_bytes(url)
        if count_message_values(message, self.max_values) > self.max_values:
            raise self.too_many_values(url)
        size, text = len(message), self.max_text
        if text is not None and size > text and size - _file_bytes(message, self.max_values) > text:
            raise self.too_much_text(url)

    def check_all(self, text: bytes, messages: Iterable[bytes], url: str) -> None:
        """Check several complete messages, which together are a text.

        Raises:
            BadResponse: `too-large`, if one exceeds a limit.
        """
        # Most texts have few values in all their messages.
        if len(text) > (self.max_text or self.max_bytes) or (
            count_message_values(text, self.max_values) > self.max_values
        ):
            for message in messages:
                self.check(message, url)


# Messages, tasks and errors of A2A.
A2A_MESSAGES: Final = MessageLimits(max_text=2_200_000)
# What a gateway passes on costs it less; a page of ListTasks has the messages of a hundred tasks.
FORWARDED_MESSAGES: Final = MessageLimits(max_values=100_000)
# A page of tools/list has the schemas of many tools.
MCP_MESSAGES: Final = MessageLimits(max_values=20_000)


def _file_bytes(message: bytes, at_most: int) -> int:
    """Return the size of the first files of a message.

    A field of this name that is not a file costs nothing either: protobuf copies the strings of a `Struct` as they are.

    >>> _file_bytes(b'{"raw": "YWJj", "text": "raw", "file": {"bytes":"YQ=="}}', 10)
    8
    """
    size = 0
    # Not by one pattern: a search of `re` keeps the interpreter for each quotation mark.
    for name in (b'"raw"', b'"bytes"'):
        at = message.find(name)
        for _ in range(at_most):
            if at < 0:
                break
            at += len(name)
            value = _VALUE.match(message, at)
            end = message.find(b'"', value.end()) if value else -1
            if value and end >= 0:
                size += end - value.end()
                at = end
            at = message.find(name, at)
    return size


def count_message_values(message: bytes, at_most: int) -> int:
    """Return how many JSON values a message or an event has; more than `at_most` are not counted further.

    A quotation mark in a comment of an event would hide what follows from `count_values`, as if it were a string. No
    JSON string has a line end; where one seems to, every bracket and comma of the message counts. So they do in a
    message with NUL, which JSON has not: json.loads reads UTF-16, too.

    >>> count_message_values(b'data: {"a": [1, "b, c"]}', 100)
    4
    """
    plain = without_escapes(message)
    if 0 in message or (
        plain.count(b'"') <= 4 * at_most and _LINE_ENDS.search(b"".join(plain.split(b'"')[1::2]))
    ):
        return min(1 + count_structure(plain), at_most + 1)
    return count_values(message, at_most)


class EventBuffer:
    """Buffer that collects the chunks of a stream until an event ends; scans each byte once.

    Some servers label a body that is one JSON message as a stream: its data becomes one event.

    Args:
        limits: The maximum size of an event.
        url: The URL in errors.
    """

    def __init__(self, limits: MessageLimits = A2A_MESSAGES, url: str = "") -> None:
        self._limits = limits
        self._url = url
        self._chunks: list[bytes] = []
        self._size = 0
        self._seam = b""
        self._is_message: bool | None = None

    def cut(self, chunk: bytes) -> bytes:
        """Add a chunk; return the events that are complete now.

        Raises:
            BadResponse: `too-large`, if an event has too many bytes.
        """
        if self._is_message is None and chunk.strip():
            # No field of an event begins like this.
            self._is_message = chunk.removeprefix(_BOM).lstrip().startswith(b"{")
        scanned = b"" if self._is_message else self._seam + chunk
        # The LF after a CR at the very end may be still to come.
        pairs = scanned.rfind(b"\n\n"), scanned.rfind(b"\r\r"), scanned.rfind(b"\n\r", 0, len(scanned) - 1)
        end = max(pairs) + 2
        ready = b""
        if end >= 2:
            end += scanned[end - 1 : end + 1] == b"\r\n"
            at = end - len(self._seam)
            ready = b"".join((*self._chunks, chunk[:at]))
            self._chunks.clear()
            self._size = 0
            chunk = scanned = chunk[at:]
            most = self._limits.max_bytes
            if len(ready) > most and any(len(event) > most for event in each_event(ready)):
                raise self._limits.too_many_bytes(self._url)
        self._chunks.append(chunk)
        self._size += len(chunk)
        self._seam = scanned[-2:]
        if self._size > self._limits.max_bytes:
            raise self._limits.too_many_bytes(self._url)
        return ready

    @property
    def size(self) -> int:
        """The size of what follows the last complete event."""
        return self._size

    def rest(self) -> bytes:
        """Return what follows the last complete event."""
        rest = b"".join(self._chunks)
        # The line ends of JSON are white space; in an event, each would end a line.
        return b"data: " + rest.removeprefix(_BOM).translate(_BLANKS) + b"\n\n" if self._is_message else rest


def batches(events: bytes) -> Iterator[bytes]:
    """Yield complete events in small batches of whole events, so that other work can run between two."""
    return each_event(events, _BATCH_BYTES)


def each_event(events: bytes, least: int = 0) -> Iterator[bytes]:
    """Yield each of several complete events, with its end, or batches of at least so many bytes."""
    start = 0
    while start < len(events):
        end = _EVENT_END.search(events, start + least)
        yield events[start : end.end() if end else None]
        start = end.end() if end else len(events)


async def limited_pieces(
    pieces: AsyncIterator[bytes],
    limits: MessageLimits,
    url: str,
    *,
    events: bool,
    held: HeldAnswer | None = None,
    spend: Callable[[bytes], Awaitable[None]] | None = None,
) -> AsyncGenerator[bytes]:
    """Yield a response for a parser: complete messages only, each within the limits.

    Args:
        pieces: The response as it arrives.
        limits: The limits of a message.
        url: The URL in errors.
        events: Whether it is an event stream; otherwise the response is one message.
        held: The memory of what is received and not yet yielded; None for no limit.
        spend: Waits, before some events of a stream are yielded, as long as their work requires.

    Raises:
        BadResponse: `too-large`, if a message exceeds a limit. No byte of that message was yielded.
    """
    if not events:
        yield await _whole(pieces, limits, url, held)
        return
    buffer = EventBuffer(limits, url)
    async for piece in pieces:
        if held is not None:
            held.add(len(piece))
        ready = buffer.cut(piece)
        if not ready:
            continue
        ready = await off_loop(len(ready), _checked_events, ready, limits, url)
        if spend is None:
            yield ready
        else:
            for batch in batches(ready):
                await spend(batch)
                yield batch
        if held is not None:
            held.resize(buffer.size)
    rest = buffer.rest()
    if rest:
        rest = await off_loop(len(rest), _checked_events, rest, limits, url)
        if spend is not None:
            await spend(rest)
        yield rest


async def _whole(
    pieces: AsyncIterator[bytes], limits: MessageLimits, url: str, held: HeldAnswer | None
) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for piece in pieces:
        size += len(piece)
        if size > limits.max_bytes:
            raise limits.too_many_bytes(url)
        if held is not None:
            held.add(len(piece))
        chunks.append(piece)
    message = b"".join(chunks)
    await off_loop(size, limits.check, message, url)
    return message


def as_lines(events: bytes) -> bytes:
    """Return events without further line ends in their JSON strings."""
    for raw, escape in _UNICODE_LINE_ENDS:
        events = events.replace(raw, escape)
    return events


def _checked_events(events: bytes, limits: MessageLimits, url: str) -> bytes:
    events = as_lines(events)
    limits.check_all(events, each_event(events), url)
    return events
