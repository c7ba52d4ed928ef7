"""Moving windows that several processes share, in Redis, by the library `limits`."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final, cast

from cardwright.errors import BadConfiguration, CardError
from cardwright.extras import requires_extra

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from limits import RateLimitItem
    from limits.aio.storage.redis.redispy import RedispyBridge

# reliability.md 2e: without the store there is an answer within 250 ms. It is waited for in turns: one in which this
# process has no time for itself counts as one, however long it takes, or a burst here would look like a store that is down.
_TURNS: Final = 10
_TURN_SECONDS: Final = 0.02
# What the library waits for by the clock alone; ours ends first.
_LIBRARY_SECONDS: Final = 5.0
# More connections only wait for one another: Redis runs one script at a time, and this process one line.
_CONNECTIONS: Final = 8
_PREFIX: Final = "cardwright"
_DOWN: Final = "the store of the limits does not answer"


class SharedDown(CardError):
    """The shared store did not answer in time: it is not known how much was sent elsewhere."""


class SharedWindows:
    """Counts in Redis, exactly, whoever else counts there.

    Args:
        url: `redis://` or `rediss://`.

    Raises:
        BadConfiguration: If that is no URL of one.
        MissingPackage: If the package redis is not installed.
    """

    def __init__(self, url: str) -> None:
        with requires_extra("redis"):
            from limits.aio.storage import RedisStorage
            from limits.aio.strategies import MovingWindowRateLimiter
            from limits.errors import ConfigurationError
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
        # What the environment gave in its place, the schema did not see.
        if url.partition("://")[0] not in ("redis", "rediss"):
            raise BadConfiguration("", "/limits/redis: give a URL such as redis://host:6379/0")
        try:
            self._store = RedisStorage(
                f"async+{url}",
                wrap_exceptions=True,
                implementation="redispy",
                key_prefix=_PREFIX,
                socket_timeout=_LIBRARY_SECONDS,
                socket_connect_timeout=_LIBRARY_SECONDS,
                # We say ourselves when it is asked again.
                retry=Retry(NoBackoff(), 0),  # type: ignore[arg-type] # limits hands on whatever redis takes
            )
        except (ValueError, ConfigurationError):
            # What the library says has the URL in it, and that may have a password.
            raise BadConfiguration("", "/limits/redis: give a URL such as redis://host:6379/0") from None
        self._windows = MovingWindowRateLimiter(self._store)
        self._turns = asyncio.Semaphore(_CONNECTIONS)
        self._failures = 0

    async def take(self, item: RateLimitItem, *caller: str) -> float:
        """Note a request and return 0, or return the seconds until the caller may send one.

        Raises:
            SharedDown: If the store does not answer.
        """
        from limits.errors import StorageError

        failures = self._failures
        async with self._turns:
            if self._failures != failures:
                # Those before found it out: nobody waits for it one after another.
                raise SharedDown(_DOWN)
            try:
                # What it took to get here is no fault of the store.
                return await _patiently(self._asked(item, *caller))
            except (StorageError, OSError, TimeoutError) as error:
                self._failures += 1
                raise SharedDown(_DOWN) from error

    async def _asked(self, item: RateLimitItem, *caller: str) -> float:
        if await self._windows.hit(item, *caller):
            return 0.0
        stats = await self._windows.get_window_stats(item, *caller)
        # Its script counts by the clock of whoever asks. A window that has just moved on is free at once.
        return max(stats.reset_time - time.time(), 0.001)

    async def close(self) -> None:
        """Close all connections."""
        # Of redis's own client limits types what it calls itself.
        client: Any = cast("RedispyBridge", self._store.bridge).get_connection()
        await client.aclose()


async def _patiently(work: Coroutine[Any, Any, float]) -> float:
    """Return what the store says.

    Raises:
        TimeoutError: If it has said nothing for all turns.
    """
    doing = asyncio.ensure_future(work)
    try:
        for _ in range(_TURNS):
            await asyncio.wait({doing}, timeout=_TURN_SECONDS)
            if doing.done():
                return doing.result()
        raise TimeoutError
    finally:
        doing.cancel()
        await asyncio.gather(doing, return_exceptions=True)
