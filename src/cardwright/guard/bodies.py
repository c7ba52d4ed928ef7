"""Response bodies, with limits of the received bytes, of the decompressed bytes, and of the HTTP chunks."""

from __future__ import annotations

import asyncio
import zlib
from typing import TYPE_CHECKING, Final

from cardwright.errors import BadResponse

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from aiohttp import ClientResponse, StreamReader

    from cardwright.guard.pace import Allowance
    from cardwright.guard.single_request import SingleResponse

_PIECE_BYTES: Final = 64 * 1024
# aiohttp works for each HTTP chunk, however small: these are received in one turn, and no body has more than some and
# one for each of so many bytes (project decision).
_CHUNKS_IN_A_TURN: Final = 512
MAX_CHUNKS: Final = 4_000
_BYTES_FOR_A_CHUNK: Final = 256
_IDENTITY: Final = frozenset({"", "identity"})


async def body_pieces(
    response: ClientResponse | SingleResponse,
    safe_url: str,
    max_bytes: int | None,
    allowance: Allowance | None = None,
) -> AsyncGenerator[bytes]:
    """Yield a body in pieces; an unrequested gzip coding is decompressed within the limit.

    Args:
        response: The response.
        safe_url: The URL in errors.
        max_bytes: The maximum size; None for no limit.
        allowance: What the HTTP chunks of an event stream count for: small ones are usual there, and too many are read
            slowly. None for any other body: too many chunks are an error.

    Raises:
        BadResponse: `too-large` as soon as the announced, received or decompressed size exceeds the limit, or the body
            has too many small HTTP chunks; `encoding` for any other content coding.
    """
    coding = response.headers.get("Content-Encoding", "").strip().lower()
    if coding not in _IDENTITY and coding not in ("gzip", "x-gzip"):
        raise BadResponse(safe_url, "encoding", "the response has a content coding that was not requested")
    length = response.content_length
    if max_bytes is not None and length is not None and length > max_bytes:
        raise _too_large(safe_url, max_bytes)
    inflate = None if coding in _IDENTITY else zlib.decompressobj(wbits=31)
    received = decompressed = chunks = 0
    async for chunk, ended in _received(response.content):
        received += len(chunk)
        chunks += ended
        if max_bytes is not None and received > max_bytes:
            raise _too_large(safe_url, max_bytes)
        if allowance is not None:
            await allowance.spend_chunks(ended)
        elif chunks > MAX_CHUNKS + received // _BYTES_FOR_A_CHUNK:
            raise BadResponse(safe_url, "too-large", f"the response has more than {chunks - 1:,} HTTP chunks")
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
                # Of the same read. Otherwise the network would decide whether a second part is read.
                raise _after_end(safe_url)
            decompressed += len(piece)
            if max_bytes is not None and decompressed > max_bytes:
                raise _too_large(safe_url, max_bytes)
            if piece:
                yield piece
            pending = inflate.unconsumed_tail
    if inflate is not None and not inflate.eof:
        raise BadResponse(safe_url, "encoding", "the gzip response is incomplete")


async def _received(content: StreamReader) -> AsyncGenerator[tuple[bytes, int]]:
    """Yield what has arrived, and how many HTTP chunks ended in it."""
    pieces: list[bytes] = []
    received = size = ended = 0
    while True:
        piece, is_end = await content.readchunk()
        # aiohttp shares one reader between all responses without a body; it says forever that a chunk has ended.
        if not piece and (not is_end or content.at_eof()):
            break
        pieces.append(piece)
        size += len(piece)
        ended += is_end
        is_full = len(pieces) >= _CHUNKS_IN_A_TURN
        # Sometimes only the end of a chunk arrives: it is counted with the next bytes.
        if size and (is_full or received + size >= content.total_bytes or size >= _PIECE_BYTES):
            yield b"".join(pieces), ended
            received += size
            size = ended = 0
            pieces.clear()
            if is_full:
                # More may be there: without this, no other task would run before it was read.
                await asyncio.sleep(0)
    if size:
        yield b"".join(pieces), ended


def _after_end(safe_url: str) -> BadResponse:
    return BadResponse(safe_url, "encoding", "the gzip response has data after its end")


def _too_large(safe_url: str, max_bytes: int) -> BadResponse:
    return BadResponse(safe_url, "too-large", f"the response has more than {max_bytes:,} bytes")
