"""Bodies of answers, counted as they come, on the wire and after inflating."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

from cardwright.errors import BadAnswer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from aiohttp import ClientResponse

_PIECE: Final = 64 * 1024
_IDENTITY: Final = frozenset({"", "identity"})


async def pieces(response: ClientResponse, shown: str, max_bytes: int | None) -> AsyncIterator[bytes]:
    """Yield a body as it comes; what is gzipped although nobody asked is inflated, in bounds.

    Raises:
        BadAnswer: `too-large` as soon as a byte too many is announced, received or inflated;
            `encoding` for any other content coding.
    """
    coding = response.headers.get("Content-Encoding", "").strip().lower()
    if coding not in _IDENTITY and coding not in ("gzip", "x-gzip"):
        raise BadAnswer(shown, "encoding", "it answers in a content coding that was not asked for")
    length = response.content_length
    if max_bytes is not None and length is not None and length > max_bytes:
        raise _too_large(shown, max_bytes)
    inflate = None if coding in _IDENTITY else zlib.decompressobj(wbits=31)
    wire = seen = 0
    async for chunk in response.content.iter_any():
        wire += len(chunk)
        if max_bytes is not None and wire > max_bytes:
            raise _too_large(shown, max_bytes)
        if inflate is None:
            yield chunk
            continue
        waiting = chunk
        while waiting:
            if inflate.eof:
                raise BadAnswer(shown, "encoding", "more follows the end of its gzip")
            try:
                piece = inflate.decompress(waiting, _PIECE)
            except zlib.error:
                raise BadAnswer(shown, "encoding", "its gzip cannot be read") from None
            seen += len(piece)
            if max_bytes is not None and seen > max_bytes:
                raise _too_large(shown, max_bytes)
            if piece:
                yield piece
            waiting = inflate.unconsumed_tail
    if inflate is not None and not inflate.eof:
        raise BadAnswer(shown, "encoding", "its gzip ends too early")


def _too_large(shown: str, max_bytes: int) -> BadAnswer:
    return BadAnswer(shown, "too-large", f"it answers with more than {max_bytes:,} bytes")
