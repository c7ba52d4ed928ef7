"""Session with an MCP server: starts at its first use, and restarts when it breaks."""

from __future__ import annotations

import asyncio
import logging
import math
import random as randomness
import time
from typing import TYPE_CHECKING, Any, Final, Literal

import anyio
import mcp_types as types
from mcp import Client

from cardwright.discovery.calling.mcp_results import mcp_failure
from cardwright.errors import BadResponse, CardError, PeerTimeout, SessionFailed
from cardwright_gateway.errors import SessionNotReady
from cardwright_gateway.single_flight import shared_task
from cardwright_gateway.upstream.mcp.changes import is_list_change, listen
from cardwright_gateway.upstream.mcp.errors import DENIED, failure_reason, has_no_session, with_server_name
from cardwright_gateway.upstream.mcp.inventory import MAX_BYTES, Inventory, log_notes, read_inventory
from cardwright_gateway.upstream.mcp.requests import send_request, state_capabilities
from cardwright_gateway.upstream.mcp.stderr_tail import Tail
from cardwright_gateway.upstream.mcp.transport import ROUTES, transport_to

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cardwright.guard.client import GuardedClient
    from cardwright.guard.exchange import Route
    from cardwright_gateway.upstream.mcp.requests import McpCaller, Method, Progress
    from cardwright_gateway.upstream.mcp.servers import HttpServer, StdioServer

State = Literal["idle", "starting", "ready", "crashed", "closed"]
# Backoff before a broken session restarts: doubled each time, with jitter (project decision).
FIRST_WAIT: Final = 0.5
MAX_WAIT: Final = 60.0
# Timeout of a start; meanwhile callers get an error that the session is starting (project decision).
MAX_START: Final = 60.0
# How often the lists are reread because they changed while being read (project decision).
_MAX_READS: Final = 3
# Minimum pause between two rereads after list changes, and what is reread per second at most: a server may change its
# lists all the time, and everything that is made of them is made again (project decision).
CALM_SECONDS: Final = 1.0
_REREAD_BYTES_PER_SECOND: Final = 32 * 1024
_CLIENT: Final = types.Implementation(name="cardwright", version="1")
_log: Final = logging.getLogger(__name__)


