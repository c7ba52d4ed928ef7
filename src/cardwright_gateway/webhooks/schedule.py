"""When a delivery is tried again (reliability: webhooks; BeeOS seed §7)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Up to a tenth more, so that what failed together does not come back together.
_JITTER: Final = 0.1
_MOST_RETRY_AFTER: Final = 86400.0


def wait_after(
    schedule: Sequence[float],
    attempts: int,
    *,
    retry_after: float | None = None,
    spread: Callable[[], float] = random.random,
) -> float | None:
    """Return the seconds until the next attempt; None where there is none.

    Args:
        schedule: The wait after each failed attempt.
        attempts: How many have failed.
        retry_after: What the receiver asked for, honoured up to a day: the longer of both counts.
        spread: A number from 0 to 1.
    """
    if attempts > len(schedule):
        return None
    wait = schedule[attempts - 1] * (1 + _JITTER * spread())
    return max(wait, min(retry_after or 0.0, _MOST_RETRY_AFTER))
