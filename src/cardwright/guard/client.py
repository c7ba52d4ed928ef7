"""The HTTP client: it opens all connections of this package to other machines."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, Self

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError

from cardwright.errors import BadResponse, ConnectionDenied, PeerTimeout, PeerUnreachable
from cardwright.guard.connector import Connector, Outgoing
from cardwright.guard.limits import MAX_BYTES, MAX_REDIRECTS
from cardwright.guard.pace import Pace
from cardwright.guard.parsing_turns import ParsingTurns
from cardwright.guard.responses import REDIRECTS, Response, Timeouts
from cardwright.guard.rules import Guard
from cardwright.guard.single_request import ConnectionFailed, connect
from cardwright.guard.streamed import Streamed, fault
from cardwright.guard.target import target_of

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, Callable, Generator, Mapping
    from ipaddress import IPv4Address, IPv6Address

    from cardwright.guard.resolver import Resolver
    from cardwright.guard.target import Target

_DEFAULT_TIMEOUTS: Final = Timeouts()
_DEFAULT_GUARD: Final = Guard()
# Requests that change nothing (RFC 9110 §9.2.1).
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
# What a message shows instead of the target of a redirect.
REDIRECT_TARGET: Final = "(redirect target)"


class GuardedClient:
    """HTTP client with connections limited by a guard; an async context manager.

    The checked addresses are the ones that are connected to. A connection is reused unless it had a response of 500 or
    more, or has been closed; a request that changes nothing is sent once more, on a new connection, if the reused one
    breaks before any byte of the response (RFC 9112 §9.3.1). Nothing is taken from the environment: no proxy,
    no `.netrc`, no cookies. Responses are requested without content coding.

    Args:
        guard: The rules for connections.
        timeouts: The default time limits.
        resolver: The DNS resolver; by default that of the system.
        ssl_context: The TLS settings; by default the system's trust store.
        user_agent: The User-Agent header.
        concurrency: The maximum number of open connections; 0 for no limit.
        keep_alive: Whether connections are reused. Turn it off for single requests to many hosts, which would
            leave many open files.
        fields: Returns header fields for a request, in addition to its own.

    Attributes:
        guard: The rules for connections.
        timeouts: The default time limits.
        ssl_context: The TLS settings; None for the system's trust store.
        user_agent: The User-Agent header.
        fields: Returns header fields for a request, in addition to its own.
        parsing: The turns in which large responses are parsed.
        pace: The pace at which event streams are read.
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
        fields: Callable[[], Mapping[str, str]] = dict[str, str],
    ) -> None:
        self.guard = guard
        self.parsing = ParsingTurns()
        self.pace = Pace()
        self.timeouts = timeouts
        self.ssl_context = ssl_context
        self.user_agent = user_agent
        self.fields = fields
        self._connector = Connector(
            guard, resolver, ssl_context, user_agent, concurrency, keep_alive=keep_alive
        )

    async def __aenter__(self) -> Self:
        """Return the client; connections are opened on demand."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close every connection."""
        await self.close()

    async def close(self) -> None:
        """Close all connections; the client can be used again."""
        await self._connector.close()

    async def addresses(
        self, target: Target, safe_url: str, *, configured: str | None = None
    ) -> tuple[IPv4Address | IPv6Address, ...]:
        """Return the addresses of a target for a connection of another library, if all of them are allowed.

        Args:
            target: The target.
            safe_url: Its address, for messages.
            configured: An origin from the operator's configuration; connections to it are allowed at any address.

        Raises:
            ConnectionDenied: If the guard denies the target or an address.
            OSError: If the name has no address.
        """
        is_configured = target.origin == configured
        with _denied_url(safe_url):
            if not is_configured:
                self.guard.check(target)
            found = await self._connector.addresses(target, is_configured=is_configured)
        return tuple(ip_address(one.partition("%")[0]) for one in found)

    async def try_connection(self, url: str, *, configured: str | None = None, seconds: float = 3.0) -> None:
        """Open a connection to a server and close it, without a request.

        Args:
            url: A URL of the server.
            configured: As in `get`.
            seconds: The time limit.

        Raises:
            ConnectionDenied: If the guard denies the URL or an address.
            PeerUnreachable: If the connection fails.
            PeerTimeout: If the time limit is reached.
        """
        target = target_of(url)
        try:
            async with asyncio.timeout(seconds):
                addresses = await self.addresses(target, target.safe_url, configured=configured)
                transport = await connect(asyncio.Protocol, [str(one) for one in addresses], target.port)
        except (TimeoutError, ConnectionFailed) as error:
            raise fault(error, target.safe_url) from error
        except OSError as error:
            raise PeerUnreachable(target.safe_url, "the connection failed") from error
        transport.close()

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
    ) -> Response:
        """Return the complete response to a GET.

        Args:
            url: The URL.
            headers: Header fields for all hops.
            credentials: Header fields for the origin of `url` only.
            configured: An origin from the operator's configuration: connections to it are allowed at any address,
                but only as the origin of `url` itself.
            max_bytes: The maximum size of the body.
            redirects: The maximum number of redirects; each target is checked like `url`.
            timeouts: The time limits.

        Raises:
            ConnectionDenied: If the guard denies the URL or a redirect target.
            PeerUnreachable: If the connection fails or breaks.
            PeerTimeout: If a time limit is reached.
            BadResponse: If the response is too large, has a content coding, or redirects too often.
        """
        time_limits = timeouts or self.timeouts
        target = target_of(url)
        safe_url = target.safe_url
        first_url = safe_url
        hops: list[str] = []
        fields = {**(headers or {}), **(credentials or {})}
        is_configured = target.origin == configured
        try:
            async with asyncio.timeout(time_limits.total):
                while True:
                    async with self._request(
                        Outgoing("GET", {**fields, **self.fields()}),
                        target,
                        safe_url,
                        time_limits,
                        max_bytes,
                        is_configured=is_configured,
                    ) as answer:
                        location = answer.headers.get("Location")
                        if answer.status not in REDIRECTS or location is None:
                            body = b"".join([piece async for piece in answer.chunks()])
                            return Response(target.url, answer.status, answer.headers, body, tuple(hops))
                    if len(hops) >= redirects:
                        raise BadResponse(
                            first_url, "redirects", f"more than {redirects} redirects", status=answer.status
                        )
                    hops.append(target.url)
                    # A redirect's Location is text of the peer: no message contains it.
                    safe_url = f"{first_url} {REDIRECT_TARGET}"
                    next_target = _redirect_target(target, location, safe_url)
                    if next_target.origin != target.origin:
                        # Not restored if a later hop returns to the first origin: another server chose that URL.
                        fields, is_configured = dict(headers or {}), False
                    target = next_target
        except TimeoutError:
            raise PeerTimeout(
                first_url, f"no complete response within {time_limits.total:g} seconds"
            ) from None

    @asynccontextmanager
    async def stream(  # noqa: PLR0913 - each argument is an independent option
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
        repeatable: bool | None = None,
        fresh: bool = False,
    ) -> AsyncGenerator[Streamed]:
        """Send a request and yield the response as soon as its header arrives; redirects are not followed.

        Other arguments and errors are those of `get`; the caller enforces `total` of the timeouts.

        Args:
            method: The HTTP method.
            url: The URL.
            headers: As in `get`.
            credentials: As in `get`.
            configured: As in `get`.
            content: The body.
            max_bytes: As in `get`; None for no limit.
            timeouts: As in `get`.
            repeatable: Whether the request changes nothing, and may be sent once more if a reused connection breaks
                before any byte of the response; None: as GET, HEAD and OPTIONS may.
            fresh: Whether to send it on a new connection, for a request that must arrive, but not twice.
        """
        target = target_of(url)
        fields = {**(headers or {}), **(credentials or {})}
        is_configured = target.origin == configured
        repeatable = method in _SAFE if repeatable is None else repeatable
        async with self._request(
            Outgoing(method, {**fields, **self.fields()}, content, repeatable, fresh),
            target,
            target.safe_url,
            timeouts or self.timeouts,
            max_bytes,
            is_configured=is_configured,
        ) as answer:
            yield answer

    @asynccontextmanager
    async def _request(
        self,
        outgoing: Outgoing,
        target: Target,
        safe_url: str,
        time_limits: Timeouts,
        max_bytes: int | None,
        *,
        is_configured: bool,
    ) -> AsyncGenerator[Streamed]:
        if not is_configured:
            with _denied_url(safe_url):
                self.guard.check(target)
        try:
            # The resolver only gets the host, so its error lacks the URL.
            with _denied_url(safe_url):
                response = await self._connector.send(
                    outgoing, target, time_limits, is_configured=is_configured
                )
        except (aiohttp.ClientError, HttpProcessingError, OSError, TimeoutError, ValueError) as error:
            raise fault(error, safe_url) from error
        try:
            yield Streamed(response, target, safe_url, max_bytes, self.pace.stream())
        except BaseException:
            response.close()
            raise
        # A connection can be reused only if its body was read to the end.
        response.release() if response.content.at_eof() else response.close()


def _redirect_target(target: Target, location: str, safe_url: str) -> Target:
    """Return the target of a redirect, if it is allowed from here."""
    with _denied_url(safe_url):
        next_target = target.joined(location)
        if target.scheme == "https" and next_target.scheme != "https":
            raise ConnectionDenied("guard/downgrade", "the redirect leads from https to http")
    return next_target


@contextmanager
def _denied_url(safe_url: str) -> Generator[None]:
    """Set the URL of a `ConnectionDenied` to the requested one."""
    try:
        yield
    except ConnectionDenied as error:
        raise ConnectionDenied(error.rule, error.reason, url=safe_url) from None
