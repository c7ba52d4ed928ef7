"""Rate limits of callers per agent."""

from __future__ import annotations

import logging
import math
import time
from dataclasses import dataclass, replace
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Final, Literal

from cardwright.http.problem import HttpError, Problem
from cardwright_gateway.a2a.problems import RATE_LIMITED
from cardwright_gateway.auth.memory_limiter import MemoryWindows
from cardwright_gateway.auth.principal import Principal, Quota
from cardwright_gateway.auth.rate_limit import RateLimit
from cardwright_gateway.auth.redis_limiter import Counted, RedisUnavailable, RedisWindows

if TYPE_CHECKING:
    from collections.abc import Callable

    from limits import RateLimitItem

    from cardwright_gateway_models.settings.gateway import LimitSettings

_LOG: Final = logging.getLogger("cardwright_gateway.limits")
LimiterStatus = Literal["ok", "degraded"]
# Pause before a failed store is tried again.
_PAUSE_SECONDS: Final = 1.0
# Not the id of any agent, and how many changes one owner can make (project decision).
_CHANGES: Final = "/changes"
# The rate limits of callers for requests to no single agent.
UPLOADS: Final = "/uploads"
OWN_TASKS: Final = "/tasks"
_CHANGE_QUOTA: Final = Quota(requests=300, seconds=60)
# A site may have all networks of /64 in a /48: together they have so many times the limit of one (project decision).
_SITE_BITS: Final = 48
_PER_SITE: Final = 16
# Maximum length of an address; servers give shorter ones.
_MAX_ADDRESS: Final = 64


@dataclass(frozen=True, slots=True)
class _Window:
    """The moving window of one caller.

    Attributes:
        windows: The windows in memory that it belongs to.
        agent_id: The agent.
        caller: The caller.
        requests: The maximum number of requests in it.
        seconds: Its length.
    """

    windows: MemoryWindows
    agent_id: str
    caller: str
    requests: int
    seconds: int

    def state(self, counted: Counted) -> RateLimit:
        """Return the rate limit after a request."""
        policy = self.agent_id[1:] if self.agent_id.startswith("/") else "calls"
        return RateLimit(policy, self.requests, self.seconds, counted.remaining, counted.reset)


