"""Connections to checked addresses: reused ones, or one for each request."""

from __future__ import annotations

import asyncio
import socket
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import aiohttp
from yarl import URL

from cardwright.guard.connections import StaleConnection, new_session, standard_fields
from cardwright.guard.resolver import CheckedResolver
from cardwright.guard.single_request import ConnectionFailed, send_once

if TYPE_CHECKING:
    import ssl
    from collections.abc import Mapping

    from cardwright.guard.resolver import Resolver
    from cardwright.guard.responses import Timeouts
    from cardwright.guard.rules import Guard
    from cardwright.guard.single_request import SingleResponse
    from cardwright.guard.target import Target


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request.

    Attributes:
        method: The HTTP method.
        headers: Its header fields.
        content: Its body.
        repeatable: Whether it may be sent once more, if the connection breaks.
        fresh: Whether it needs a connection of its own.
    """

    method: str
    headers: Mapping[str, str]
    content: bytes | None = None
    repeatable: bool = True
    fresh: bool = False


class Connector:
    """Opens the connections of a client, and sends requests on them; the arguments are those of `GuardedClient`."""

    def __init__(
        self,
        guard: Guard,
        resolver: Resolver | None,
        ssl_context: ssl.SSLContext | None,
        user_agent: str,
        concurrency: int,
        *,
        keep_alive: bool,
    ) -> None:
        self._guard = guard
        self._resolver = resolver
        self._ssl_context = ssl_context
        self._user_agent = user_agent
        self._concurrency = concurrency
        self._keep_alive = keep_alive
        # By whether they are for configured origins, which have their own connections.
        self._resolvers: dict[bool, CheckedResolver] = {}
        self._sessions: dict[bool, aiohttp.ClientSession] = {}
        # For requests with a connection of their own.
        self._slots: asyncio.Semaphore | None = None

    async def close(self) -> None:
        """Close all connections; the connector can be used again."""
        # Detach the sessions first: a concurrent request opens a new one.
        sessions, resolvers = self._sessions, self._resolvers
        self._sessions, self._resolvers, self._slots = {}, {}, None
        for session in sessions.values():
            await session.close()
        # aiohttp does not close resolvers that it did not create.
        for resolver in resolvers.values():
            await resolver.close()

    async def addresses(self, target: Target, *, is_configured: bool) -> list[str]:
        """Return the checked addresses of a target, that of a link with its zone.

        Args:
            target: The target, which is checked if it is an address.
            is_configured: Whether every address is allowed.

        Raises:
            ConnectionDenied: If one is denied.
            ConnectionFailed: If the name has none.
        """
        if target.address is not None:
            return [str(target.address)]
        resolver = self._checked_resolver(is_configured=is_configured)
        try:
            found = await resolver.resolve(target.host, target.port, socket.AF_UNSPEC)
        except OSError as error:
            raise ConnectionFailed("the host name cannot be resolved") from error
        return [one["host"] for one in found]

    async def send(
        self, outgoing: Outgoing, target: Target, time_limits: Timeouts, *, is_configured: bool
    ) -> aiohttp.ClientResponse | SingleResponse:
        """Send a request and return when the header of the response has arrived.

        Raises:
            ConnectionDenied: If an address is denied.
            aiohttp.ClientError: If the connection breaks; `send_once` says what else.
        """
        if self._keep_alive and not outgoing.fresh:
            try:
                return await self._session(is_configured=is_configured).request(
                    outgoing.method,
                    URL(target.url, encoded=True),
                    headers=outgoing.headers,
                    data=outgoing.content,
                    timeout=aiohttp.ClientTimeout(
                        total=None, sock_connect=time_limits.connect, sock_read=time_limits.first_byte
                    ),
                    allow_redirects=False,
                )
            except StaleConnection:
                if not outgoing.repeatable:
                    raise
        if self._slots is None:
            self._slots = asyncio.Semaphore(self._concurrency or sys.maxsize)
        slots = self._slots
        await slots.acquire()
        try:
            addresses = await self.addresses(target, is_configured=is_configured)
        except BaseException:
            slots.release()
            raise
        return await send_once(
            outgoing.method,
            target,
            addresses,
            {**standard_fields(self._user_agent), **outgoing.headers},
            outgoing.content,
            time_limits=time_limits,
            ssl_context=self._ssl_context,
            done=slots.release,
        )

    def _session(self, *, is_configured: bool) -> aiohttp.ClientSession:
        if is_configured not in self._sessions:
            self._sessions[is_configured] = new_session(
                self._checked_resolver(is_configured=is_configured),
                ssl_context=self._ssl_context,
                user_agent=self._user_agent,
                concurrency=self._concurrency,
            )
        return self._sessions[is_configured]

    def _checked_resolver(self, *, is_configured: bool) -> CheckedResolver:
        if is_configured not in self._resolvers:
            guard = None if is_configured else self._guard
            self._resolvers[is_configured] = CheckedResolver(guard, self._resolver)
        return self._resolvers[is_configured]
