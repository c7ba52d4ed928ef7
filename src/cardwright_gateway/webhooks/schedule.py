"""Retry schedule of deliveries (BeeOS seed §7)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Up to 10 % more, so that deliveries that failed together are not retried together.
_JITTER: Final = 0.1
_MAX_RETRY_AFTER: Final = 86400.0


def wait_after(
    schedule: Sequence[float],
    attempts: int,
    *,
    retry_after: float | None = None,
    spread: Callable[[], float] = random.random,
) -> float | None:
    """Return the seconds until the next attempt; None if that was the last one.

    Args:
        schedule: The wait after each failed attempt, in seconds.
        attempts: How many attempts have failed.
        retry_after: Seconds from the Retry-After header, at most a day; the longer wait counts.
        spread: Returns a number from 0 to 1, for the jitter.
    """
    if attempts > len(schedule):
        return None
    wait = schedule[attempts - 1] * (1 + _JITTER * spread())
    return max(wait, min(retry_after or 0.0, _MAX_RETRY_AFTER))
