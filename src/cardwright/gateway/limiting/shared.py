"""Moving windows that several processes share, in Redis, by the library `limits`."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final, cast

from cardwright.errors import BadConfiguration, CardError, MissingPackage

if TYPE_CHECKING:
    from limits import RateLimitItem
    from limits.aio.storage.redis.redispy import RedispyBridge

# reliability.md 2e: without the store there is an answer within 250 ms.
_PATIENCE_SECONDS: Final = 0.2
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
        from limits.aio.storage import RedisStorage
        from limits.aio.strategies import MovingWindowRateLimiter
        from limits.errors import ConfigurationError

        try:
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
        except ImportError as error:
            raise MissingPackage("redis is not installed: pip install cardwright[redis]") from error
        # What the environment gave in its place, the schema did not see.
        if url.partition("://")[0] not in ("redis", "rediss"):
            raise BadConfiguration("", "/limits/redis: give a URL such as redis://host:6379/0")
        try:
            self._store = RedisStorage(
                f"async+{url}",
                wrap_exceptions=True,
                implementation="redispy",
                key_prefix=_PREFIX,
                socket_timeout=_PATIENCE_SECONDS,
                socket_connect_timeout=_PATIENCE_SECONDS,
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
                # What it took to get here is no fault of the store: a burst must not look like one that is down.
                async with asyncio.timeout(_PATIENCE_SECONDS):
                    if await self._windows.hit(item, *caller):
                        return 0.0
                    stats = await self._windows.get_window_stats(item, *caller)
            except (StorageError, OSError, TimeoutError) as error:
                self._failures += 1
                raise SharedDown(_DOWN) from error
        # Its script counts by the clock of whoever asks. A window that has just moved on is free at once.
        return max(stats.reset_time - time.time(), 0.001)

    async def close(self) -> None:
        """Close all connections."""
        # Of redis's own client limits types what it calls itself.
        client: Any = cast("RedispyBridge", self._store.bridge).get_connection()
        await client.aclose()
