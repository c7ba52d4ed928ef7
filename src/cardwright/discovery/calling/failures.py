"""What went wrong in a foreign client, as an error of ours."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cardwright.discovery.card_lookup import challenges, retry_after
from cardwright.errors import AccessDenied, BadAnswer, CardError, PeerError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.guard import Headers


def chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, those in a group, and what they came from; each once."""
    waiting, seen = [error], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, BaseExceptionGroup):
            waiting += one.exceptions
        waiting += [cause for cause in (one.__context__, one.__cause__) if cause is not None]


def ours(error: BaseException) -> CardError | None:
    """Return the error of ours that a foreign one came from, or None."""
    return next((one for one in chain(error) if isinstance(one, CardError)), None)


def by_status(url: str, status: int, headers: Headers) -> PeerError:
    """Return what an HTTP status that is no success means for the caller."""
    if status in (401, 403):
        return AccessDenied(url, status, challenges(headers))
    if 300 <= status < 400:
        return BadAnswer(url, "redirects", f"it answers {status}: calls follow no redirect", status=status)
    after = retry_after(headers, time.time())
    return BadAnswer(url, "status", f"it answers {status}", status=status, retry_after=after)


def no_reply(url: str, protocol: str) -> BadAnswer:
    """Return that an answer is none of its protocol."""
    return BadAnswer(url, "not-a-reply", f"its answer is no reply of {protocol}")
