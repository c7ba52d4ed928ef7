"""Moving windows in Redis, shared by several processes, with the library `limits`."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from cardwright.errors import BadConfiguration, CardError
from cardwright.extras import requires_extra

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from limits import RateLimitItem
    from limits.aio.storage.redis.redispy import RedispyBridge

# Without the store, a response comes within 250 ms (project decision). The wait is divided into turns: a turn in which
# this process was busy counts only once, however long it took. Otherwise a burst here would look like a failed store.
_TURNS: Final = 10
_TURN_SECONDS: Final = 0.02
# The library's own timeout; the wait above ends first.
_LIBRARY_SECONDS: Final = 5.0
# More connections would only wait for each other: Redis runs one script at a time.
_CONNECTIONS: Final = 8
_PREFIX: Final = "cardwright"
_DOWN: Final = "the rate-limit store does not respond"


class RedisUnavailable(CardError):
    """The shared store did not respond in time: the requests of other processes are unknown."""


class Counted(NamedTuple):
    """A request that was counted, or refused.

    Attributes:
        admitted: Whether it is within the limit.
        remaining: How many more requests the caller may send.
        reset: Seconds until it may send one more than that.
    """

    admitted: bool
    remaining: int
    reset: float


class RedisWindows:
    """Moving windows in Redis, exact over all processes.

    Args:
        url: `redis://` or `rediss://`.

    Raises:
        BadConfiguration: If the URL is not valid.
        MissingPackage: If the package redis is not installed.
    """

    def __init__(self, url: str) -> None:
        with requires_extra("redis"):
            from limits.aio.storage import RedisStorage
            from limits.aio.strategies import MovingWindowRateLimiter
            from limits.errors import ConfigurationError
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
        # A value from an environment variable was not validated by the schema.
        if url.partition("://")[0] not in ("redis", "rediss"):
            raise BadConfiguration("", "/limits/redis: must be a URL such as redis://host:6379/0")
        try:
            self._store = RedisStorage(
                f"async+{url}",
                wrap_exceptions=True,
                implementation="redispy",
                key_prefix=_PREFIX,
                socket_timeout=_LIBRARY_SECONDS,
                socket_connect_timeout=_LIBRARY_SECONDS,
                # The limiter decides when to retry.
                retry=Retry(NoBackoff(), 0),  # type: ignore[arg-type] # limits passes it on to redis
            )
        except (ValueError, ConfigurationError):
            # The library's message contains the URL, which may contain a password.
            raise BadConfiguration("", "/limits/redis: must be a URL such as redis://host:6379/0") from None
        self._windows = MovingWindowRateLimiter(self._store)
        self._connections = asyncio.Semaphore(_CONNECTIONS)
        self._failures = 0

    async def take(self, item: RateLimitItem, *caller: str) -> Counted:
        """Count a request if it is within the limit, and return what is left.

        Raises:
            RedisUnavailable: If the store does not respond in time.
        """
        from limits.errors import StorageError

        failures = self._failures
        async with self._connections:
            if self._failures != failures:
                # An earlier request found the store down: do not wait for it again.
                raise RedisUnavailable(_DOWN)
            try:
                # The time spent waiting for a connection does not count.
                return await _within_turns(self._hit(item, *caller))
            except (StorageError, OSError, TimeoutError) as error:
                self._failures += 1
                raise RedisUnavailable(_DOWN) from error

    async def _hit(self, item: RateLimitItem, *caller: str) -> Counted:
        admitted = await self._windows.hit(item, *caller)
        stats = await self._windows.get_window_stats(item, *caller)
        # The script uses the client's clock. A window that has just moved on is free at once.
        reset = max(stats.reset_time - time.time(), 0.001)
        return Counted(admitted, stats.remaining if admitted else 0, reset)

    async def close(self) -> None:
        """Close all connections."""
        # limits types only the methods of the redis client that it calls itself.
        client: Any = cast("RedispyBridge", self._store.bridge).get_connection()
        await client.aclose()


async def _within_turns(work: Coroutine[Any, Any, Counted]) -> Counted:
    """Return the result of a store operation.

    Raises:
        TimeoutError: If it has not completed within all turns.
    """
    task = asyncio.ensure_future(work)
    try:
        for _ in range(_TURNS):
            await asyncio.wait({task}, timeout=_TURN_SECONDS)
            if task.done():
                return task.result()
        raise TimeoutError
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
