"""A flood of tiny events from an agent is rate limited."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.guard.pace import Pace
from cardwright_gateway.upstream.event_errors import RestEventErrors
from cardwright_gateway.upstream.streaming import forward_stream

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, MutableMapping


class Flood:
    """A streamed response of comments."""

    def __init__(self, pieces: int) -> None:
        self._pieces = pieces

    async def chunks(self) -> AsyncIterator[bytes]:
        for _ in range(self._pieces):
            yield b":\n\n" * 1_000


@pytest.mark.parametrize(("pieces", "waits"), [(10, False), (40, True)])
def test_forwarded_events_beyond_the_rate_limit_wait(pieces: int, *, waits: bool) -> None:
    waited: list[float] = []
    sent = bytearray()

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.extend(message.get("body", b""))

    flood: Any = Flood(pieces)
    allowance = Pace(lambda: 0.0, sleep).stream()
    asyncio.run(forward_stream(flood, (), send, RestEventErrors(), allowance))
    assert sent.startswith(b":\n\n" * 1_000 * pieces + b"event: error\n")
    assert bool(waited) == waits
