"""A session with an MCP server: begun at its first use, kept, watched, and begun again when it breaks."""

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
from pydantic import TypeAdapter

from cardwright.discovery.calling.mcp_answers import mcp_failure
from cardwright.errors import BadAnswer, PeerTimeout, SessionFailed
from cardwright_gateway.errors import SessionNotReady
from cardwright_gateway.upstream.mcp.changes import listen, tells_of_change
from cardwright_gateway.upstream.mcp.errors import named, told
from cardwright_gateway.upstream.mcp.inventory import MAX_BYTES, Inventory, read_inventory
from cardwright_gateway.upstream.mcp.stderr_tail import Tail
from cardwright_gateway.upstream.mcp.transport import ROUTES, transport_to

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cardwright.guard.client import GuardedClient
    from cardwright.guard.exchange import Route
    from cardwright_gateway.upstream.mcp.servers import HttpServer, StdioServer

State = Literal["idle", "starting", "ready", "crashed", "closed"]
# How long a broken session is left alone: doubled each time, and some more by chance (ours).
FIRST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 60.0
# A start that takes longer is none; whoever asks meanwhile hears that it goes on (ours).
LONGEST_START: Final = 60.0
# How often lists are read again because they changed while they were read (ours).
_MOST_READINGS: Final = 3
# From the end of one reading, made because the lists changed, to the next (ours).
CALM_SECONDS: Final = 1.0
_CLIENT: Final = types.Implementation(name="cardwright", version="1")
_ANSWER: Final[TypeAdapter[Any]] = TypeAdapter(types.CallToolResult | types.InputRequiredResult)
_log: Final = logging.getLogger(__name__)


