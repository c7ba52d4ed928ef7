"""Whoever asks may leave: what is done for them ends then."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from cardwright_gateway.a2a.bodies import Gone

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from cardwright.http.request import Message, Receive

T = TypeVar("T")


class Caller:
    """Whoever asks, once the body of the request was read.

    Args:
        receive: Of ASGI; None where nobody tells that they leave.
    """

    def __init__(self, receive: Receive | None) -> None:
        self._receive = receive
        self._gone = asyncio.Event()

    def replayed(self, body: bytes) -> Receive:
        """Return a `receive` that gives the body once more, and then only that they left."""
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                await self._gone.wait()
                return {"type": "http.disconnect"}
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        return again

    async def waits(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do something while they wait for it.

        Raises:
            Gone: If they left before its end; it was cancelled.
        """
        if self._receive is None:
            return await work()
        doing = asyncio.ensure_future(work())
        leaving = asyncio.ensure_future(self._left(self._receive))
        try:
            await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if doing.done():
                return doing.result()
            raise Gone
        finally:
            self._gone.set()
            for one in (doing, leaving):
                one.cancel()
            await asyncio.gather(doing, leaving, return_exceptions=True)

    @staticmethod
    async def _left(receive: Receive) -> None:
        while (await receive())["type"] == "http.request":
            pass
