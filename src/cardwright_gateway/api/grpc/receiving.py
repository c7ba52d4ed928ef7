"""How many requests a gRPC server receives at one time."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

# The part of the places that callers without valid credentials have, of which one address has one, and the part of the
# others that one caller has: slow requests of strangers exclude no caller with a key (project decision).
_STRANGERS: Final = 2
_CALLER: Final = 4
# How long a request may take, from the moment that it has a place (project decision). That of a stranger has less
# time while others wait, so that silent requests of many addresses delay the others by a few seconds.
_SECONDS: Final = 30.0
_STRANGER_SECONDS: Final = 5.0
_CONTENDED_SECONDS: Final = 1.0
# How many requests of strangers, and of one address, may wait: they count among the calls of all (project decision).
_MAX_STRANGERS: Final = 1_024
_MAX_OF_ADDRESS: Final = 64


class TooManyWaiting(CardError):
    """A request without valid credentials cannot wait for a place: too many wait already."""


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
        self._of_caller = max(1, known // _CALLER)
        # By the name of a caller, or by address.
        self._own: dict[str, asyncio.Semaphore] = {}
        self._users = Counter[str]()
        # The strangers that wait for a place or have one, and the time limits of those that have one.
        self._present = 0
        self._limits: set[asyncio.Timeout] = set()

    @asynccontextmanager
    async def place(self, caller: str, address: str) -> AsyncGenerator[None]:
        """Hold a place while a request is received.

        Args:
            caller: The name of a caller with valid credentials, or "".
            address: The address of the caller.

        Raises:
            TimeoutError: If it takes too long, from the moment that the request has the place.
            TooManyWaiting: If it has no valid credentials, and too many such requests wait.
        """
        name = f"caller {caller}" if caller else f"address {address}"
        if not caller and (self._present >= _MAX_STRANGERS or self._users[name] >= _MAX_OF_ADDRESS):
            raise TooManyWaiting("too many requests without valid credentials wait; try again later")
        own = self._own.setdefault(name, asyncio.Semaphore(self._of_caller if caller else 1))
        self._users[name] += 1
        try:
            if caller:
                async with own, self._known, asyncio.timeout(_SECONDS):
                    yield
            else:
                async with self._place_of_stranger(own):
                    yield
        finally:
            self._users[name] -= 1
            if not self._users[name]:
                del self._users[name], self._own[name]

    @asynccontextmanager
    async def _place_of_stranger(self, own: asyncio.Semaphore) -> AsyncGenerator[None]:
        self._present += 1
        try:
            if own.locked() or self._strangers.locked():
                self._hurry()
            async with own, self._strangers, asyncio.timeout(_STRANGER_SECONDS) as limit:
                self._limits.add(limit)
                try:
                    if self._present > len(self._limits):
                        self._hurry()
                    yield
                finally:
                    self._limits.remove(limit)
        finally:
            self._present -= 1

    def _hurry(self) -> None:
        """Shorten the time of the strangers with a place, because another one waits."""
        soon = asyncio.get_running_loop().time() + _CONTENDED_SECONDS
        for limit in self._limits:
            if (limit.when() or 0.0) > soon:
                limit.reschedule(soon)
