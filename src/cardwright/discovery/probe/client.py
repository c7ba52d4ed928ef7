"""Asking politely: one request after another, not many, not for long, and credentials to one origin alone."""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from cardwright.errors import CardError, PeerTimeout, PeerUnreachable
from cardwright.guard import MAX_BYTES, Answer, Headers, Timeouts, target_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

    from cardwright.guard import GuardedClient
    from cardwright.guard.client import Streamed

EVENTS: Final = "text/event-stream"
# One answer may take so long (reliability: total for cards).
_SECONDS: Final = 10.0
_DATA: Final = re.compile(rb"(?:^|\n)data:")


class Spent(CardError):
    """Nothing more is asked: the time or the requests are used up, or the peer wants to be left alone."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer: of a stream of events, only the first one's data is its body.

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
        """Whether it asks who is asking, or does not like the answer."""
        return self.status in (401, 403)


class ProbeClient:
    """Asks, and counts.

    Args:
        client: What dials.
        origin: Where `headers` may go, and nowhere else.
        headers: What proves who is asking.
        clock: Seconds that only go forward.
        until: When nothing more is asked.
        most: How many requests are made.
    """

    def __init__(
        self,
        client: GuardedClient,
        *,
        origin: str,
        headers: Mapping[str, str],
        clock: Callable[[], float],
        until: float,
        most: int,
    ) -> None:
        self.client = client
        self.asked = 0
        self._origin = origin
        self._headers = dict(headers)
        self._clock = clock
        self._until = until
        self._most = most
        self._alone = False

    def has_credentials(self, url: str) -> bool:
        """Whether the given headers go along to a URL."""
        return bool(self._headers) and target_of(url).origin == self._origin

    async def get(self, url: str, headers: Mapping[str, str]) -> Answer:
        """Return the answer to a GET that follows redirects, as clients do that look for a card.

        Raises:
            Spent: If nothing more may be asked.
            CardError: As `GuardedClient.get`.
        """
        seconds = self._take()
        credentials = self._headers if self.has_credentials(url) else {}
        answer = await self.client.get(
            url, headers=headers, credentials=credentials, timeouts=_times(seconds)
        )
        self._look(answer.status)
        return answer

    async def ask(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        *,
        content: bytes | None = None,
        anonymous: bool = False,
    ) -> Heard:
        """Return the answer to a request; no redirect is followed.

        Args:
            method: `GET`, `HEAD`, `OPTIONS`, or `POST` with what changes nothing.
            url: Where.
            headers: Fields of the request.
            content: Its body.
            anonymous: Whether the given headers stay at home.

        Raises:
            Spent: If nothing more may be asked.
            CardError: As `GuardedClient.stream`.
        """
        seconds = self._take()
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
                ) as answer,
            ):
                heard = Heard(answer.status, answer.headers, await _body(answer))
        except TimeoutError:
            raise PeerTimeout(target_of(url).shown, f"it took longer than {seconds:.0f} seconds") from None
        self._look(heard.status)
        return heard

    def count(self, requests: int) -> None:
        """Count requests that something else made."""
        self.asked += requests

    def left(self) -> float:
        """Return how many seconds one request may take.

        Raises:
            Spent: If there are none.
        """
        left = self._until - self._clock()
        if left <= 0:
            raise Spent("the time is up")
        return min(_SECONDS, left)

    def _take(self) -> float:
        if self._alone:
            raise Spent("it answers 429: it wants to be left alone")
        if self.asked >= self._most:
            raise Spent(f"{self._most} requests were made")
        left = self.left()
        self.asked += 1
        return left

    def _look(self, status: int) -> None:
        if status == 429:
            self._alone = True
            raise Spent("it answers 429: it wants to be left alone")


def media_type(headers: Headers) -> str:
    """Return the media type of an answer, lower case, without parameters; "" where it has none."""
    return (headers.get("content-type") or "").partition(";")[0].strip().lower()


async def _body(answer: Streamed) -> bytes:
    events = media_type(answer.headers) == EVENTS
    body = bytearray()
    # `chunks` is a generator: closed at once, it leaves nothing behind that still reads.
    async with aclosing(cast("AsyncGenerator[bytes]", answer.chunks())) as chunks:
        try:
            async for chunk in chunks:
                body += chunk
                if events and (event := first_event(bytes(body))):
                    return event
        except (PeerTimeout, PeerUnreachable):
            # A stream that was opened is an answer, though nothing comes of it.
            if not events:
                raise
    return b"" if events else bytes(body)


def first_event(text: bytes) -> bytes:
    """Return the data of the first event that has come whole (WHATWG HTML, server-sent events)."""
    blocks = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n\n")
    whole = next((block for block in blocks[:-1] if _DATA.search(block)), b"")
    lines = [line[5:].removeprefix(b" ") for line in whole.split(b"\n") if line.startswith(b"data:")]
    return b"\n".join(lines)


def _times(seconds: float) -> Timeouts:
    return Timeouts(connect=min(3.0, seconds), first_byte=min(5.0, seconds), total=seconds)
