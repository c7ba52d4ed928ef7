"""Hostile streams of gRPC, as frames of HTTP/2 that no library would send."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any, Final

from a2a.helpers import new_text_message
from a2a.types import Role, SendMessageRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    # The name of a header field, and its value.
    Field = tuple[bytes, bytes]

# Types and flags of frames (RFC 9113 §6).
_DATA, _HEADERS, _RESET, _SETTINGS, _PING, _WINDOW, _CONTINUATION = 0, 1, 3, 4, 6, 8, 9
_END_STREAM, _END_HEADERS = 1, 4
_HELLO: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_SERVICES: Final = (b"/lf.a2a.v1.A2AService/", b"/a2a.v1.A2AService/")
_METHODS: Final = (
    b"SendMessage", b"SendStreamingMessage", b"GetTask", b"ListTasks", b"SubscribeToTask", b"Nothing", b"",
)  # fmt: skip
_METADATA: Final[tuple[Field, ...]] = (
    (b"grpc-timeout", b"99999999H"), (b"grpc-timeout", b"1n"), (b"grpc-timeout", b"-1S"), (b"grpc-timeout", b"x" * 900),
    (b"grpc-encoding", b"gzip"), (b"grpc-encoding", b"x"), (b"grpc-accept-encoding", b"," * 9_000), (b"te", b"x"),
    (b"a2a-tenant", b"nobody"), (b"a2a-tenant", b"../x"), (b"a2a-tenant", b"a" * 5_000), (b"a2a-tenant", b"\xff\x00"),
    (b"a2a-version", b"0.3"), (b"a2a-version", b"x" * 900), (b"x-agent-api-key", b"aak_" + b"0" * 60), (b"x-y-bin", b"!"),
    (b"x-agent-api-key", b"\xff" * 900), (b"authorization", b"Bearer " + b"a.b.c" * 900), (b"authorization", b"Basic Og=="),
    (b"a2a-extensions", b"x" * 4_000), (b"x", b"a" * 60_000), (b"X", b"a"), (b"a b", b"a"), (b"", b""), (b"a", b"\r\nb: c"),
    (b"content-length", b"5"), (b"content-type", b"text/plain"), (b":path", b"/"), (b":status", b"200"), (b"host", b"x"),
    (b"transfer-encoding", b"chunked"), (b"connection", b"upgrade"), (b"last-event-id", b"-1"), (b"traceparent", b"x"),
)  # fmt: skip
_READ_SECONDS: Final = 1.0


class Streams:
    """Connections with hostile streams, one after the other.

    Args:
        port: Where the gateway listens for gRPC, on loopback.
        seed: The seed of the random connections.
    """

    def __init__(self, port: int, seed: int) -> None:
        self._port = port
        self._seed = seed
        self._number = 0
        self.kinds: Counter[str] = Counter()
        self.findings: list[str] = []

    async def run(self) -> None:
        """Connect until cancelled, each time from another address of this machine."""
        while True:
            self._number += 1
            name = f"{self._seed}/{self._number}"
            random = Random(name)  # noqa: S311 - no cryptography
            kind, sent = connection(random)
            self.kinds[kind] += 1
            address = f"127.0.{random.randrange(1, 255)}.{random.randrange(1, 255)}"
            received = b""
            with contextlib.suppress(OSError, TimeoutError):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", self._port, local_addr=(address, 0)
                )
                try:
                    writer.write(sent)
                    async with asyncio.timeout(_READ_SECONDS * random.choice((0.1, 0.1, 0.5, 6))):
                        while piece := await reader.read(65_536):
                            received += piece
                finally:
                    writer.transport.abort()
            if any(text in received for text in (b"internal error", b"Unexpected <", b"Traceback")):
                self.findings.append(f"{name} {kind}: {received[-800:]!r}")


def connection(random: Random, kind: str = "") -> tuple[str, bytes]:
    """Return the kind and the bytes of a connection with one kind of stream; by default a random one."""
    kind = kind or random.choice(list(_KINDS))
    settings = b"\x00\x04\x00\x00\x00\x00" if random.random() < 0.2 else b""
    streams = (_KINDS[kind](random, number) for number in range(1, 2 * random.choice((1, 8, 60)), 2))
    return kind, _HELLO + _frame(_SETTINGS, 0, 0, settings) + b"".join(streams)


def _frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def _text(value: bytes) -> bytes:
    """Return a string without Huffman code (RFC 7541 §5.2)."""
    if len(value) < 127:
        return bytes((len(value),)) + value
    rest, size = len(value) - 127, b"\x7f"
    while rest > 127:
        size, rest = size + bytes((rest % 128 + 128,)), rest // 128
    return size + bytes((rest,)) + value


def _head(random: Random, stream: int, *more: Field, flags: int = _END_HEADERS) -> bytes:
    """Return the header fields of a call in frames of the greatest size."""
    path = random.choice(_SERVICES) + random.choice(_METHODS[:1] * 4 + _METHODS)
    fields = [
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", path),
        (b":authority", b"x"),
        (b"te", b"trailers"),
    ]
    fields += [(b"content-type", b"application/grpc"), *more]
    block = b"".join(b"\x00" + _text(name) + _text(value) for name, value in fields)
    pieces = [block[at : at + 16_384] for at in range(0, len(block), 16_384)]
    kinds = [_HEADERS] + [_CONTINUATION] * (len(pieces) - 1)
    last = len(pieces) - 1
    return b"".join(
        _frame(kind, flags if index == last else 0, stream, piece)
        for index, (kind, piece) in enumerate(zip(kinds, pieces, strict=True))
    )


def _message(random: Random) -> bytes:
    """Return a message that is sound, changed in some bytes, or random."""
    message = new_text_message("two words", role=Role.ROLE_USER)
    sound: bytes = SendMessageRequest(message=message, tenant="open").SerializeToString()
    changed = bytearray(sound)
    for _ in range(random.choice((1, 3, 20))):
        changed[random.randrange(len(changed))] = random.randrange(256)
    nested = b"\x12\xff\xff\xff\xff\x07" + b"\x0a\x7f" * 5_000
    return random.choice(
        (sound, bytes(changed), bytes(changed), random.randbytes(random.choice((1, 99, 9_000))), nested)
    )


def _data(random: Random, stream: int, length: int | None = None, flags: int = _END_STREAM) -> bytes:
    """Return a length-prefixed message, with a wrong length if one is given."""
    content = _message(random)
    prefix = random.choice(b"\0\0\0\0\0\1\xff").to_bytes(1, "big")
    size = (len(content) if length is None else length).to_bytes(4, "big")
    return _frame(_DATA, flags, stream, prefix + size + content)


# Each returns what is sent on one stream.
_KINDS: Final[dict[str, Callable[[Random, int], bytes]]] = {
    "silent": _head,
    "head of a message": lambda random, stream: _head(random, stream)
    + _frame(_DATA, 0, stream, (b"\0" + random.choice((b"\0\0\0\x09", b"\0\3\xff\xff", b"\xff\xff\xff\xff")))[: random.randrange(1, 6)]),
    "wrong length": lambda random, stream: _head(random, stream)
    + _data(random, stream, random.choice((0, 1, 5, 300, 262_144, 2**31, 2**32 - 1)), random.choice((0, _END_STREAM))),
    "message": lambda random, stream: _head(random, stream) + _data(random, stream),
    "two messages": lambda random, stream: _head(random, stream) + _data(random, stream, flags=0) + _data(random, stream),
    "metadata": lambda random, stream: _head(random, stream, *random.choices(_METADATA, k=random.choice((1, 3, 40))))
    + _data(random, stream),
    "cancelled": lambda random, stream: _head(random, stream)
    + (_data(random, stream, flags=random.choice((0, _END_STREAM))) if random.random() < 0.7 else b"")
    + _frame(_RESET, 0, stream, b"\0\0\0\x08"),
    "endless head": lambda random, stream: _head(random, stream, (b"x", b"a" * 16_000), flags=0)
    + _frame(_CONTINUATION, 0, stream, b"\x00" + _text(b"y") + _text(b"b" * 9_000)) * random.choice((0, 1, 50)),
    "frames": lambda random, stream: _head(random, stream)
    + _frame(random.choice((_DATA, _HEADERS, _PING, _WINDOW, _RESET, _SETTINGS, 5, 7, 77)), random.randrange(256),
             random.choice((0, stream, stream + 1, 2**31 - 1)), random.randbytes(random.choice((0, 4, 8, 100))))
    * random.choice((1, 200)),
}  # fmt: skip


async def calls(stub: Any, request: Any, metadata: Any, waits: list[float], ends: Counter[str]) -> None:
    """Call an agent until cancelled; note how long each call took, and its status."""
    loop = asyncio.get_running_loop()
    while True:
        began = loop.time()
        call = stub.SendMessage(request, metadata=metadata, timeout=60)
        try:
            ends[(await call.code()).name] += 1
        finally:
            waits.append(loop.time() - began)
        await asyncio.sleep(0.05)
