"""Bodies in chunks: the chunk boundaries change neither the bytes nor whether a body is refused."""

from __future__ import annotations

import asyncio
import gzip
from types import SimpleNamespace
from typing import Any

import pytest

from cardwright.errors import BadResponse
from cardwright.guard.bodies import body_pieces

ONE = gzip.compress(b'{"name": "A"}', mtime=0)


def body(*reads: bytes) -> bytes:
    left = iter(filter(None, reads))

    async def readchunk() -> tuple[bytes, bool]:
        return next(left, b""), False

    content = SimpleNamespace(readchunk=readchunk, total_bytes=0)
    response: Any = SimpleNamespace(
        headers={"Content-Encoding": "gzip"}, content_length=None, content=content
    )

    async def joined() -> bytes:
        return b"".join([piece async for piece in body_pieces(response, "https://a.example", 1_000)])

    return asyncio.run(joined())


@pytest.mark.parametrize(
    "after", [gzip.compress(b'{"name": "B"}', mtime=0), b"x", b"\0"], ids=["member", "x", "nul"]
)
def test_data_after_the_end_of_gzip_is_refused_in_any_chunks(after: bytes) -> None:
    whole = ONE + after
    for cut in range(len(whole) + 1):
        with pytest.raises(BadResponse, match="data after its end"):
            body(whole[:cut], whole[cut:])


def test_one_gzip_stream_is_read_in_any_chunks() -> None:
    for cut in range(len(ONE) + 1):
        assert body(ONE[:cut], ONE[cut:], b"") == b'{"name": "A"}'