class McpSession:
    """A session with one MCP server.

    mcp's client is entered and left in one task that this starts: anyio asks for that. Whoever makes a
    session closes it.

    Args:
        name: What the server is called in messages: no caller learns its URL or command.
        server: Where it is.
        client: What dials.
        start_seconds: How long a caller waits for the session to be ready.
        call_seconds: How long a tool may take, and a reading of the lists.
        on_change: Called when there is another inventory, or none any more.
        clock: What time it is, in seconds.
        random: A number from 0 up to 1, for the waits.
        sleep: What waits between one try or reading and the next.
        max_bytes: How much the lists may have.

    Attributes:
        state: `idle` until the first use, then `starting`, `ready`, `crashed` or `closed`.
        inventory: What the server has; None unless it is ready.
        error: Why it broke the last time, for the operator; "" where it did not.
        since: When it came into its state.
        restarts: How often it was begun again.
    """

    def __init__(  # noqa: PLR0913 - each may be said, few are
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
        # Made when it is needed: a session may be made where no event loop runs yet.
        self._scope: anyio.CancelScope | None = None
        self._turned = asyncio.Event()
        self._client: Client | None = None
        self._lost = asyncio.Event()
        self._stale = asyncio.Event()
        self._reading = asyncio.Lock()
        self._was_ready = False
        self._tries = 0
        self._next = -math.inf

    async def started(self) -> Inventory:
        """Return what the server has; the session is begun where it is not yet.

        Raises:
            SessionNotReady: If it takes longer than a caller waits, broke and is left alone for a while,
                or is closed.
        """
        if self.state == "idle" or (
            self.state == "crashed" and self._resting and self._clock() >= self._next
        ):
            self._begin()
        try:
            async with asyncio.timeout(self._start_seconds):
                while self.state == "starting":
                    await self._turned.wait()
        except TimeoutError:
            pass
        if self.inventory is None:
            raise self._not_ready()
        return self.inventory

    async def call(
        self,
        tool: str,
        arguments: dict[str, Any],
        *,
        progress: Callable[[float, float | None, str | None], Awaitable[None]],
    ) -> types.CallToolResult:
        """Call a tool; whoever is cancelled meanwhile has the server cancel it, too.

        Args:
            tool: Its name.
            arguments: What it is given.
            progress: Told how far it is: how much is done, of how much, and a text.

        Raises:
            SessionNotReady: If there is no session, or it broke before the answer came.
            PeerTimeout: If it takes too long.
            CardError: Whatever else keeps the answer away.
        """
        await self.started()
        client, lost = self._client, self._lost
        if client is None:
            raise self._not_ready()
        request = types.CallToolRequest(params=types.CallToolRequestParams(name=tool, arguments=arguments))
        report = progress

        async def reported(progress: float, total: float | None, message: str | None) -> None:
            await report(progress, total, message)

        # Not `call_tool`: it checks the answer with the standard library's patterns, which can be stalled.
        answer = await self._asked(
            lost, lambda: client.session.send_request(request, _ANSWER, progress_callback=reported)
        )
        if not isinstance(answer, types.CallToolResult):
            raise BadAnswer(self.name, "not-a-reply", "the tool asks for input while it runs: none is given")
        return answer

    async def refresh(self) -> None:
        """Read the lists again.

        Raises:
            SessionNotReady: If there is no session, or it broke meanwhile.
            CardError: If they cannot be read.
        """
        await self.started()
        client, lost = self._client, self._lost
        if client is None:
            raise self._not_ready()
        await self._asked(lost, lambda: self._read_again(client))

    async def close(self) -> None:
        """End the session for good: a process is gone when this returns."""
        self._to("closed")
        if self._scope is not None:
            self._scope.cancel()
        if self._task is not None:
            await asyncio.wait({self._task})

    async def _asked(self, lost: asyncio.Event, ask: Callable[[], Awaitable[Any]]) -> Any:
        """Return what asking the server gave, or raise an error of ours that names nothing of it."""
        routes: list[Route] = []
        token = ROUTES.set(routes)
        try:
            async with asyncio.timeout(self._call_seconds):
                return await ask()
        except TimeoutError:
            raise PeerTimeout(self.name, f"it took longer than {self._call_seconds:g} seconds") from None
        except Exception as error:  # a foreign client reads a foreign answer: it raises anything
            failure = mcp_failure(error, routes[0] if routes else None, self.name)
            if isinstance(failure, SessionFailed):
                lost.set()
            if lost.is_set():
                if lost is self._lost:
                    # The task that owns the session tells so itself, but perhaps a moment later.
                    self._fallen("the connection ended")
                raise self._broken_off() from error
            raise named(failure, self.name) from error
        finally:
            ROUTES.reset(token)

    @property
    def _resting(self) -> bool:
        """Whether no task is there that would begin again of itself."""
        return self._task is None or self._task.done()

    def _begin(self) -> None:
        self._to("starting")
        self._scope = anyio.CancelScope()
        self._task = asyncio.create_task(self._keep(), name=f"MCP session {self.name}")
        self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """See to it that what a stray cancellation ended is not ready, or starting, for ever."""
        if task is self._task:
            self._fallen("what kept it was ended")

    async def _keep(self) -> None:
        """Keep the session until it is closed; one that never came up ends at its first failure."""
        with self._scope or anyio.CancelScope():
            while True:
                await self._live()
                if not self._was_ready:
                    return
                await self._sleep(max(0.0, self._next - self._clock()))
                self._to("starting")

    async def _live(self) -> None:
        """Begin a session, and keep it until it breaks."""
        self.restarts += self._tries > 0 or self._was_ready
        tail, self._lost, self._stale = Tail(), asyncio.Event(), asyncio.Event()
        reason = "the connection ended"
        routes: list[Route] = []
        token = ROUTES.set(routes)
        try:
            with anyio.CancelScope(deadline=anyio.current_time() + LONGEST_START) as starting:
                transport = transport_to(self._server, self._guarded, tail, self._lost.set)
                async with Client(
                    transport, cache=None, message_handler=self._heard, client_info=_CLIENT
                ) as client:
                    inventory = await self._read(client)
                    starting.deadline = math.inf
                    # What is asked from here on is no part of the start, and would be kept for good.
                    ROUTES.set(None)
                    await self._watch(client, inventory)
            if starting.cancelled_caught:
                reason = f"it did not start within {LONGEST_START:g} seconds"
        except Exception as error:  # noqa: BLE001 - whatever a server makes mcp raise ends its session alone
            reason = told(error, routes[-1] if routes else None)
        finally:
            ROUTES.reset(token)
        self._fallen(reason)
        _log.debug("the MCP server %s broke off: %s; its last words: %s", self.name, self.error, tail.text)

    async def _watch(self, client: Client, inventory: Inventory) -> None:
        """Keep a session that is ready, until it is lost."""
        ready_at = self._clock()
        self._client, self._was_ready, self.error = client, True, ""
        self._take(inventory, "ready")
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._follow, client)
                group.start_soon(listen, client, self._stale.set, self._lost.set, self._sleep)
                await self._lost.wait()
                self._fallen("the connection ended")
                group.cancel_scope.cancel()
        except Exception as error:
            # Ending a process takes a while: nobody calls it meanwhile.
            self._fallen(told(error, None))
            raise
        finally:
            if self._clock() - ready_at >= LONGEST_WAIT:
                self._tries = 0
            self._client = None

    async def _follow(self, client: Client) -> None:
        """Read the lists again whenever they changed, once for however many changes, and never without a pause.

        What was read while it changed is not taken, unless it always changes.
        """
        calm, left = -math.inf, _MOST_READINGS
        while True:
            await self._stale.wait()
            if (pause := calm - self._clock()) > 0:
                await self._sleep(pause)
            left -= 1
            with anyio.fail_after(self._call_seconds):
                steady = await self._read_again(client, 1, anyhow=not left)
            if steady or not left:
                left = _MOST_READINGS
            calm = self._clock() + CALM_SECONDS

    async def _read_again(
        self, client: Client, readings: int = _MOST_READINGS, *, anyhow: bool = True
    ) -> bool:
        """Read the lists again, and take them; return whether nothing changed meanwhile."""
        async with self._reading:
            inventory = await self._read(client, readings)
            steady = not self._stale.is_set()
            if (steady or anyhow) and self._client is client and inventory != self.inventory:
                self._take(inventory, "ready")
            return steady

    async def _read(self, client: Client, left: int = _MOST_READINGS) -> Inventory:
        """Return the lists, none of whose pages is older than a change that was told, if `left` readings do."""
        while True:
            left -= 1
            self._stale.clear()
            inventory = await read_inventory(client, max_bytes=self._max_bytes)
            if not left or not self._stale.is_set():
                return inventory

    async def _heard(self, message: Any) -> None:
        if tells_of_change(message):
            self._stale.set()

    def _fallen(self, reason: str) -> None:
        """Note that the session broke, once for each time."""
        if self.state in ("crashed", "closed"):
            return
        self.error = reason
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(self._tries, 16))
        self._tries += 1
        self._next = self._clock() + min(LONGEST_WAIT, wait * (1 + self._random()))
        self._client = None
        self._take(None, "crashed")

    def _take(self, inventory: Inventory | None, state: State) -> None:
        """Swap what the server has, and tell of it."""
        if self.state == "closed":
            return
        changed = inventory != self.inventory
        self.inventory = inventory
        if state != self.state:
            self._to(state)
        if changed:
            self._told()

    def _told(self) -> None:
        try:
            self._on_change()
        except Exception:  # noqa: BLE001 - an application's code, whose fault ends no session
            _log.exception("what follows the MCP server %s failed", self.name)

    def _to(self, state: State) -> None:
        if self.state == "closed":
            return
        if state == "closed":
            self.inventory = None
        self.state = state
        self.since = self._clock()
        self._turned.set()
        self._turned = asyncio.Event()

    def _not_ready(self) -> SessionNotReady:
        if self.state == "closed":
            return SessionNotReady(self.name, "closed", "the MCP session is closed")
        if self.state == "crashed":
            return self._broken_off()
        return SessionNotReady(self.name, "starting", "the MCP session is still starting")

    def _broken_off(self) -> SessionNotReady:
        if self.state == "closed":
            return self._not_ready()
        left = max(0.0, self._next - self._clock())
        reason = f"the MCP session broke off: {self.error or 'it is there again'}"
        return SessionNotReady(self.name, "crashed", reason, retry_after=left)
