"""Response bodies, with a size limit on the received and on the decompressed bytes."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

from cardwright.errors import BadResponse

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from aiohttp import ClientResponse

_PIECE_BYTES: Final = 64 * 1024
_IDENTITY: Final = frozenset({"", "identity"})


async def body_pieces(
    response: ClientResponse, safe_url: str, max_bytes: int | None
) -> AsyncGenerator[bytes]:
    """Yield a body in pieces; an unrequested gzip coding is decompressed within the limit.

    Raises:
        BadResponse: `too-large` as soon as the announced, received or decompressed size exceeds the limit;
            `encoding` for any other content coding.
    """
    coding = response.headers.get("Content-Encoding", "").strip().lower()
    if coding not in _IDENTITY and coding not in ("gzip", "x-gzip"):
        raise BadResponse(safe_url, "encoding", "the response has a content coding that was not requested")
    length = response.content_length
    if max_bytes is not None and length is not None and length > max_bytes:
        raise _too_large(safe_url, max_bytes)
    inflate = None if coding in _IDENTITY else zlib.decompressobj(wbits=31)
    received = decompressed = 0
    async for chunk in response.content.iter_any():
        received += len(chunk)
        if max_bytes is not None and received > max_bytes:
            raise _too_large(safe_url, max_bytes)
        if inflate is None:
            yield chunk
            continue
        pending = chunk
        while pending:
            if inflate.eof:
                raise _after_end(safe_url)
            try:
                piece = inflate.decompress(pending, _PIECE_BYTES)
            except zlib.error:
                raise BadResponse(safe_url, "encoding", "the gzip response is invalid") from None
            if inflate.unused_data:
                # Of the same read. Otherwise the network would decide whether a second member is seen.
                raise _after_end(safe_url)
            decompressed += len(piece)
            if max_bytes is not None and decompressed > max_bytes:
                raise _too_large(safe_url, max_bytes)
            if piece:
                yield piece
            pending = inflate.unconsumed_tail
    if inflate is not None and not inflate.eof:
        raise BadResponse(safe_url, "encoding", "the gzip response is incomplete")


def _after_end(safe_url: str) -> BadResponse:
    return BadResponse(safe_url, "encoding", "the gzip response has data after its end")


def _too_large(safe_url: str, max_bytes: int) -> BadResponse:
    return BadResponse(safe_url, "too-large", f"the response has more than {max_bytes:,} bytes")