class McpSession:
    """Session with one MCP server.

    mcp's client is entered and exited in one background task, as anyio requires. The creator of a session must
    close it.

    Args:
        name: The server's name in messages, which must not reveal its URL or command.
        server: The server's address.
        client: The guarded HTTP client.
        start_seconds: How long a caller waits until the session is ready.
        call_seconds: Timeout of a tool call, and of reading the lists.
        on_change: Called when the inventory has changed or is gone.
        clock: A monotonic clock, in seconds.
        random: Returns a number from 0 up to 1, for the jitter.
        sleep: Waits between attempts.
        max_bytes: Maximum size of the lists.

    Attributes:
        state: `idle` until the first use, then `starting`, `ready`, `crashed` or `closed`.
        inventory: The server's inventory; None unless the state is `ready`.
        error: Why it last broke, for the operator; "" if it did not.
        since: When it entered its state.
        restarts: How often it was restarted.
    """

    def __init__(  # noqa: PLR0913 - all optional but three
        self,
        name: str,
        server: StdioServer | HttpServer,
        *,
        client: GuardedClient,
        start_seconds: float = 10.0,
        call_seconds: float = 60.0,
        on_change: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = randomness.random,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.name = name
        self.state: State = "idle"
        self.inventory: Inventory | None = None
        self.error = ""
        self.since = clock()
        self.restarts = 0
        self._server = server
        self._guarded = client
        self._start_seconds = start_seconds
        self._call_seconds = call_seconds
        self._on_change = on_change
        self._clock = clock
        self._random = random
        self._sleep = sleep
        self._max_bytes = max_bytes
        self._task: asyncio.Task[None] | None = None
        # Created at the start: the constructor may run without an event loop.
        self._scope: anyio.CancelScope | None = None
        self._state_changed = asyncio.Event()
        self._client: Client | None = None
        self._lost = asyncio.Event()
        self._exceeded: BadResponse | None = None
        self._replaced = False
        self._notes: tuple[str, ...] = ()
        self._stale = asyncio.Event()
        self._read_lock = asyncio.Lock()
        self._was_ready = False
        self._tries = 0
        self._restart_at = -math.inf

    async def started(self) -> Inventory:
        """Return the server's inventory; start the session if necessary.

        Raises:
            SessionNotReady: If it is not ready within `start_seconds`, waits for its restart, or is closed.
        """
        ended = self._task is not None and self._task.done()
        if self.state == "idle" or (self.state == "crashed" and ended and self._clock() >= self._restart_at):
            self._start()
        with anyio.move_on_after(self._start_seconds):
            while self.state == "starting":
                await self._state_changed.wait()
        if self.inventory is None:
            raise self._not_ready()
        return self.inventory

    async def call(
        self, tool: str, arguments: dict[str, Any], *, progress: Progress, caller: McpCaller | None = None
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Call a tool, as `send` does. If this coroutine is cancelled, the server is asked to cancel the call too."""
        params = {"name": tool, "arguments": arguments}
        result: Any = await self.send("tools/call", params, caller=caller, progress=progress)
        return result  # type: ignore[no-any-return] # as `send_request` parses it

    async def send(
        self,
        method: Method,
        params: dict[str, Any],
        *,
        caller: McpCaller | None = None,
        progress: Progress | None = None,
    ) -> Any:
        """Send a request, and return its result as a model of mcp.

        Args: As `send_request`.

        Raises:
            SessionNotReady: If there is no session, or it broke before the response came.
            PeerTimeout: If it takes longer than `call_seconds`.
            CardError: If it fails for another reason, or the server asks for input that the caller cannot give.
        """
        return await self._request(
            lambda client: send_request(client.session, method, params, caller, progress)
        )

    async def refresh(self) -> None:
        """Reread the lists.

        Raises:
            SessionNotReady: If there is no session, or it broke meanwhile.
            CardError: If they cannot be read.
        """
        await shared_task(self._request(self._reread))

    async def close(self) -> None:
        """Close the session for good; its process has ended when this returns."""
        self._enter("closed")
        if self._scope is not None:
            self._scope.cancel()
        if self._task is not None:
            await asyncio.wait({self._task})

    async def _request(self, send: Callable[[Client], Awaitable[Any]], *, repeat: bool = True) -> Any:
        """Run a request, and translate its errors into `CardError`s that do not reveal the server's address.

        If the server no longer has the session, it did not execute the request: it is repeated once, in a new session
        (MCP 2025-06-18, Transports, Session Management).
        """
        await self.started()
        if self._client is None:
            raise self._not_ready()
        lost = self._lost
        routes: list[Route] = []
        token = ROUTES.set(routes)
        try:
            async with asyncio.timeout(self._call_seconds):
                return await send(self._client)
        except TimeoutError:
            raise PeerTimeout(self.name, f"no response within {self._call_seconds:g} seconds") from None
        except Exception as error:  # mcp may raise anything for an untrusted response
            route = routes[0] if routes else None
            if not (repeat and route and has_no_session(error, route)):
                raise self._failure(error, route, lost) from error
            if lost is self._lost:
                self._crashed("the server no longer has the session; a new one is started", replace=True)
            lost.set()
        finally:
            ROUTES.reset(token)
        return await self._request(send, repeat=False)

    def _failure(self, error: Exception, route: Route | None, lost: asyncio.Event) -> CardError:
        """Return the error of a request for its caller; note a lost session."""
        failure = mcp_failure(error, route, self.name)
        if isinstance(failure, SessionFailed):
            lost.set()
        if lost is self._lost and self._exceeded is not None:
            return with_server_name(self._exceeded, self.name)
        if not lost.is_set():
            return with_server_name(failure, self.name)
        if lost is self._lost:
            # The background task notes it too, but perhaps later.
            self._crashed("the connection ended")
        return self._not_ready(lost=True)

    def _start(self) -> None:
        self._enter("starting")
        self._scope = anyio.CancelScope()
        self._task = shared_task(self._run(), name=f"MCP session {self.name}")
        self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Note the end of the background task, so that the state does not stay `ready` or `starting` for ever."""
        if task is self._task:
            self._replaced = False
            self._crashed("the MCP session's background task was cancelled; a later request starts it again")

    async def _run(self) -> None:
        """Run the session, and restart it until it is closed; if it was never ready, stop at the first failure."""
        with self._scope or anyio.CancelScope():
            while True:
                await self._run_once()
                if not self._was_ready:
                    return
                await self._sleep(max(0.0, self._restart_at - self._clock()))
                self._enter("starting")

    async def _run_once(self) -> None:
        """Start a session, and run it until it breaks."""
        self.restarts += self._tries > 0 or self._was_ready
        tail, self._lost, self._stale = Tail(), asyncio.Event(), asyncio.Event()
        self._exceeded, self._replaced = None, False
        reason = "the connection ended"
        routes: list[Route] = []
        token = ROUTES.set(routes)
        try:
            with anyio.CancelScope(deadline=anyio.current_time() + MAX_START) as starting:

                def exceeded(error: BadResponse) -> None:
                    self._exceeded = error
                    self._crashed(error.reason)
                    starting.cancel()

                transport = transport_to(self._server, self._guarded, tail, self._lost.set, exceeded)
                async with Client(
                    transport, cache=None, message_handler=self._on_message, client_info=_CLIENT
                ) as client:
                    state_capabilities(client.session)
                    inventory = await self._read(client)
                    starting.deadline = math.inf
                    # Later requests are not part of the start, and their routes would accumulate.
                    ROUTES.set(None)
                    await self._watch(client, inventory)
            if starting.cancelled_caught:
                reason = f"it did not start within {MAX_START:g} seconds"
        except Exception as error:  # noqa: BLE001 - whatever mcp raises must end this session only
            reason = failure_reason(error, routes[-1] if routes else None)
        finally:
            ROUTES.reset(token)
        self._crashed(reason)
        _log.debug(
            "the session with the MCP server %s ended: %s; end of its stderr: %s",
            self.name,
            self.error,
            tail.text,
        )

    async def _watch(self, client: Client, inventory: Inventory) -> None:
        """Run a session that is ready, until it is lost."""
        ready_at = self._clock()
        self._client, self._was_ready, self.error = client, True, ""
        self._set(inventory, "ready")
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._follow, client)
                group.start_soon(listen, client, self._stale.set, self._lost.set, self._sleep)
                await self._lost.wait()
                self._crashed("the connection ended")
                group.cancel_scope.cancel()
        except Exception as error:
            # Ending a process takes a while: allow no calls meanwhile.
            self._crashed(failure_reason(error, None))
            raise
        finally:
            if self._clock() - ready_at >= MAX_WAIT:
                self._tries = 0
            self._client = None

    async def _follow(self, client: Client) -> None:
        """Reread the lists after changes, with a pause after each that depends on their size; changes share a reread.

        Lists that changed while being read are discarded, unless they changed in every attempt.
        """
        next_read, attempts_left = -math.inf, _MAX_READS
        while True:
            await self._stale.wait()
            if (pause := next_read - self._clock()) > 0:
                await self._sleep(pause)
            attempts_left -= 1
            with anyio.fail_after(self._call_seconds):
                steady = await self._reread(client, 1, anyhow=not attempts_left)
            if steady or not attempts_left:
                attempts_left = _MAX_READS
            size = self.inventory.size if self.inventory is not None else 0
            next_read = self._clock() + CALM_SECONDS + size / _REREAD_BYTES_PER_SECOND

    async def _reread(self, client: Client, attempts: int = _MAX_READS, *, anyhow: bool = True) -> bool:
        """Reread the lists and store them; return whether nothing changed meanwhile."""
        async with self._read_lock:
            inventory = await self._read(client, attempts)
            steady = not self._stale.is_set()
            if (steady or anyhow) and self._client is client and inventory != self.inventory:
                self._set(inventory, "ready")
            return steady

    async def _read(self, client: Client, attempts: int = _MAX_READS) -> Inventory:
        """Return the lists; reread them if they changed meanwhile, at most `attempts` times in all."""
        while True:
            attempts -= 1
            self._stale.clear()
            inventory = await read_inventory(client, max_bytes=self._max_bytes)
            if not attempts or not self._stale.is_set():
                return inventory

    async def _on_message(self, message: Any) -> None:
        if is_list_change(message):
            self._stale.set()

    def _crashed(self, reason: str, *, replace: bool = False) -> None:
        """Enter the state `crashed`, and plan the restart; does nothing if already crashed, replaced or closed.

        To replace a session that the server no longer has, enter `starting`: callers wait for the next one.
        """
        if self.state in ("crashed", "closed") or self._replaced:
            return
        self.error, self._replaced = reason, replace
        _log.warning("agent %s: the session with its MCP server failed: %s", self.name, reason)
        if replace:
            self._restart_at = self.since + CALM_SECONDS
        else:
            wait = min(MAX_WAIT, FIRST_WAIT * 2 ** min(self._tries, 16))
            self._tries += 1
            self._restart_at = self._clock() + min(MAX_WAIT, wait * (1 + self._random()))
        self._client = None
        self._set(None, "starting" if replace else "crashed")

    def _set(self, inventory: Inventory | None, state: State) -> None:
        """Set the inventory and the state; call `on_change` if the inventory changed."""
        if self.state == "closed":
            return
        changed = inventory != self.inventory
        self.inventory = inventory
        if state != self.state:
            self._enter(state)
        if not changed:
            return
        self._notes = log_notes(self.name, inventory.notes if inventory else (), self._notes)
        try:
            self._on_change()
        except Exception:  # noqa: BLE001 - application code; its errors must not end the session
            _log.exception("the change handler of the MCP server %s failed", self.name)

    def _enter(self, state: State) -> None:
        if self.state == "closed":
            return
        if state == "closed":
            self.inventory = None
        self.state = state
        self.since = self._clock()
        self._state_changed.set()
        self._state_changed = asyncio.Event()

    def _not_ready(self, *, lost: bool = False) -> SessionNotReady:
        """Return the error of a caller without a session: by the state, or that the one it had was lost."""
        if self.state == "closed":
            return SessionNotReady(self.name, "closed", "the MCP session is closed")
        if self.state != "crashed" and not lost:
            return SessionNotReady(self.name, "starting", "the MCP session is still starting")
        reason = f"the MCP session failed: {self.error or 'it has been restarted'}"
        state = "denied" if self.error == DENIED else "crashed"
        return SessionNotReady(self.name, state, reason, retry_after=self._restart_at - self._clock())
