"""The public keys of issuers: from files that may change, and from URLs that are asked seldom."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cardwright.errors import BadConfiguration, BadKey, CardError
from cardwright.guard import target_of
from cardwright.signing import KeySet
from cardwright.signing.keys import KEY_LIMITS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_LOG: Final = logging.getLogger("cardwright_gateway.auth")
# reliability.md 2b: no flood of ids that nobody has makes us ask an origin more often.
PAUSE_SECONDS: Final = 60.0
# A key that its issuer took away is no longer trusted after so long, where it can be asked (ours).
FRESH_SECONDS: Final = 300.0
# How long a key set counts whose issuer no longer answers (ours): a revocation is not put off for ever.
GREATEST_AGE_SECONDS: Final = 24 * 3600.0
# A file is looked at so often.
_LOOK_SECONDS: Final = 1.0


class KeysUnavailable(CardError):
    """The keys of an issuer cannot be had now, so nobody can say whether its tokens hold: try again later."""


class FileKeys:
    """The key set of a file, read again when that changes; one that cannot be read takes no key away.

    Raises:
        BadConfiguration: If it cannot be read at first.
    """

    def __init__(self, place: str, clock: Callable[[], float]) -> None:
        self._path = Path(place)
        self._clock = clock
        self._looked = clock()
        self._stamp = self._now()
        try:
            self._keys = self._read()
        except (OSError, BadKey) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise BadConfiguration("", f"/jwt: the keys in {place} cannot be read: {reason}") from None

    async def find(self, kid: str) -> KeySet:
        """Return the set."""
        del kid
        now = self._clock()
        if now - self._looked >= _LOOK_SECONDS:
            self._looked = now
            stamp = self._now()
            if stamp != self._stamp:
                self._stamp = stamp
                await self._renew()
        return self._keys

    async def close(self) -> None:
        """End nothing: a file needs none."""

    async def _renew(self) -> None:
        try:
            self._keys = await asyncio.to_thread(self._read)
        except (OSError, BadKey):
            # A file that is just being written is complete at the next look.
            self._stamp = None
            _LOG.warning("the keys in %s cannot be read: those that were there before are used", self._path)

    def _read(self) -> KeySet:
        with self._path.open("rb") as file:
            body = file.read(KEY_LIMITS.max_bytes + 1)
        return KeySet.from_bytes(body)

    def _now(self) -> tuple[int, int, int] | None:
        try:
            said = self._path.stat()
        except OSError:
            return None
        return said.st_mtime_ns, said.st_size, said.st_ino


@dataclass(frozen=True, slots=True)
class _Kept:
    keys: KeySet
    fetched: float


class Pauses:
    """When each origin was last asked; issuers at one origin share its turns."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._asked: dict[str, float] = {}

    def take(self, origin: str, *, first: bool) -> bool:
        """Take a turn, if it is time; the first of a URL is free, or one issuer would keep another waiting."""
        now = self._clock()
        if not first and now - self._asked.get(origin, -PAUSE_SECONDS) < PAUSE_SECONDS:
            return False
        self._asked[origin] = now
        return True


class FetchedKeys:
    """The key set at a URL; only a URL of the configuration is ever asked.

    Args:
        url: Where it lies.
        fetch: What gets it.
        pauses: Shared by all issuers.
        clock: Seconds that only grow.
    """

    def __init__(
        self,
        url: str,
        fetch: Callable[[str], Awaitable[bytes]],
        pauses: Pauses,
        clock: Callable[[], float],
    ) -> None:
        self._url = url
        self._origin = target_of(url).origin
        self._fetch = fetch
        self._pauses = pauses
        self._clock = clock
        self._kept: _Kept | None = None
        self._first = True
        self._fetching: asyncio.Task[None] | None = None

    async def find(self, kid: str) -> KeySet:
        """Return the set; an id that it does not have lets its origin be asked, if it is time.

        Raises:
            KeysUnavailable: If there is no set that still counts.
        """
        now = self._clock()
        kept = self._kept
        if kept is not None and now - kept.fetched >= GREATEST_AGE_SECONDS:
            kept = self._kept = None
        has = kept is not None and kid in kept.keys
        if not has or kept is None or now - kept.fetched >= FRESH_SECONDS:
            self._begin()
        # Whoever has a key that is known waits for nothing.
        if not has and self._fetching is not None:
            # Neither is it ended with whoever waits, nor they with it.
            await asyncio.wait([self._fetching])
        if self._kept is None:
            raise KeysUnavailable("the keys of the token's issuer cannot be had now: try again later")
        return self._kept.keys

    async def close(self) -> None:
        """End what is under way."""
        if self._fetching is not None:
            self._fetching.cancel()
            await asyncio.gather(self._fetching, return_exceptions=True)

    def _begin(self) -> None:
        if self._fetching is None and self._pauses.take(self._origin, first=self._first):
            self._first = False
            self._fetching = asyncio.create_task(self._renew())

    async def _renew(self) -> None:
        try:
            self._kept = _Kept(KeySet.from_bytes(await self._fetch(self._url)), self._clock())
        except CardError as error:
            # What failed takes no good key away. The error is ours, and says nothing of the answer.
            _LOG.warning("the keys of an issuer cannot be had: %s", error)
        finally:
            self._fetching = None
