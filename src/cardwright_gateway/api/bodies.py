"""Limits of request bodies, and the memory that those of all running requests and turns share."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from cardwright.guard.answer_memory import AnswerMemory
from cardwright.http.problem import BODY_TOO_LARGE, HttpError, refuse
from cardwright.http.request import body_too_large
from cardwright_gateway.a2a.problems import OVERLOADED

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from cardwright_gateway.settings.config import GatewayConfig

# The parts of the memory that one caller, and all callers of one owner's agents together may take: no caller and no
# owner can thereby exclude the others (project decision).
_CALLER: Final = 4
_OWNER: Final = 2
# Callers without credentials get at most half of each: of all, and of what one owner's agents may take (project
# decision).
_ANONYMOUS: Final = 2
_ANONYMOUS_OF_OWNER: Final = 4
# The parts for bodies without credentials that are still received, as they may be slow: those of all, of those for
# one owner's agents, and of those from one address (project decision). The first bytes of each body are not counted
# there, so that slow large bodies exclude no small ones.
_RECEIVED: Final = 8
_RECEIVED_OF_OWNER: Final = 32
_RECEIVED_OF_ADDRESS: Final = 128
_FREE_BYTES: Final = 16 * 1024
# A request counts once more for each of these against the caller's rate limit (project decision).
_BYTES_PER_REQUEST: Final = 1024 * 1024
_VALUES_PER_REQUEST: Final = 1_250
# Refused requests whose body is still received, so that the caller sees the response; each takes some memory of the
# server (project decision).
_DISCARDED: Final = 64
_RETRY_AFTER: Final = ((b"retry-after", b"1"),)


class Share(NamedTuple):
    """A share of the memory.

    Attributes:
        part: It is the total size divided by this.
        kind: What takes it.
        name: Whose it is; "" if there is only one.
    """

    part: int
    kind: str
    name: str = ""


ALL: Final = Share(1, "all")


@dataclass(slots=True)
class BodyMemory:
    """The memory of one body, in which others cannot be: released once nothing needs the body any more.

    Attributes:
        bodies: All bodies, which share the memory.
        caller: Who sends it; "" for a caller without credentials.
        limit: The maximum size of the body.
        owner: The owner of the agent that it is for; all agents without an owner count as one owner's.
        address: The name of the address of a caller without credentials; "" if it is unknown.
        size: The size of the part that was received, in bytes.
    """

    bodies: RequestBodies
    caller: str
    limit: int
    owner: str = ""
    address: str = ""
    size: int = 0
    # Its request, and the turn that may go on after it.
    _holders: int = 1
    _receiving: bool = True

    def take(self, size: int) -> None:
        """Take memory for one more piece.

        Raises:
            HttpError: If the body is too large, or all bodies together take too much memory.
        """
        if self.size + size > self.limit:
            raise self.bodies.too_large(self.caller, self.limit)
        slow = _counted(self.size + size) - _counted(self.size)
        self.bodies.take(self._shares(size) | self._received_shares(slow), self.limit)
        self.size += size

    def received(self) -> None:
        """Release the shares of bodies that are still received: this one is complete."""
        if self._receiving:
            self.bodies.release(self._received_shares(_counted(self.size)))
            self._receiving = False

    def keep(self) -> None:
        """Keep the memory for one more holder, which calls `release` too."""
        if not self._holders:
            # The caller disconnected just before its turn began.
            self.bodies.restore(self._shares(self.size))
        self._holders += 1

    def release(self) -> None:
        """Release the memory if no other holder needs it."""
        self._holders -= 1
        if not self._holders:
            self.received()
            self.bodies.release(self._shares(self.size))

    def _shares(self, size: int) -> dict[Share, int]:
        """Return what a size takes of each share until the body is not needed any more."""
        shares = [ALL, Share(_OWNER, "owner", self.owner)]
        if self.caller:
            shares.append(Share(_CALLER, "caller", self.caller))
        else:
            shares += (Share(_ANONYMOUS, "anonymous"), Share(_ANONYMOUS_OF_OWNER, "anonymous", self.owner))
        return dict.fromkeys(shares, size)

    def _received_shares(self, size: int) -> dict[Share, int]:
        """Return what a size takes of each share while the body is received."""
        if self.caller or not self._receiving:
            return {}
        shares = [Share(_RECEIVED, "received"), Share(_RECEIVED_OF_OWNER, "received", self.owner)]
        if self.address:
            shares.append(Share(_RECEIVED_OF_ADDRESS, "address", self.address))
        return dict.fromkeys(shares, size)


@dataclass(slots=True)
class RequestBodies:
    """Limits of request bodies.

    Attributes:
        max_bytes: The maximum size of one body.
        max_anonymous_bytes: The same for callers without credentials.
        max_values: The maximum number of values in one JSON body.
        total_bytes: The maximum size of all bodies of running requests and turns in this process.
        answers: The memory of the answers of agents, of the same size.
    """

    max_bytes: int = 8 * 1024 * 1024
    max_anonymous_bytes: int = 256 * 1024
    max_values: int = 5_000
    total_bytes: int = 128 * 1024 * 1024
    answers: AnswerMemory = field(init=False)
    _taken: Counter[Share] = field(default_factory=Counter[Share])
    _discarded: int = 0

    def __post_init__(self) -> None:
        self.answers = AnswerMemory(self.total_bytes)

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
        return self._taken[ALL]

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

    def take(self, sizes: Mapping[Share, int], limit: int) -> None:
        """Take memory for a piece of a body, which may have `limit` bytes; one such body fits into every share.

        Args:
            sizes: What the piece takes of each share.
            limit: The maximum size of the body.

        Raises:
            HttpError: With 503 if other bodies take too much of a share already.
        """
        for share, size in sizes.items():
            if size and self._taken[share] + size > max(self.total_bytes // share.part, limit):
                raise refuse(
                    OVERLOADED, "too many large requests are running; try again later", headers=_RETRY_AFTER
                )
        self.restore(sizes)

    def restore(self, sizes: Mapping[Share, int]) -> None:
        """Count memory that is in use, whatever the limits are."""
        for share, size in sizes.items():
            if size:
                self._taken[share] += size

    def release(self, sizes: Mapping[Share, int]) -> None:
        """Release memory of a body."""
        for share, size in sizes.items():
            self._taken[share] -= size
            if self._taken[share] <= 0:
                del self._taken[share]

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


def _counted(size: int) -> int:
    return max(0, size - _FREE_BYTES)
