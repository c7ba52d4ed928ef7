"""Backend for an upstream A2A agent. The gateway's task and the upstream agent's task have different ids."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from cardwright.errors import BadResponse, CallFailed, CardError, PeerTimeout, StoreError
from cardwright.guard import Timeouts, target_of
from cardwright.guard.grpc_target import grpc_target
from cardwright_gateway.a2a.problems import LOOP_DETECTED
from cardwright_gateway.backends.a2a_events import TurnReader
from cardwright_gateway.backends.backend import TurnResult
from cardwright_gateway.database.deployment import Deployment
from cardwright_gateway.errors import BadTurn, UpstreamInvalid
from cardwright_gateway.telemetry.tracing import trace_headers, traced
from cardwright_gateway.upstream.client import not_a_reply
from cardwright_rules.a2a_operations import ERRORS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping

    from cardwright.discovery.calling.a2a_client import A2aClient
    from cardwright_gateway.backends.backend import Turn, TurnReporter
    from cardwright_gateway.upstream.client import Caller
    from cardwright_gateway.upstream.route import Upstream

# Polling intervals for a task that is still running after the response, or whose stream broke (project decision).
_POLL_SECONDS: Final = (0.2, 0.5, 1.0, 2.0, 5.0)
# After how long a task that the agent leaves open counts as one that it never ends (project decision).
_OPEN_SECONDS: Final = 86_400.0
# Timeout for cancelling the upstream task (BeeOS seed §4: about five seconds for the whole cancellation).
_CANCEL_SECONDS: Final = 4.0
_Done = TypeVar("_Done")
# Waits between database retries: a task whose upstream id is not stored cannot be continued (project decision).
_RETRY_SECONDS: Final = (0.2, 1.0, 3.0)
# How long a stream may be silent before its task is polled instead (project decision).
_SILENT_SECONDS: Final = 300.0
# Binding and version, in order of preference: gRPC last, as its ports are often open to few.
_PREFERENCE: Final = (
    ("JSONRPC", "1.0"), ("HTTP+JSON", "1.0"), ("JSONRPC", "0.3"), ("HTTP+JSON", "0.3"), ("JSONRPC", "0.2"),
    ("JSONRPC", "0.1"), ("GRPC", "1.0"), ("GRPC", "0.3"),
)  # fmt: skip
# Error codes that mean that the message was wrong (A2A 1.0 §5.4): the caller can correct it.
_MESSAGE_ERRORS: Final = frozenset(
    ERRORS[reason].code
    for reason in (
        "INVALID_PARAMS", "UNSUPPORTED_OPERATION", "CONTENT_TYPE_NOT_SUPPORTED", "EXTENSION_SUPPORT_REQUIRED",
    )
)  # fmt: skip


class Known(Protocol):
    """Store of upstream task ids by gateway task."""

    async def find(self, task_id: str) -> tuple[str, str] | None:
        """Return the ids of the upstream task and of its context."""

    async def keep(self, task_id: str, upstream_id: str, upstream_context_id: str) -> None:
        """Store them."""


@dataclass(slots=True)
class A2aBackend:
    """Backend that sends turns to an upstream A2A agent.

    Upstream context ids depend on the owner of the turn: two callers that name the same context get two contexts.

    Attributes:
        agent_id: The agent that the turns are for.
        caller: The agent's address, and the HTTP client for it.
        known: The store of upstream task ids; without it only tasks of A2A 0.1 can be continued.
        streams: Whether the agent's card declares streaming.
        output_modes: The media types that the agent may send.
        deployment: Derives the context ids that the agent sees.
        detached: Whether another process continues the tasks: then cancelling here does not cancel the upstream task.
    """

    agent_id: str
    caller: Caller
    known: Known | None = None
    streams: bool = False
    output_modes: tuple[str, ...] = ()
    detached: bool = False
    deployment: Deployment = field(default_factory=Deployment)
    _route: Upstream | None = field(default=None)

    @property
    def responds_alone(self) -> bool:
        """Whether a turn may end with only a message: that of any A2A agent may."""
        return True

    def exchange(
        self, routes: Mapping[tuple[str, str], Upstream], *, streams: bool, output_modes: tuple[str, ...] = ()
    ) -> None:
        """Use the interfaces, the streaming capability and the media types of the agent's current card."""
        self._route = next((routes[key] for key in _PREFERENCE if key in routes), None)
        self.streams, self.output_modes = streams, output_modes

    async def ready(self) -> None:
        """Check that the agent's card has an interface that the gateway supports.

        Raises:
            UpstreamInvalid: If it has none.
        """
        if self._route is None:
            raise UpstreamInvalid("it has no interface that the gateway supports")

    async def check(self, turn: Turn) -> None:
        """Accept every turn: only the agent knows what it can answer."""

    async def run(self, turn: Turn, reporter: TurnReporter) -> TurnResult:
        """Send a turn, report its progress, and return its result.

        Raises:
            CardError: If the agent cannot be reached, or its response is not valid A2A.
        """
        known = self.known
        before = await _retried(lambda: known.find(turn.task_id)) if known and turn.earlier else None
        reader = TurnReader(reporter, continues=self.streams and before is not None)
        # Without a task that can be polled, the timeout applies to the whole response.
        response_timeout = None if turn.task_id else self.caller.timeout_seconds
        try:
            async with self._connected() as client, asyncio.timeout(response_timeout):
                message = self._message(client, turn, before)
                work = self._send(client, turn, message, reader)
                return await self._run_cancellable(client, reader, work, message.get("taskId"))
        except TimeoutError:
            raise PeerTimeout("", "the agent did not answer in time") from None

    async def resume(self, task_id: str, reported: Mapping[str, int], reporter: TurnReporter) -> TurnResult:
        """Continue a task that another process began: poll it until it has ended, and return its result.

        Args:
            task_id: The task of the gateway.
            reported: How many parts were reported already, by artifact id.
            reporter: Reports what is new.

        Raises:
            UpstreamInvalid: If the id of the upstream task is not stored.
            CardError: As `run`.
        """
        await self.ready()
        before = await self.known.find(task_id) if self.known else None
        if before is None:
            raise UpstreamInvalid("the id of the agent's own task was not stored")
        reader = TurnReader(reporter, *before, counts=dict(reported))
        async with self._connected() as client:
            return await self._run_cancellable(client, reader, self._poll(client, reader))

    async def cancel_upstream(self, task_id: str) -> None:
        """Cancel the upstream task of a task that waits for its caller."""
        before = await self.known.find(task_id) if self.known else None
        upstream_id = before[0] if before is not None else self._chosen_id(task_id)
        if self._route is not None and upstream_id is not None:
            async with self._connected() as client:
                await client.cancel(upstream_id, within_seconds=_CANCEL_SECONDS)

    async def _run_cancellable(
        self, client: A2aClient, reader: TurnReader, work: Awaitable[TurnResult], sent_id: str | None = None
    ) -> TurnResult:
        """Wait for the work. If it is cancelled, cancel the upstream task too, unless the backend is detached.

        `sent_id` is the id of the task in the message: the agent may not have answered yet.
        """
        try:
            return await work
        except asyncio.CancelledError:
            task_id = reader.task_id or sent_id
            if not self.detached and task_id:
                await client.cancel(task_id, within_seconds=_CANCEL_SECONDS)
            raise

    async def _send(
        self, client: A2aClient, turn: Turn, message: dict[str, Any], reader: TurnReader
    ) -> TurnResult:
        from cardwright.discovery.calling.a2a_client import failure

        stored, broken = False, False
        try:
            async with (
                contextlib.aclosing(
                    client.send(message, streams=self.streams, output_modes=self.output_modes)
                ) as events,
                asyncio.timeout(self.caller.timeout_seconds) as first_event,
            ):
                async for event in events:
                    first_event.reschedule(None)
                    self.caller.availability.reached()
                    await reader.read(event)
                    if not stored and reader.task_id and self.known and turn.task_id:
                        stored = True
                        await self._store(self.known, turn.task_id, client, reader)
                    if reader.result is not None:
                        return reader.result
        except (CardError, TimeoutError):
            raise
        except Exception as error:
            # A broken stream does not mean that the task failed: it is polled below.
            cause = failure(error, "")
            if not reader.task_id or not self.streams or _is_final(cause):
                raise self.caller.missed(_caller_error(cause)) from error
            broken = True
        if reader.held is not None:
            return reader.held
        if not reader.task_id:
            raise not_a_reply("the agent's stream ended without a task")
        return await self._poll(client, reader, streamed=self.streams and not broken)

    def _message(self, client: A2aClient, turn: Turn, before: tuple[str, str] | None) -> dict[str, Any]:
        """Return the A2A message of a turn, with the upstream task that it continues."""
        task_id, context_id = before if before is not None else (self._chosen_id(turn.task_id), None)
        if before is None and turn.context_id:
            context_id = self.deployment.context_id(self.agent_id, turn.owner, turn.context_id)
        return client.message(
            turn.parts,
            message_id=turn.message_id,
            context_id=context_id,
            task_id=task_id,
            metadata=turn.metadata,
        )

    def _chosen_id(self, task_id: str) -> str | None:
        """Return the id that the gateway chooses for the upstream task of A2A 0.1; None if the agent chooses it."""
        chooses = self._route is not None and self._route.version == "0.1"
        return self.deployment.task_id(self.agent_id, task_id) if chooses and task_id else None

    async def _store(self, known: Known, task_id: str, client: A2aClient, reader: TurnReader) -> None:
        """Store the upstream task id. If that fails, cancel the upstream task: the turn ends here.

        Raises:
            StoreError: If the database is unavailable for some seconds.
        """
        try:
            await _retried(lambda: known.keep(task_id, reader.task_id, reader.context_id))
        except StoreError:
            await client.cancel(reader.task_id, within_seconds=_CANCEL_SECONDS)
            raise

    async def _poll(self, client: A2aClient, reader: TurnReader, *, streamed: bool = False) -> TurnResult:
        """Poll a task until it has ended; `streamed` if the agent has ended a stream of it.

        Raises:
            CardError: If the agent answers with an error, or is unreachable for longer than the timeout.
        """
        from cardwright.discovery.calling.a2a_client import failure

        continued = await reader.reporter.left_open(streamed=streamed)
        attempt, failed, waited = 0, 0.0, 0.0
        while True:
            wait = _POLL_SECONDS[min(attempt, len(_POLL_SECONDS) - 1)]
            attempt += 1
            waited += wait
            if waited > _OPEN_SECONDS:
                raise PeerTimeout("", "the agent has not ended the task within a day")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await continued.wait()
                return TurnResult()
            try:
                task = await client.get_task(reader.task_id)
            except Exception as error:
                failed += wait
                cause = failure(error, "")
                if _is_final(cause) or failed > self.caller.timeout_seconds:
                    raise _caller_error(cause) from error
                continue
            failed = 0.0
            await reader.read({"task": task})
            if reader.result is not None:
                return reader.result

    @contextlib.asynccontextmanager
    async def _connected(self) -> AsyncGenerator[A2aClient]:
        """Yield a client for the preferred interface of the agent.

        Raises:
            UpstreamInvalid: If it has none.
        """
        from cardwright.discovery.calling.a2a_client import A2aClient

        await self.ready()
        route = self._route
        assert route is not None  # noqa: S101 - `ready` says so
        http, timeout = self.caller.http, self.caller.timeout_seconds
        first_byte = max(timeout, _SILENT_SECONDS) if self.streams else timeout
        over_grpc = route.binding == "GRPC"
        target = grpc_target(route.url).target if over_grpc else target_of(route.url)
        with traced("call") as trace:
            async with A2aClient.connect(
                self.caller.client,
                url=route.url,
                binding=route.binding,
                version=route.version,
                tenant=route.tenant,
                credentials={target_of(http.url).origin: http.headers},
                timeouts=Timeouts(first_byte=first_byte, total=None),
                configured=http.configured,
                headers=trace_headers(trace, own=target.origin == target_of(http.url).origin),
                hold=self.caller.hold,
            ) as client:
                yield client

    async def close(self) -> None:
        """Do nothing: the owner of the HTTP client closes it."""


async def _retried(operation: Callable[[], Awaitable[_Done]]) -> _Done:
    """Run a database operation; retry it for some seconds while the database is unavailable.

    Raises:
        StoreError: If the last attempt fails.
    """
    for wait in _RETRY_SECONDS:
        with contextlib.suppress(StoreError):
            return await operation()
        await asyncio.sleep(wait)
    return await operation()


def _is_final(error: CardError) -> bool:
    """Return whether another attempt would fail in the same way."""
    return isinstance(error, CallFailed) or (
        isinstance(error, BadResponse) and (error.kind == "too-large" or error.status == LOOP_DETECTED.status)
    )


def _caller_error(error: CardError) -> CardError:
    """Return the error for the caller: `BadTurn` if the agent rejected the message, otherwise what went wrong."""
    if isinstance(error, CallFailed):
        # Without a name, the code has another meaning in the agent's version of A2A.
        if error.name and error.code in _MESSAGE_ERRORS:
            return BadTurn(f"the agent rejected the message ({error.error_reason or 'no reason given'})")
        return not_a_reply(error.reason)
    return error
