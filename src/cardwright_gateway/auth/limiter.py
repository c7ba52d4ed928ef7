"""Admitting requests, as many as one caller may send one agent."""

from __future__ import annotations

import logging
import math
import time
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Final, Literal

from cardwright.http.problem import HttpError, Problem
from cardwright_gateway.a2a.problems import RATE_LIMITED
from cardwright_gateway.auth.memory_limiter import Windows
from cardwright_gateway.auth.redis_limiter import SharedDown, SharedWindows

if TYPE_CHECKING:
    from collections.abc import Callable

    from limits import RateLimitItem

    from cardwright_gateway.auth.principal import Principal
    from cardwright_models.settings.gateway import LimitSettings

_LOG: Final = logging.getLogger("cardwright_gateway.limits")
Standing = Literal["ok", "degraded"]
# A store that failed is left alone for so long.
_PAUSE_SECONDS: Final = 1.0
# Longer names of callers are none that a server gives.
_MAX_ADDRESS: Final = 64


class Limiter:
    """Admits requests within a moving window: a caller's own quota goes before what the configuration says.

    Where the windows are shared and their store is down, each process admits its share of the limit, so that all
    together admit no more than one would. What it admitted before counts.

    Args:
        config: The limit, and where windows are shared.
        clock: Seconds that only grow.
        alarm: Told of the new standing whenever it changes.

    Raises:
        BadConfiguration: If the store's URL is none.
        MissingPackage: If what talks to the store is not installed.
    """

    def __init__(
        self,
        config: LimitSettings,
        clock: Callable[[], float] = time.monotonic,
        alarm: Callable[[Standing], None] | None = None,
    ) -> None:
        self._config = config
        self._clock = clock
        self._alarm = alarm
        # Apart, so that no flood from many addresses takes the place of a caller who is known.
        self._known, self._nameless = Windows(clock), Windows(clock)
        self._shared = SharedWindows(config.redis) if config.redis else None
        self._down = False
        self._next_try = 0.0

    async def admit(self, agent_id: str, principal: Principal, address: str) -> None:
        """Let a request pass, and count it.

        Args:
            agent_id: The agent that is called.
            principal: Who calls it.
            address: Where from, for callers who do not say who they are.

        Raises:
            HttpError: With 429 and a Retry-After if the caller has sent as many as it may.
        """
        quota = principal.quota
        requests = self._config.requests if quota is None else quota.requests
        seconds = self._config.seconds if quota is None else quota.seconds
        if not requests:
            return
        windows = self._known if principal.name else self._nameless
        caller = principal.name or _from(address)
        wait = await self._waited(windows, agent_id, caller, requests, seconds)
        if wait:
            raise _refused(requests, seconds, wait)

    def standing(self) -> Standing:
        """Return whether the windows are shared as they should be."""
        return "degraded" if self._down else "ok"

    async def close(self) -> None:
        """Close all connections."""
        if self._shared is not None:
            await self._shared.close()

    async def _waited(
        self, windows: Windows, agent_id: str, caller: str, requests: int, seconds: int
    ) -> float:
        """Count a request and return 0, or return how long its caller has to wait."""
        name = f"{agent_id}/{requests}/{seconds}/{caller}"
        wait = windows.wait(name, requests, seconds)
        if wait:
            return wait
        share = requests
        if self._shared is not None:
            if self._may_try():
                trial = self._down
                try:
                    wait = await self._shared.take(_item(requests, seconds), agent_id, caller)
                except SharedDown:
                    self._fell()
                else:
                    if trial:
                        self._rose()
                    if not wait:
                        windows.note(name, requests, seconds)
                    return wait
            share = max(1, requests // self._config.processes)
            wait = windows.wait(name, share, seconds)
        if not wait:
            windows.note(name, requests, seconds)
        return wait

    def _may_try(self) -> bool:
        """Whether the store is asked: always while it answers, else by one request a second."""
        if not self._down:
            return True
        if self._clock() < self._next_try:
            return False
        self._next_try = self._clock() + _PAUSE_SECONDS
        return True

    def _fell(self) -> None:
        self._next_try = self._clock() + _PAUSE_SECONDS
        if not self._down:
            self._down = True
            _LOG.warning(
                "the store of the limits does not answer: each process admits its share until it does"
            )
            self._tell()

    def _rose(self) -> None:
        self._down = False
        _LOG.warning("the store of the limits answers again")
        self._tell()

    def _tell(self) -> None:
        if self._alarm is not None:
            self._alarm(self.standing())


def _refused(requests: int, seconds: int, wait: float) -> HttpError:
    # Never early: at the very end of a window its first request still counts.
    after = str(math.floor(wait) + 1).encode()
    return HttpError(
        Problem(
            RATE_LIMITED,
            f"more than {requests} requests within {seconds} seconds: come again after Retry-After",
            {"requests": str(requests), "seconds": str(seconds)},
            ((b"retry-after", after),),
        )
    )


@lru_cache(maxsize=256)
def _item(requests: int, seconds: int) -> RateLimitItem:
    from limits import RateLimitItemPerSecond

    return RateLimitItemPerSecond(requests, seconds, namespace="limit")


@lru_cache(maxsize=4096)
def _from(address: str) -> str:
    """Return the name of callers at an address; whoever has one of IPv6 has 2^64 of them."""
    try:
        read = ip_address(address)
    except ValueError:
        return f"address:{address[:_MAX_ADDRESS]}"
    if isinstance(read, IPv6Address):
        if read.ipv4_mapped is not None:
            return f"address:{read.ipv4_mapped}"
        return f"address:{IPv6Address(int(read) >> 64 << 64)}/64"
    return f"address:{read}"
