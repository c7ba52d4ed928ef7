"""The memory that the answers of agents take in one process: no owner of agents can fill it with theirs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from cardwright.errors import BadResponse

# The part of the memory that the answers for one holder may take (project decision; as for the bodies of requests).
_HOLDER: Final = 2
# What each answer may take without being counted: most answers are never refused (project decision).
_FREE_BYTES: Final = 64 * 1024


@dataclass(slots=True)
class AnswerMemory:
    """The memory of all answers that are received or not yet sent.

    Attributes:
        total_bytes: Their maximum total size. The answers for one holder may have half of it.
    """

    total_bytes: int
    _taken: Counter[str] = field(default_factory=Counter[str])
    _total: int = 0

    @property
    def taken(self) -> int:
        """The size of the answers now, in bytes."""
        return self._total

    def hold(self, holder: str) -> HeldAnswer:
        """Return the memory of one answer; `release` frees it.

        Args:
            holder: For whom the agents answer, such as their owner.
        """
        return HeldAnswer(self, holder)

    def take(self, holder: str, size: int) -> None:
        """Take memory for a piece of an answer.

        Raises:
            BadResponse: `too-large`, if there is not enough.
        """
        if self._total + size > self.total_bytes or self._taken[holder] + size > self.total_bytes // _HOLDER:
            raise BadResponse("", "too-large", "too many large responses arrive at once; try again later")
        self._taken[holder] += size
        self._total += size

    def release(self, holder: str, size: int) -> None:
        """Release the memory of an answer."""
        self._total -= size
        self._taken[holder] -= size
        if self._taken[holder] <= 0:
            del self._taken[holder]


@dataclass(slots=True)
class HeldAnswer:
    """The memory of one answer.

    Attributes:
        memory: That of all answers.
        holder: For whom the agent answers.
        size: The size of the answer now, in bytes.
    """

    memory: AnswerMemory
    holder: str
    size: int = 0

    def add(self, size: int) -> None:
        """Take memory for one more piece.

        Raises:
            BadResponse: `too-large`, if there is not enough.
        """
        self.resize(self.size + size)

    def resize(self, size: int) -> None:
        """Take or release memory, so that the answer has a size.

        Raises:
            BadResponse: `too-large`, if there is not enough.
        """
        more = _counted(size) - _counted(self.size)
        if more > 0:
            self.memory.take(self.holder, more)
        elif more < 0:
            self.memory.release(self.holder, -more)
        self.size = size

    def release(self) -> None:
        """Release all of it."""
        self.resize(0)


def _counted(size: int) -> int:
    return max(0, size - _FREE_BYTES)
