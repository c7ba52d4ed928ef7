"""Public key sets of token issuers, from files or URLs."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cardwright.errors import BadConfiguration, BadKey, CardError
from cardwright.guard import target_of
from cardwright.regular_file import read_regular_file, stamp_of
from cardwright.signing import KeySet
from cardwright.signing.keys import KEY_LIMITS
from cardwright_gateway.single_flight import shared_task

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_LOG: Final = logging.getLogger("cardwright_gateway.auth")
# Minimum interval (project decision) between fetches from one origin, however many unknown key ids are sent.
PAUSE_SECONDS: Final = 60.0
# A key set is fetched again after this time, to notice keys that the issuer removed (project decision).
FRESH_SECONDS: Final = 300.0
# Maximum age of a key set whose issuer does not respond, so that a revocation takes effect (project decision).
MAX_AGE_SECONDS: Final = 24 * 3600.0
# How often a file is checked for changes.
_CHECK_SECONDS: Final = 1.0


class KeysUnavailable(CardError):
    """The keys of an issuer are unavailable, so its tokens cannot be verified: try again later."""


class FileKeys:
    """Key set of a file; reread when the file changes. If it cannot be read then, the old keys stay valid.

    Raises:
        BadConfiguration: If it cannot be read the first time.
    """

    def __init__(self, place: str, clock: Callable[[], float]) -> None:
        self._path = Path(place)
        self._clock = clock
        self._checked_at = clock()
        self._stamp = stamp_of(self._path)
        try:
            self._keys = self._read()
        except (OSError, BadKey) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise BadConfiguration("", f"/jwt: cannot read the keys in {place}: {reason}") from None

    async def find(self, kid: str) -> KeySet:
        """Return the key set."""
        del kid
        now = self._clock()
        if now - self._checked_at >= _CHECK_SECONDS:
            self._checked_at = now
            stamp = stamp_of(self._path)
            if stamp != self._stamp:
                self._stamp = stamp
                await self._renew()
        return self._keys

    async def close(self) -> None:
        """Do nothing: a file needs no cleanup."""

    async def _renew(self) -> None:
        try:
            self._keys = await asyncio.to_thread(self._read)
        except (OSError, BadKey):
            # The file may be incomplete while it is written: try again at the next check.
            self._stamp = None
            _LOG.warning("cannot read the keys in %s; still using the previous keys", self._path)

    def _read(self) -> KeySet:
        return KeySet.from_bytes(read_regular_file(self._path, KEY_LIMITS.max_bytes + 1))


@dataclass(frozen=True, slots=True)
class _FetchedSet:
    keys: KeySet
    fetched: float


class FetchLimit:
    """Rate limit of fetches per origin; issuers at one origin share it."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._fetched_at: dict[str, float] = {}

    def allow(self, origin: str, *, first: bool) -> bool:
        """Return whether a fetch is allowed now; the first of a URL always is: issuers do not block each other."""
        now = self._clock()
        if not first and now - self._fetched_at.get(origin, -PAUSE_SECONDS) < PAUSE_SECONDS:
            return False
        self._fetched_at[origin] = now
        return True


class FetchedKeys:
    """Key set at a URL from the configuration.

    Args:
        url: The URL.
        fetch: Fetches the URL.
        limit: The rate limit, shared by all issuers.
        clock: A monotonic clock, in seconds.
    """

    def __init__(
        self,
        url: str,
        fetch: Callable[[str], Awaitable[bytes]],
        limit: FetchLimit,
        clock: Callable[[], float],
    ) -> None:
        self._url = url
        self._origin = target_of(url).origin
        self._fetch = fetch
        self._limit = limit
        self._clock = clock
        self._stored: _FetchedSet | None = None
        self._first = True
        self._fetching: asyncio.Task[None] | None = None

    async def find(self, kid: str) -> KeySet:
        """Return the key set; fetch it first if it lacks the id and the rate limit allows it.

        Raises:
            KeysUnavailable: If there is no key set, or it is too old.
        """
        now = self._clock()
        stored = self._stored
        if stored is not None and now - stored.fetched >= MAX_AGE_SECONDS:
            stored = self._stored = None
        has = stored is not None and kid in stored.keys
        if not has or stored is None or now - stored.fetched >= FRESH_SECONDS:
            self._start_fetch()
        # A token with a known key does not wait for the fetch.
        if not has and self._fetching is not None:
            # Cancelling a waiter does not cancel the fetch, and the other way round.
            await asyncio.wait([self._fetching])
        if self._stored is None:
            raise KeysUnavailable("the keys of the token's issuer are unavailable; try again later")
        return self._stored.keys

    async def close(self) -> None:
        """Cancel a running fetch."""
        if self._fetching is not None:
            self._fetching.cancel()
            await asyncio.gather(self._fetching, return_exceptions=True)

    def _start_fetch(self) -> None:
        if self._fetching is None and self._limit.allow(self._origin, first=self._first):
            self._first = False
            self._fetching = shared_task(self._renew())

    async def _renew(self) -> None:
        try:
            self._stored = _FetchedSet(KeySet.from_bytes(await self._fetch(self._url)), self._clock())
        except CardError as error:
            # Keep the old keys. The error is a `CardError`, and does not quote the response.
            _LOG.warning("cannot fetch the keys of an issuer: %s", error)
        finally:
            self._fetching = None
