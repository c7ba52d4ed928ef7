"""Conversion of SDK exceptions and HTTP errors to `CardError`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cardwright.discovery.card_lookup import challenges, retry_after
from cardwright.errors import AccessDenied, BadResponse, CardError, PeerError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.guard import Headers


def chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, the exceptions of a group, and their causes; each once."""
    waiting, seen = [error], set[int]()
    while waiting:
        current = waiting.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        if isinstance(current, BaseExceptionGroup):
            waiting += current.exceptions
        waiting += [cause for cause in (current.__context__, current.__cause__) if cause is not None]


def card_error_in(error: BaseException) -> CardError | None:
    """Return the `CardError` that caused an SDK exception, or None."""
    return next((link for link in chain(error) if isinstance(link, CardError)), None)


def by_status(url: str, status: int, headers: Headers) -> PeerError:
    """Return the error for an HTTP status that is not a success."""
    if status in (401, 403):
        return AccessDenied(url, status, challenges(headers))
    if 300 <= status < 400:
        reason = f"HTTP {status}: calls do not follow redirects; use the final URL"
        return BadResponse(url, "redirects", reason, status=status)
    after = retry_after(headers, time.time())
    return BadResponse(url, "status", f"HTTP {status}", status=status, retry_after=after)


def no_reply(url: str, protocol: str) -> BadResponse:
    """Return the error for a response that is not one of its protocol."""
    return BadResponse(url, "not-a-reply", f"the response is not a valid {protocol} response")
