"""Requests of an SDK's HTTP client, sent with the guarded client."""

from __future__ import annotations

from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError, ConnectionDenied
from cardwright.guard.message_limits import A2A_MESSAGES, EVENT_STREAM, MessageLimits, limited_pieces
from cardwright.guard.message_reader import normalized
from cardwright.guard.pace import work_of
from cardwright.guard.responses import Timeouts
from cardwright.guard.target import target_of
from cardwright.http.representation import integral
from cardwright.http.request import off_loop

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Mapping

    from cardwright.guard.answer_memory import HeldAnswer
    from cardwright.guard.client import GuardedClient
    from cardwright.guard.parsing_turns import ParsingTurn
    from cardwright.guard.responses import Headers
    from cardwright.guard.streamed import Streamed

# Header fields that the guarded client sets, and codings that it would not decode.
_CLIENT_FIELDS: Final = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "keep-alive", "te"}
)
# Header fields of a response that its body, as `Exchange.chunks` yields it, no longer has.
_DROPPED: Final = frozenset({"content-type", "content-encoding", "content-length"})
# A response of an agent, with all events of its stream (project decision).
MAX_ANSWER: Final = 16 * 1024 * 1024

# MCP ends a session with DELETE: its response is not worth a long wait (project decision).
_DELETE_TIMEOUTS: Final = Timeouts(connect=2.0, first_byte=2.0, total=None)


@dataclass(slots=True)
class Route:
    """Settings and state of an SDK client's requests.

    Attributes:
        client: The guarded HTTP client.
        credentials_for: Header fields by origin, such as `https://a.example`; each origin gets only its own.
        max_bytes: The maximum size of a response, with all events of its stream.
        messages: The limits of each message in a response.
        timeouts: The time limits; None for those of the client.
        configured: An origin from the operator's configuration; connections to it are allowed at any address.
        hold: Returns the memory of an answer, which is released when it was read; None for no limit.
        parsing: The turn in which large responses are parsed; the code that gets the parsed response ends it. None: at once.
        newer: Whether the requests are of A2A 1.0.
        reads: Whether a POST changes nothing, and may be sent once more if a reused connection breaks.
        failure: The last error of a POST: SDK clients may swallow it.
        posted: The status and header fields of the last response to a POST, for the same reason.
        in_session: Whether the request names an MCP session.
    """

    client: GuardedClient
    credentials_for: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    max_bytes: int = MAX_ANSWER
    messages: MessageLimits = A2A_MESSAGES
    timeouts: Timeouts | None = None
    configured: str | None = None
    hold: Callable[[], HeldAnswer] | None = None
    parsing: ParsingTurn | None = None
    newer: bool = False
    reads: bool = field(default=False, init=False)
    failure: CardError | None = field(default=None, init=False)
    posted: tuple[int, Headers] | None = field(default=None, init=False)
    in_session: bool = field(default=False, init=False)

    async def send(
        self, method: str, url: str, headers: Iterable[tuple[str, str]], content: bytes
    ) -> Exchange:
        """Send a request and return when the response's header has arrived. Redirects are not followed.

        Raises:
            CardError: As `GuardedClient.stream`.
        """
        stack = AsyncExitStack()
        fields = {name: value for name, value in headers if name.lower() not in _CLIENT_FIELDS}
        if self.messages is A2A_MESSAGES:
            content = await off_loop(len(content), integral, content)
        try:
            answer = await stack.enter_async_context(
                self.client.stream(
                    method,
                    url,
                    headers=fields,
                    credentials=self._credentials(url),
                    configured=self.configured,
                    content=content or None,
                    max_bytes=self.max_bytes,
                    timeouts=_DELETE_TIMEOUTS if method == "DELETE" else self.timeouts,
                    repeatable=self.reads or None,
                )
            )
        except CardError as error:
            self.note(method, error)
            raise
        if method == "POST":
            self.posted = answer.status, answer.headers
        accepted = next((value for name, value in fields.items() if name.lower() == "accept"), "")
        return Exchange(
            answer, stack, method, self, target_of(url).safe_url, may_stream=EVENT_STREAM in accepted
        )

    def note(self, method: str, error: CardError) -> None:
        """Store the error of a POST; a GET only listens in addition to the calls and may fail."""
        if method == "POST":
            self.failure = error

    def _credentials(self, url: str) -> dict[str, str]:
        own = (fields for at, fields in self.credentials_for.items() if origin_of(at) == origin_of(url))
        return {name: value for fields in own for name, value in fields.items()}


def origin_of(url: str) -> str:
    """Return the origin of a URL, or the URL itself if it has none."""
    try:
        return target_of(url).origin
    except ConnectionDenied:
        return url


class Exchange:
    """A streamed response and its connection.

    Attributes:
        status: The HTTP status.
        headers: The header fields that are true of the body as it is yielded.
        is_stream: Whether it is a stream of events, which the request accepted.
    """

    def __init__(
        self,
        answer: Streamed,
        stack: AsyncExitStack,
        method: str,
        route: Route,
        safe_url: str,
        *,
        may_stream: bool,
    ) -> None:
        self.status = answer.status
        kind = (answer.headers.get("content-type") or "").partition(";")[0].strip().lower()
        # Without parameters: an SDK would decode a body in any charset, but messages are UTF-8, and counted as such.
        # Without a content coding: the body has none any more, and an SDK would decode it again, without a limit.
        self.headers = (
            *((name, value) for name, value in answer.headers if name.lower() not in _DROPPED),
            *((("content-type", kind),) if kind else ()),
        )
        self.is_stream = may_stream and EVENT_STREAM in kind
        self._safe_url = safe_url
        self._answer = answer
        self._stack = stack
        self._method = method
        self._route = route
        self._held = None if route.hold is None else route.hold()

    async def chunks(self) -> AsyncGenerator[bytes]:
        """Yield the body in pieces: an event stream by complete events, any other body as a whole.

        Raises:
            BadResponse: If a message exceeds the limits of the route.
            CardError: As `Streamed.chunks`.
        """
        allowance = self._route.client.pace.stream()
        events, newer = self.is_stream, self._route.newer
        read = partial(normalized, limits=A2A_MESSAGES, url=self._safe_url, events=events, newer=newer)

        async def spend(events: bytes) -> None:
            await allowance.spend(work_of(events))

        try:
            async with (
                aclosing(self._answer.chunks()) as received,
                aclosing(
                    limited_pieces(
                        received,
                        self._route.messages,
                        self._safe_url,
                        events=self.is_stream,
                        held=self._held,
                        spend=spend,
                    )
                ) as pieces,
            ):
                async for piece in pieces:
                    is_a2a = self._route.messages is A2A_MESSAGES
                    yield await off_loop(len(piece), read, piece) if is_a2a else piece
        except CardError as error:
            self._route.note(self._method, error)
            raise

    async def close(self) -> None:
        """Release the connection, or close it if the body was not read to the end."""
        if self._held is not None:
            self._held.release()
        await self._stack.aclose()
