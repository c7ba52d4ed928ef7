"""How many requests a gRPC server receives at one time."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

# The part of the places that callers without valid credentials have, the part of those that one address has, and the
# part of the others that one caller has: slow requests of strangers exclude no caller with a key (project decision).
_STRANGERS: Final = 4
_ADDRESS: Final = 2
_CALLER: Final = 4
# How long a request may take, from the moment that it has a place (project decision).
_SECONDS: Final = 30.0
_STRANGER_SECONDS: Final = 5.0


class ReceivingPlaces:
    """Places for requests that are being received.

    gRPC receives a message as a whole, so that what counts is the number of requests, each as if it had the maximum size.

    Args:
        places: How many requests of the maximum size have memory.
    """

    def __init__(self, places: int) -> None:
        strangers = max(1, places // _STRANGERS)
        known = max(1, places - strangers)
        self._known, self._strangers = asyncio.Semaphore(known), asyncio.Semaphore(strangers)
        self._of_caller, self._of_address = max(1, known // _CALLER), max(1, strangers // _ADDRESS)
        # By the name of a caller, or by address.
        self._own: dict[str, asyncio.Semaphore] = {}
        self._users = Counter[str]()

    @asynccontextmanager
    async def place(self, caller: str, address: str) -> AsyncGenerator[float]:
        """Hold a place, and give how many seconds the request may take.

        Args:
            caller: The name of a caller with valid credentials, or "".
            address: The address of the caller.
        """
        name = f"caller {caller}" if caller else f"address {address}"
        own = self._own.setdefault(name, asyncio.Semaphore(self._of_caller if caller else self._of_address))
        self._users[name] += 1
        try:
            async with own, self._known if caller else self._strangers:
                yield _SECONDS if caller else _STRANGER_SECONDS
        finally:
            self._users[name] -= 1
            if not self._users[name]:
                del self._users[name], self._own[name]