class Limiter:
    """Rate limiter with moving windows; a caller's own quota overrides the configured limit.

    If the windows are shared in Redis and it is unavailable, each process admits its share of the limit, so that
    together they stay within it. Requests admitted before still count.

    Args:
        config: The limit, and the URL of the shared store.
        clock: A monotonic clock, in seconds.
        alarm: Called with the new status when it changes.

    Raises:
        BadConfiguration: If the store's URL is not valid.
        MissingPackage: If the client library of the store is not installed.
    """

    def __init__(
        self,
        config: LimitSettings,
        clock: Callable[[], float] = time.monotonic,
        alarm: Callable[[LimiterStatus], None] | None = None,
    ) -> None:
        self._config = config
        self._clock = clock
        self._alarm = alarm
        # Separate, so that a flood from many addresses cannot displace authenticated callers.
        self._authenticated, self._anonymous = MemoryWindows(clock), MemoryWindows(clock)
        self._shared = RedisWindows(config.redis) if config.redis else None
        self._down = False
        self._next_try = 0.0

    async def admit(self, agent_id: str, principal: Principal, address: str) -> RateLimit | None:
        """Admit a request, count it, and return what is left; None without a limit.

        Args:
            agent_id: The agent that is called.
            principal: The caller.
            address: The IP address, to count anonymous callers.

        Raises:
            HttpError: With 429 and Retry-After if the caller has reached its limit.
        """
        window = self._window(agent_id, principal, address)
        if window is None:
            return None
        state = await self._admit(window)
        site = "" if principal.name else caller_at(address, _SITE_BITS)
        if site.endswith(f"/{_SITE_BITS}"):
            # After its own limit, so that one network does not use up that of the site.
            await self._admit(replace(window, caller=site, requests=window.requests * _PER_SITE))
        return state

    async def _admit(self, window: _Window) -> RateLimit:
        counted = await self._count(window)
        state = window.state(counted)
        if not counted.admitted:
            raise _rate_limited(state)
        return state

    async def admit_change(self, owner_id: str) -> RateLimit | None:
        """Admit a change by an owner, and count it: each adds a row to the audit log.

        Raises:
            HttpError: As for `admit`.
        """
        if self._config.requests:
            return await self.admit(_CHANGES, Principal("user", owner_id, quota=_CHANGE_QUOTA), "")
        return None

    async def charge(
        self, agent_id: str, principal: Principal, address: str, requests: int
    ) -> RateLimit | None:
        """Count more requests, as far as they fit into the window, and return what is left; None without a limit.

        Args:
            agent_id: As for `admit`.
            principal: As for `admit`.
            address: As for `admit`.
            requests: How many.
        """
        window = self._window(agent_id, principal, address)
        if window is None:
            return None
        counted = Counted(admitted=True, remaining=0, reset=0)
        for _ in range(max(1, min(requests, window.requests))):
            counted = await self._count(window)
            if not counted.admitted:
                break
        return window.state(counted)

    def _window(self, agent_id: str, principal: Principal, address: str) -> _Window | None:
        """Return the window of a caller; None if it has no limit."""
        quota = principal.quota
        requests = self._config.requests if quota is None else quota.requests
        seconds = self._config.seconds if quota is None else quota.seconds
        if not requests:
            return None
        return _Window(
            self._authenticated if principal.name else self._anonymous,
            agent_id,
            principal.name or caller_at(address),
            requests,
            seconds,
        )

    def status(self) -> LimiterStatus:
        """Return `degraded` while the shared store is unavailable, otherwise `ok`."""
        return "degraded" if self._down else "ok"

    async def close(self) -> None:
        """Close all connections."""
        if self._shared is not None:
            await self._shared.close()

    async def _count(self, window: _Window) -> Counted:
        """Count a request if it is within the limit, and return what is left."""
        requests, seconds = window.requests, window.seconds
        name = f"{window.agent_id}/{requests}/{seconds}/{window.caller}"
        windows = window.windows
        wait = windows.wait(name, requests, seconds)
        if wait:
            return Counted(admitted=False, remaining=0, reset=wait)
        share = requests
        if self._shared is not None:
            if self._may_try():
                was_down = self._down
                try:
                    counted = await self._shared.take(
                        _item(requests, seconds), window.agent_id, window.caller
                    )
                except RedisUnavailable:
                    self._set_down()
                else:
                    if was_down:
                        self._set_up()
                    if counted.admitted:
                        windows.add(name, requests, seconds)
                    return counted
            share = max(1, requests // self._config.processes)
            wait = windows.wait(name, share, seconds)
        if wait:
            return Counted(admitted=False, remaining=0, reset=wait)
        windows.add(name, requests, seconds)
        remaining, reset = windows.state(name, share, seconds)
        return Counted(admitted=True, remaining=remaining, reset=reset)

    def _may_try(self) -> bool:
        """Return whether to use the store: always while it responds, otherwise once a second."""
        if not self._down:
            return True
        if self._clock() < self._next_try:
            return False
        self._next_try = self._clock() + _PAUSE_SECONDS
        return True

    def _set_down(self) -> None:
        self._next_try = self._clock() + _PAUSE_SECONDS
        if not self._down:
            self._down = True
            _LOG.warning(
                "the rate-limit store is unavailable; until it responds, each process admits its share of the limit"
            )
            self._notify()

    def _set_up(self) -> None:
        self._down = False
        _LOG.warning("the rate-limit store is available again")
        self._notify()

    def _notify(self) -> None:
        if self._alarm is not None:
            self._alarm(self.status())


def _rate_limited(state: RateLimit) -> HttpError:
    requests, seconds = state.requests, state.seconds
    # Rounded up: at the very end of a window its first request still counts.
    after = str(math.floor(state.reset) + 1).encode()
    limit = "1 request" if requests == 1 else f"{requests} requests"
    window = "1 second" if seconds == 1 else f"{seconds} seconds"
    return HttpError(
        Problem(
            RATE_LIMITED,
            f"more than {limit} within {window}; retry after the time in Retry-After",
            {"requests": str(requests), "seconds": str(seconds)},
            ((b"retry-after", after), *state.fields),
        )
    )


@lru_cache(maxsize=256)
def _item(requests: int, seconds: int) -> RateLimitItem:
    from limits import RateLimitItemPerSecond

    return RateLimitItemPerSecond(requests, seconds, namespace="limit")


@lru_cache(maxsize=4096)
def caller_at(address: str, bits: int = 64) -> str:
    """Return the name of callers at an address; one IPv6 caller may have 2^64 addresses, a /64 network.

    Args:
        address: The address.
        bits: The bits of an IPv6 address that count.
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return f"address:{address[:_MAX_ADDRESS]}"
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return f"address:{parsed.ipv4_mapped}"
        return f"address:{IPv6Network((int(parsed), bits), strict=False)}"
    return f"address:{parsed}"
