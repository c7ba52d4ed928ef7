"""The one HTTP client: every connection of this package to another machine begins here."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Final, Self

import aiohttp
from yarl import URL

from cardwright.errors import BadAnswer, ConnectionDenied, PeerTimeout, PeerUnreachable
from cardwright.guard.answers import REDIRECTS, Answer, Headers, Timeouts
from cardwright.guard.bodies import pieces
from cardwright.guard.limits import MAX_BYTES, MAX_REDIRECTS
from cardwright.guard.resolver import CheckedResolver
from cardwright.guard.rules import Guard
from cardwright.guard.target import target_of

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping

    from cardwright.guard.resolver import Resolver
    from cardwright.guard.target import Target

# uvicorn and node close a connection that is idle for 5 s: a request that meets that is lost.
_IDLE_SECONDS: Final = 4.0
_DEFAULT_TIMEOUTS: Final = Timeouts()
_DEFAULT_GUARD: Final = Guard()


class Streamed:
    """An answer whose body comes in pieces.

    Attributes:
        url: Where it came from.
        status: The HTTP status.
        headers: Its header fields.
    """

    def __init__(
        self, response: aiohttp.ClientResponse, target: Target, shown: str, max_bytes: int | None
    ) -> None:
        self.url = target.url
        self.status = response.status
        self.headers = Headers(response.headers.items())
        self._response = response
        self._shown = shown
        self._max_bytes = max_bytes

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the body as it comes.

        Raises:
            BadAnswer: If it grows too large, or is coded otherwise than was asked for.
            PeerUnreachable: If the connection breaks.
            PeerTimeout: If the peer takes too long.
        """
        try:
            async for piece in pieces(self._response, self._shown, self._max_bytes):
                yield piece
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise fault(error, self._shown) from error


