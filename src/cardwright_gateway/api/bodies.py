"""Limits of request bodies, and the memory that those of all running requests and turns share."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Self

from cardwright.http.problem import BODY_TOO_LARGE, HttpError, refuse
from cardwright.http.request import body_too_large
from cardwright_gateway.a2a.problems import OVERLOADED

if TYPE_CHECKING:
    from collections.abc import Generator

    from cardwright_gateway.settings.config import GatewayConfig

# The parts of the memory that one caller, all callers without credentials together, and all callers of one owner's
# agents together may take: no caller and no owner can thereby exclude the others (project decision).
_CALLER: Final = 4
_ANONYMOUS: Final = 32
_OWNER: Final = 2
# A request counts once more for each of these against the caller's rate limit (project decision).
_BYTES_PER_REQUEST: Final = 1024 * 1024
_VALUES_PER_REQUEST: Final = 1_250
# Refused requests whose body is still received, so that the caller sees the response; each takes some memory of the
# server (project decision).
_DISCARDED: Final = 64
_RETRY_AFTER: Final = ((b"retry-after", b"1"),)


@dataclass(slots=True)
class BodyMemory:
    """The memory of one body, in which others cannot be: released once nothing needs the body any more.

    Attributes:
        bodies: All bodies, which share the memory.
        caller: Who sends it; "" for a caller without credentials.
        limit: The maximum size of the body.
        owner: The owner of the agent that it is for, or "".
        size: The size of the part that was received, in bytes.
    """

    bodies: RequestBodies
    caller: str
    limit: int
    owner: str = ""
    size: int = 0
    # Its request, and the turn that may go on after it.
    _holders: int = 1

    def take(self, size: int) -> None:
        """Take memory for one more piece.

        Raises:
            HttpError: If the body is too large, or all bodies together take too much memory.
        """
        if self.size + size > self.limit:
            raise self.bodies.too_large(self.caller, self.limit)
        self.bodies.take(self.caller, size, self.limit, self.owner)
        self.size += size

    def keep(self) -> None:
        """Keep the memory for one more holder, which calls `release` too."""
        if not self._holders:
            # The caller disconnected just before its turn began.
            self.bodies.restore(self.caller, self.size, self.owner)
        self._holders += 1

    def release(self) -> None:
        """Release the memory if no other holder needs it."""
        self._holders -= 1
        if not self._holders:
            self.bodies.release(self.caller, self.size, self.owner)


@dataclass(slots=True)
class RequestBodies:
    """Limits of request bodies.

    Attributes:
        max_bytes: The maximum size of one body.
        max_anonymous_bytes: The same for callers without credentials.
        max_values: The maximum number of values in one JSON body.
        total_bytes: The maximum size of all bodies of running requests and turns in this process.
    """

    max_bytes: int = 8 * 1024 * 1024
    max_anonymous_bytes: int = 256 * 1024
    max_values: int = 5_000
    total_bytes: int = 128 * 1024 * 1024
    # By caller, and by owner.
    _taken: Counter[str] = field(default_factory=Counter[str])
    _taken_of: Counter[str] = field(default_factory=Counter[str])
    _total: int = 0
    _discarded: int = 0

    @classmethod
    def of(cls, config: GatewayConfig) -> Self:
        """Return the limits of a configuration."""
        return cls(
            config.max_body_bytes,
            config.max_anonymous_body_bytes,
            config.max_body_values,
            config.max_bodies_bytes,
        )

    @property
    def taken(self) -> int:
        """The size of all bodies of running requests and turns now, in bytes."""
        return self._total

    def limit(self, caller: str) -> int:
        """Return the maximum size of a body of a caller; "" is any caller without credentials."""
        return self.max_bytes if caller else min(self.max_bytes, self.max_anonymous_bytes)

    def too_large(self, caller: str, max_bytes: int) -> HttpError:
        """Return the error for a body that exceeds a limit, to be raised."""
        if caller or max_bytes >= self.max_bytes:
            return body_too_large(max_bytes)
        return refuse(
            BODY_TOO_LARGE,
            f"without credentials for the gateway, a body may have at most {max_bytes:,} bytes; send a key, or less",
        )

    def take(self, caller: str, size: int, limit: int, owner: str = "") -> None:
        """Take memory for a piece of a body, which may have `limit` bytes; one such body fits into every share.

        Args:
            caller: Who sends it; "" for a caller without credentials.
            size: The size of the piece, in bytes.
            limit: The maximum size of the body.
            owner: The owner of the agent that it is for; all agents without an owner count as one owner's.

        Raises:
            HttpError: With 503 if the bodies of the caller, of the owner or of all take too much already.
        """
        parts = (
            (self._taken[caller], _CALLER if caller else _ANONYMOUS),
            (self._taken_of[owner], _OWNER),
            (self._total, 1),
        )
        if any(taken + size > max(self.total_bytes // part, limit) for taken, part in parts):
            raise refuse(
                OVERLOADED, "too many large requests are running; try again later", headers=_RETRY_AFTER
            )
        self.restore(caller, size, owner)

    def restore(self, caller: str, size: int, owner: str = "") -> None:
        """Count memory that is in use, whatever the limits are."""
        self._taken[caller] += size
        self._taken_of[owner] += size
        self._total += size

    def release(self, caller: str, size: int, owner: str = "") -> None:
        """Release the memory of a body."""
        self._total -= size
        for taken, name in ((self._taken, caller), (self._taken_of, owner)):
            taken[name] -= size
            if taken[name] <= 0:
                del taken[name]

    @contextmanager
    def discarding(self) -> Generator[bool]:
        """Give whether the body of a refused request may be received and dropped; otherwise the connection ends."""
        self._discarded += 1
        try:
            yield self._discarded <= _DISCARDED
        finally:
            self._discarded -= 1

    def check_values(self, values: int) -> None:
        """Check the number of values in a JSON body.

        Raises:
            HttpError: If there are too many.
        """
        if values > self.max_values:
            raise refuse(
                BODY_TOO_LARGE,
                f"the body has more than {self.max_values:,} values (decode/too-many-values); send the data as a file",
            )


def extra_requests(size: int, values: int) -> int:
    """Return how many more requests a body counts for.

    >>> extra_requests(2_000, 40), extra_requests(8 * 1024 * 1024, 2_500)
    (0, 10)
    """
    return size // _BYTES_PER_REQUEST + values // _VALUES_PER_REQUEST
