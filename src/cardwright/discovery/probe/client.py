"""HTTP client of the probe: sequential requests, a request limit, a time limit, credentials for one origin."""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError, PeerTimeout, PeerUnreachable
from cardwright.guard import MAX_BYTES, Headers, Response, Timeouts, target_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.guard import GuardedClient
    from cardwright.guard.streamed import Streamed

EVENTS: Final = "text/event-stream"
# The time limit for one response, that of a card (project decision).
_SECONDS: Final = 10.0
_DATA: Final = re.compile(rb"(?:^|\n)data:")


class BudgetSpent(CardError):
    """The probe must stop: its time or requests are used up, or the peer responded with 429."""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """An HTTP response; of an event stream, the body is the data of the first event.

    Attributes:
        status: The HTTP status.
        headers: Its header fields.
        body: Its bytes.
    """

    status: int
    headers: Headers
    body: bytes

    @property
    def media_type(self) -> str:
        """The media type, lower case, without parameters."""
        return media_type(self.headers)

    @property
    def denied(self) -> bool:
        """Whether the status is 401 or 403."""
        return self.status in (401, 403)


class ProbeClient:
    """HTTP client of the probe, with limits.

    Args:
        client: The guarded HTTP client.
        origin: The only origin that gets `headers`.
        headers: Credentials.
        clock: Monotonic clock, in seconds.
        deadline: The time limit, on that clock.
        max_requests: The maximum number of requests.
    """

    def __init__(
        self,
        client: GuardedClient,
        *,
        origin: str,
        headers: Mapping[str, str],
        clock: Callable[[], float],
        deadline: float,
        max_requests: int,
    ) -> None:
        self.client = client
        self.request_count = 0
        self._origin = origin
        self._headers = dict(headers)
        self._clock = clock
        self._deadline = deadline
        self._max_requests = max_requests
        self._throttled = False

    def has_credentials(self, url: str) -> bool:
        """Whether requests to a URL carry the given headers."""
        return bool(self._headers) and target_of(url).origin == self._origin

    @property
    def credentials_for(self) -> dict[str, dict[str, str]]:
        """The given headers by the only origin that gets them."""
        return {self._origin: self._headers} if self._headers else {}

    async def get(self, url: str, headers: Mapping[str, str]) -> Response:
        """Return the response to a GET that follows redirects, as clients do that look for a card.

        Raises:
            BudgetSpent: If a limit is reached.
            CardError: As `GuardedClient.get`.
        """
        seconds = self.count_request()
        credentials = self._headers if self.has_credentials(url) else {}
        answer = await self.client.get(
            url, headers=headers, credentials=credentials, timeouts=_times(seconds)
        )
        self.check_throttled(answer.status)
        return answer

    async def request(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        *,
        content: bytes | None = None,
        anonymous: bool = False,
    ) -> HttpResponse:
        """Return the response to a request; redirects are not followed.

        Args:
            method: `GET`, `HEAD`, `OPTIONS`, or `POST` with a body that changes nothing.
            url: The URL.
            headers: Header fields of the request.
            content: Its body.
            anonymous: Whether to leave out the given headers.

        Raises:
            BudgetSpent: If a limit is reached.
            CardError: As `GuardedClient.stream`.
        """
        seconds = self.count_request()
        credentials = self._headers if not anonymous and self.has_credentials(url) else {}
        try:
            async with (
                asyncio.timeout(seconds),
                self.client.stream(
                    method,
                    url,
                    headers=headers,
                    credentials=credentials,
                    content=content,
                    max_bytes=MAX_BYTES,
                    timeouts=_times(seconds),
                    # On a reused connection that breaks, the response to a POST would be missing without a reason.
                    fresh=method not in ("GET", "HEAD", "OPTIONS"),
                ) as answer,
            ):
                response = HttpResponse(answer.status, answer.headers, await _body(answer))
        except TimeoutError:
            message = f"no complete response within {seconds:.0f} seconds"
            raise PeerTimeout(target_of(url).safe_url, message) from None
        self.check_throttled(response.status)
        return response

    def count(self, requests: int) -> None:
        """Count requests made by other code."""
        self.request_count += requests

    def left(self) -> float:
        """Return the time limit for the next request, in seconds.

        Raises:
            BudgetSpent: If no time is left.
        """
        left = self._deadline - self._clock()
        if left <= 0:
            raise BudgetSpent("the time limit is reached")
        return min(_SECONDS, left)

    def count_request(self) -> float:
        """Count a request, and return its time limit, in seconds.

        Raises:
            BudgetSpent: If a limit is reached.
        """
        if self._throttled:
            raise BudgetSpent("the agent responded with 429 (too many requests)")
        if self.request_count >= self._max_requests:
            raise BudgetSpent(f"the limit of {self._max_requests} requests is reached")
        left = self.left()
        self.request_count += 1
        return left

    def check_throttled(self, status: int) -> None:
        """Stop the probe if a response has the status 429.

        Raises:
            BudgetSpent: If it has.
        """
        if status == 429:
            self._throttled = True
            raise BudgetSpent("the agent responded with 429 (too many requests)")


def media_type(headers: Headers) -> str:
    """Return the media type of a response, lower case, without parameters; "" if it has none."""
    return (headers.get("content-type") or "").partition(";")[0].strip().lower()


async def _body(answer: Streamed) -> bytes:
    events = media_type(answer.headers) == EVENTS
    body = bytearray()
    # Closing the generator stops its read from the connection.
    async with aclosing(answer.chunks()) as chunks:
        try:
            async for chunk in chunks:
                body += chunk
                if events and (event := first_event(bytes(body))):
                    return event
        except (PeerTimeout, PeerUnreachable):
            # An event stream that opened is a response, even without events.
            if not events:
                raise
    return b"" if events else bytes(body)


def first_event(text: bytes) -> bytes:
    """Return the data of the first complete event (WHATWG HTML, server-sent events)."""
    blocks = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n\n")
    complete = next((block for block in blocks[:-1] if _DATA.search(block)), b"")
    lines = [line[5:].removeprefix(b" ") for line in complete.split(b"\n") if line.startswith(b"data:")]
    return b"\n".join(lines)


def _times(seconds: float) -> Timeouts:
    return Timeouts(connect=min(3.0, seconds), first_byte=min(5.0, seconds), total=seconds)