class GuardedClient:
    """An HTTP client that dials only what its guard lets it dial; an async context manager.

    The addresses that are checked are those that are dialled. Nothing is taken from the environment: no
    proxy, no `.netrc`, no cookies. Answers are asked for without a content coding.

    Args:
        guard: What may be dialled.
        timeouts: How long to wait, unless a request says otherwise.
        resolver: What looks names up; the machine's own where not given.
        ssl_context: What TLS is checked by; the machine's trust store where not given.
        user_agent: How it calls itself.
        concurrency: How many connections are open at once.
        keep_alive: Whether a connection is kept for the next request to its host. Who asks each of many
            hosts once would only gather open files.
    """

    def __init__(
        self,
        guard: Guard = _DEFAULT_GUARD,
        *,
        timeouts: Timeouts = _DEFAULT_TIMEOUTS,
        resolver: Resolver | None = None,
        ssl_context: ssl.SSLContext | None = None,
        user_agent: str = "cardwright",
        concurrency: int = 100,
        keep_alive: bool = True,
    ) -> None:
        self.guard = guard
        self._timeouts = timeouts
        self._resolver = resolver
        self._ssl = ssl_context
        self._user_agent = user_agent
        self._concurrency = concurrency
        self._keep_alive = keep_alive
        self._resolvers: list[CheckedResolver] = []
        self._guarded: aiohttp.ClientSession | None = None
        self._configured: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        """Return the client; connections are opened when they are needed."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close every connection."""
        await self.close()

    async def close(self) -> None:
        """Close every connection; the client can be used again."""
        # Let go of them first: a request that begins meanwhile opens its own.
        sessions, resolvers = (self._guarded, self._configured), self._resolvers
        self._guarded = self._configured = None
        self._resolvers = []
        for session in sessions:
            if session is not None:
                await session.close()
        # aiohttp closes no resolver that it did not make.
        for resolver in resolvers:
            await resolver.close()

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        credentials: Mapping[str, str] | None = None,
        configured: str | None = None,
        max_bytes: int = MAX_BYTES,
        redirects: int = MAX_REDIRECTS,
        timeouts: Timeouts | None = None,
    ) -> Answer:
        """Return the answer to a GET, read whole.

        Args:
            url: What to get.
            headers: Fields that every hop may see.
            credentials: Fields that only the origin of `url` may see.
            configured: An origin that the operator wrote into a configuration file: it alone may be
                dialled wherever it is, and only as the origin of `url` itself.
            max_bytes: How much is read.
            redirects: How many redirects are followed; each is checked as `url` was.
            timeouts: How long to wait.

        Raises:
            ConnectionDenied: If the guard refuses the URL or a redirect.
            PeerUnreachable: If no connection comes about, or it breaks.
            PeerTimeout: If the whole takes too long.
            BadAnswer: If the answer is too large, is coded, or redirects too often.
        """
        times = timeouts or self._timeouts
        target = target_of(url)
        shown = target.shown
        asked = shown
        hops: list[str] = []
        sent = {**(headers or {}), **(credentials or {})}
        permitted = target.origin == configured
        try:
            async with asyncio.timeout(times.total):
                while True:
                    async with self._opened(
                        "GET", target, shown, sent, None, times, max_bytes, permitted=permitted
                    ) as answer:
                        location = answer.headers.get("Location")
                        if answer.status not in REDIRECTS or location is None:
                            body = b"".join([piece async for piece in answer.chunks()])
                            return Answer(target.url, answer.status, answer.headers, body, tuple(hops))
                    if len(hops) >= redirects:
                        raise BadAnswer(
                            asked,
                            "redirects",
                            f"it redirects more than {redirects} times",
                            status=answer.status,
                        )
                    hops.append(target.url)
                    # What the peer wrote into its redirect is its text: no message has it.
                    shown = f"{asked} (where it redirects to)"
                    following = _following(target, location, shown)
                    if following.origin != target.origin:
                        # Never given back, though a later hop lead home: who knows by whom it was sent.
                        sent, permitted = dict(headers or {}), False
                    target = following
        except TimeoutError:
            raise PeerTimeout(asked, f"it took longer than {times.total:g} seconds") from None

    @asynccontextmanager
    async def stream(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        credentials: Mapping[str, str] | None = None,
        configured: str | None = None,
        content: bytes | None = None,
        max_bytes: int | None = None,
        timeouts: Timeouts | None = None,
    ) -> AsyncGenerator[Streamed]:
        """Send a request and give the answer as soon as its header is there; no redirect is followed.

        Arguments and errors are those of `get`; `total` of the timeouts is the caller's to keep.
        """
        target = target_of(url)
        sent = {**(headers or {}), **(credentials or {})}
        permitted = target.origin == configured
        times = timeouts or self._timeouts
        async with self._opened(
            method, target, target.shown, sent, content, times, max_bytes, permitted=permitted
        ) as answer:
            yield answer

    @asynccontextmanager
    async def _opened(
        self,
        method: str,
        target: Target,
        shown: str,
        headers: Mapping[str, str],
        content: bytes | None,
        times: Timeouts,
        max_bytes: int | None,
        *,
        permitted: bool,
    ) -> AsyncGenerator[Streamed]:
        if not permitted:
            with _said_of(shown):
                self.guard.check(target)
        session = self._session(permitted=permitted)
        waits = aiohttp.ClientTimeout(total=None, sock_connect=times.connect, sock_read=times.first_byte)
        try:
            # The resolver knows no more of the URL than its host.
            with _said_of(shown):
                response = await session.request(
                    method, URL(target.url, encoded=True), headers=headers, data=content, timeout=waits,
                    allow_redirects=False,
                )  # fmt: skip
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            raise fault(error, shown) from error
        try:
            yield Streamed(response, target, shown, max_bytes)
        except BaseException:
            response.close()
            raise
        # A body that was read leaves its connection for the next request; what is left of another does not.
        response.release() if response.content.at_eof() else response.close()

    def _session(self, *, permitted: bool) -> aiohttp.ClientSession:
        """Return the session: connections to configured origins are never lent to other requests."""
        if permitted:
            self._configured = self._configured or self._made(None)
            return self._configured
        self._guarded = self._guarded or self._made(self.guard)
        return self._guarded

    def _made(self, guard: Guard | None) -> aiohttp.ClientSession:
        resolver = CheckedResolver(guard, self._resolver)
        self._resolvers.append(resolver)
        # aiohttp takes one or the other.
        idle: dict[str, Any] = (
            {"keepalive_timeout": _IDLE_SECONDS} if self._keep_alive else {"force_close": True}
        )
        connector = aiohttp.TCPConnector(
            resolver=resolver,
            # A fresh look-up for each connection, for each of them its own check.
            use_dns_cache=False,
            ssl=self._ssl or True,
            limit=self._concurrency,
            **idle,
        )
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            auto_decompress=False,
            headers={"User-Agent": self._user_agent, "Accept-Encoding": "identity"},
        )


def _following(target: Target, location: str, shown: str) -> Target:
    """Return where a redirect leads, if it may lead there from here."""
    with _said_of(shown):
        following = target.joined(location)
        if target.scheme == "https" and following.scheme != "https":
            raise ConnectionDenied("guard/downgrade", "a redirect leads from https to http")
    return following


@contextmanager
def _said_of(shown: str) -> Generator[None]:
    """Let a refusal name what was asked, and nothing else."""
    try:
        yield
    except ConnectionDenied as error:
        raise ConnectionDenied(error.rule, error.reason, url=shown) from None


def fault(error: BaseException, shown: str) -> PeerUnreachable | PeerTimeout | BadAnswer:
    """Return one of our errors for one of the client below; nothing that the peer said stands in it."""
    if isinstance(error, TimeoutError):
        return PeerTimeout(shown, "it did not answer in time")
    told = {
        aiohttp.ClientConnectorCertificateError: "its TLS certificate is not trusted",
        aiohttp.ClientConnectorSSLError: "no TLS connection came about",
        aiohttp.ClientConnectorDNSError: "its name cannot be looked up",
        aiohttp.ClientConnectorError: "no connection came about",
        aiohttp.ServerDisconnectedError: "it closed the connection before it answered",
        aiohttp.ClientPayloadError: "its answer broke off",
        aiohttp.ClientResponseError: "its answer is no HTTP that can be read",
    }
    for kind, words in told.items():
        if isinstance(error, kind):
            return PeerUnreachable(shown, words)
    return PeerUnreachable(shown, "the connection broke")
