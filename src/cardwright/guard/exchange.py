"""One exchange on behalf of a foreign HTTP client: its request goes out through the guarded one."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError, ConnectionDenied
from cardwright.guard.answers import Timeouts
from cardwright.guard.target import target_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping

    from cardwright.guard.answers import Headers
    from cardwright.guard.client import GuardedClient, Streamed

# What the client below writes itself, and codings that it would not undo.
_OWN: Final = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "keep-alive", "te"}
)
# An answer of an agent, every event of its stream together (ours).
MAX_ANSWER: Final = 16 * 1024 * 1024

# MCP ends a session by DELETE: nobody waits long for the answer to that (ours).
_ENDING: Final = Timeouts(connect=2.0, first_byte=2.0, total=None)


@dataclass(slots=True)
class Route:
    """How requests of a foreign client go out.

    Attributes:
        client: What dials.
        credentials_for: By origin, such as `https://a.example`, fields that it alone may see.
        max_bytes: How much of one answer is read.
        timeouts: How long to wait; the client's own where None.
        configured: An origin of the operator's configuration, which may be dialled wherever it is.
        failure: The last error of ours that a POST ended in: foreign clients may swallow it.
        posted: The status and header fields of the last answer to a POST, likewise.
    """

    client: GuardedClient
    credentials_for: Mapping[str, Mapping[str, str]] = field(repr=False)
    max_bytes: int = MAX_ANSWER
    timeouts: Timeouts | None = None
    configured: str | None = None
    failure: CardError | None = field(default=None, init=False)
    posted: tuple[int, Headers] | None = field(default=None, init=False)

    async def send(
        self, method: str, url: str, headers: Iterable[tuple[str, str]], content: bytes
    ) -> Exchange:
        """Send a request; the answer's header is there when this returns. No redirect is followed.

        Raises:
            CardError: As `GuardedClient.stream`.
        """
        stack = AsyncExitStack()
        fields = {name: value for name, value in headers if name.lower() not in _OWN}
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
                    timeouts=_ENDING if method == "DELETE" else self.timeouts,
                )
            )
        except CardError as error:
            self.note(method, error)
            raise
        if method == "POST":
            self.posted = answer.status, answer.headers
        return Exchange(answer, stack, method, self)

    def note(self, method: str, error: CardError) -> None:
        """Note an error; what listens beside the calls, by GET, may fail without harm."""
        if method == "POST":
            self.failure = error

    def _credentials(self, url: str) -> dict[str, str]:
        origin = target_of(url).origin
        found: dict[str, str] = {}
        for given, fields in self.credentials_for.items():
            if origin_of(given) == origin:
                found |= fields
        return found


def origin_of(url: str) -> str:
    """Return the origin of a URL; the URL itself where it has none."""
    try:
        return target_of(url).origin
    except ConnectionDenied:
        return url


class Exchange:
    """An answer that comes in pieces, and the connection that it comes over.

    Attributes:
        status: The HTTP status.
        headers: The header fields.
    """

    def __init__(self, answer: Streamed, stack: AsyncExitStack, method: str, route: Route) -> None:
        self.status = answer.status
        self.headers = answer.headers.items()
        self._answer = answer
        self._stack = stack
        self._method = method
        self._route = route

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the body as it comes.

        Raises:
            CardError: As `Streamed.chunks`.
        """
        try:
            async for piece in self._answer.chunks():
                yield piece
        except CardError as error:
            self._route.note(self._method, error)
            raise

    async def close(self) -> None:
        """Give the connection back, or close it where the body was not read to its end."""
        await self._stack.aclose()
