"""An agent of A2A as a backend: the task is the gateway's own, and the agent behind has another one for it."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from cardwright.errors import CallFailed, CardError, PeerTimeout, StoreError
from cardwright.guard import Timeouts, target_of
from cardwright_gateway.backends.a2a_events import Taking
from cardwright_gateway.errors import BadTurn, UpstreamInvalid
from cardwright_gateway.telemetry.tracing import carried_to, traced
from cardwright_gateway.upstream.client import not_a_reply

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping

    from a2a.client.transports.base import ClientTransport
    from a2a.types import SendMessageRequest

    from cardwright_gateway.backends.backend import Turn, TurnReporter, TurnResult
    from cardwright_gateway.upstream.client import Caller
    from cardwright_gateway.upstream.route import Upstream

# A task that goes on after its answer, or whose stream broke, is asked for so often (ours): soon, then seldom.
_ASKING_SECONDS: Final = (0.2, 0.5, 1.0, 2.0, 5.0)
# What a cancelled task's agent has to take note (BeeOS seed §4: some five seconds for the whole).
_CANCELLING_SECONDS: Final = 4.0
_Done = TypeVar("_Done")
# A task behind that is not remembered cannot be gone on with: how long a database that fails is waited for (ours).
_KEEPING_SECONDS: Final = (0.2, 1.0, 3.0)
# How long a stream may be silent before its task is asked for instead (ours).
_SILENT_SECONDS: Final = 300.0
# In which order an agent is spoken to that can be spoken to in several ways.
_WAYS: Final = (("JSONRPC", "1.0"), ("HTTP+JSON", "1.0"), ("JSONRPC", "0.3"), ("HTTP+JSON", "0.3"))
# What an agent refuses for the message that it was sent (A2A 1.0 §5.4): its caller can mend that.
_REFUSALS: Final = frozenset({-32602, -32004, -32005, -32008})
_CONTEXTS: Final = uuid.UUID("2f4a2f62-8a3f-5d0c-9d2b-6a5f0a0b7c11")


class Known(Protocol):
    """Remembers which task of the agent behind answers for a task of the gateway."""

    async def find(self, task_id: str) -> tuple[str, str] | None:
        """Return the ids of the task behind and of its context."""

    async def keep(self, task_id: str, upstream_id: str, upstream_context_id: str) -> None:
        """Remember them."""


@dataclass(slots=True)
class A2aBackend:
    """Answers turns by an agent of A2A.

    Its context ids are derived from whose turn it is: two callers that name the same context have two.

    Attributes:
        agent_id: Whose turns they are.
        caller: Where the agent is, and what dials.
        known: Where the ids of its tasks are remembered; without it tasks cannot be gone on with.
        streams: Whether it says that it streams.
        detached: Whether its tasks go on elsewhere: those behind are left as they are when this process lets go.
    """

    agent_id: str
    caller: Caller
    known: Known | None = None
    streams: bool = False
    detached: bool = False
    _way: Upstream | None = field(default=None)

    def exchange(self, routes: Mapping[tuple[str, str], Upstream], *, streams: bool) -> None:
        """Have the agent called as its card says now."""
        self._way = next((routes[way] for way in _WAYS if way in routes), None)
        self.streams = streams

    async def ready(self) -> None:
        """Return when it is known how the agent is called.

        Raises:
            UpstreamInvalid: If its card names no way that is spoken here.
        """
        if self._way is None:
            raise UpstreamInvalid("it names no interface that the gateway can use")

    async def check(self, turn: Turn) -> None:
        """Refuse nothing: what it can answer, the agent alone knows."""

    async def run(self, turn: Turn, tell: TurnReporter) -> TurnResult:
        """Send a turn, tell what comes of it, and return how it ended.

        Raises:
            CardError: If the agent cannot be reached, or what it answers is none of A2A.
        """
        await self.ready()
        way = self._way
        assert way is not None  # noqa: S101 - `ready` says so
        known = self.known
        before = await _patiently(lambda: known.find(turn.task_id)) if known and turn.earlier else None
        taking = Taking(tell)
        # Where there is no task to ask for later, its whole answer has its time.
        whole = None if turn.task_id else self.caller.timeout_seconds
        try:
            async with self._transport(way) as transport, asyncio.timeout(whole):
                return await self._cancelling(
                    transport, way, taking, self._ran(transport, way, turn, before, taking)
                )
        except TimeoutError:
            raise PeerTimeout("", "it did not answer in time") from None

    async def resume(self, task_id: str, told: Mapping[str, int], tell: TurnReporter) -> TurnResult:
        """Go on with a task that another process began: ask for it until it has ended, and return how.

        Args:
            task_id: The task of the gateway.
            told: By artifact, how many of its parts were told already.
            tell: Tells what is new.

        Raises:
            UpstreamInvalid: If nobody knows which task of the agent answers for it.
            CardError: As `run`.
        """
        await self.ready()
        way = self._way
        assert way is not None  # noqa: S101 - `ready` says so
        before = await self.known.find(task_id) if self.known else None
        if before is None:
            raise UpstreamInvalid("nobody knows which of its tasks this was")
        taking = Taking(tell, *before, _parts=dict(told))
        async with self._transport(way) as transport:
            return await self._cancelling(transport, way, taking, self._asked(transport, way, taking))

    async def give_up(self, task_id: str) -> None:
        """Cancel the task behind one that waits for its caller."""
        way = self._way
        before = await self.known.find(task_id) if self.known else None
        if way is not None and before is not None:
            async with self._transport(way) as transport:
                await _cancel(transport, before[0], way)

    async def _cancelling(
        self, transport: ClientTransport, way: Upstream, taking: Taking, work: Awaitable[TurnResult]
    ) -> TurnResult:
        """Wait for the work; where it is cancelled, so is the task behind, unless that goes on elsewhere."""
        try:
            return await work
        except asyncio.CancelledError:
            if not self.detached:
                await _cancel(transport, taking.task_id, way)
            raise

    async def _ran(
        self,
        transport: ClientTransport,
        way: Upstream,
        turn: Turn,
        before: tuple[str, str] | None,
        taking: Taking,
    ) -> TurnResult:
        from cardwright.discovery.calling.a2a import failure

        kept = False
        try:
            async with (
                contextlib.aclosing(
                    _events(transport, _request(turn, way, before, self.agent_id), streams=self.streams)
                ) as events,
                asyncio.timeout(self.caller.timeout_seconds) as beginning,
            ):
                async for event in events:
                    beginning.reschedule(None)
                    await taking.take(event)
                    if not kept and taking.task_id and self.known and turn.task_id:
                        kept = True
                        await self._keep(self.known, turn.task_id, transport, way, taking)
                    if taking.outcome is not None:
                        return taking.outcome
        except (CardError, TimeoutError):
            raise
        except Exception as error:
            # A stream that broke says nothing of its task: that is asked for below.
            if not taking.task_id or not self.streams:
                raise self.caller.missed(_told(failure(error, ""))) from error
        if not taking.task_id:
            raise not_a_reply("its stream ended without a word of a task")
        return await self._asked(transport, way, taking)

    async def _keep(
        self, known: Known, task_id: str, transport: ClientTransport, way: Upstream, taking: Taking
    ) -> None:
        """Remember the task behind; where that cannot be done, cancel it: the turn ends here.

        Raises:
            StoreError: If the database cannot be used for some seconds.
        """
        try:
            await _patiently(lambda: known.keep(task_id, taking.task_id, taking.context_id))
        except StoreError:
            await _cancel(transport, taking.task_id, way)
            raise

    async def _asked(self, transport: ClientTransport, way: Upstream, taking: Taking) -> TurnResult:
        """Ask for a task until it has ended; an agent that cannot be reached for long has lost it.

        Raises:
            CardError: If it cannot be had any more.
        """
        from a2a.types import GetTaskRequest
        from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped] # it has no stubs

        from cardwright.discovery.calling.a2a import failure

        turn, failed = 0, 0.0
        while True:
            waits = _ASKING_SECONDS[min(turn, len(_ASKING_SECONDS) - 1)]
            turn += 1
            await asyncio.sleep(waits)
            try:
                task = await transport.get_task(GetTaskRequest(id=taking.task_id, tenant=way.tenant or ""))
            except Exception as error:
                failed += waits
                why = failure(error, "")
                if isinstance(why, CallFailed) or failed > self.caller.timeout_seconds:
                    raise _told(why) from error
                continue
            failed = 0.0
            await taking.take({"task": MessageToDict(task)})
            if taking.outcome is not None:
                return taking.outcome

    @contextlib.asynccontextmanager
    async def _transport(self, way: Upstream) -> AsyncGenerator[ClientTransport]:
        import httpx
        from a2a.types import AgentCard

        from cardwright.discovery.calling.a2a import TRANSPORTS
        from cardwright.guard.transports import httpx_transport

        http = self.caller.http
        silent = (
            max(self.caller.timeout_seconds, _SILENT_SECONDS) if self.streams else self.caller.timeout_seconds
        )
        guarded = httpx_transport(
            self.caller.client,
            credentials_for={target_of(http.url).origin: http.headers},
            timeouts=Timeouts(first_byte=silent, total=None),
            configured=http.configured,
        )
        newer = not way.version.startswith("0.")
        headers = {"A2A-Version": way.version} if newer else {}
        own = target_of(way.url).origin == target_of(http.url).origin
        with traced("call") as trace:
            headers |= carried_to(trace, own=own)
            async with httpx.AsyncClient(transport=guarded, headers=headers, trust_env=False) as client:
                yield TRANSPORTS[way.binding, newer](client, AgentCard(), way.url)

    async def close(self) -> None:
        """Let go of nothing: whoever gave the client closes it."""


async def _patiently(do: Callable[[], Awaitable[_Done]]) -> _Done:
    """Do what needs the database; where that cannot be used, again, some seconds long.

    Raises:
        StoreError: If it cannot be used then, either.
    """
    for waits in _KEEPING_SECONDS:
        with contextlib.suppress(StoreError):
            return await do()
        await asyncio.sleep(waits)
    return await do()


def _request(turn: Turn, way: Upstream, before: tuple[str, str] | None, agent_id: str) -> SendMessageRequest:
    from a2a.types import SendMessageRequest
    from google.protobuf import json_format  # type: ignore[import-untyped] # it has no stubs

    message: dict[str, Any] = {
        "messageId": turn.message_id or uuid.uuid4().hex,
        "role": "ROLE_USER",
        "parts": [part.to_wire() for part in turn.parts],
    }
    if turn.metadata:
        message["metadata"] = dict(turn.metadata)
    if before is not None:
        message["taskId"], message["contextId"] = before
    elif turn.context_id:
        message["contextId"] = str(uuid.uuid5(_CONTEXTS, f"{agent_id}\n{turn.owner}\n{turn.context_id}"))
    request: dict[str, Any] = {"message": message, "configuration": {"returnImmediately": False}}
    if way.tenant is not None:
        request["tenant"] = way.tenant
    parsed: SendMessageRequest = json_format.ParseDict(request, SendMessageRequest(), max_recursion_depth=512)
    return parsed


async def _events(
    transport: ClientTransport, request: SendMessageRequest, *, streams: bool
) -> AsyncGenerator[dict[str, Any]]:
    from google.protobuf.json_format import MessageToDict

    if not streams:
        yield MessageToDict(await transport.send_message(request))
        return
    async with contextlib.aclosing(transport.send_message_streaming(request)) as stream:
        async for event in stream:
            yield MessageToDict(event)


async def _cancel(transport: ClientTransport, task_id: str, way: Upstream) -> None:
    """Ask the agent to give up its task, as far as it has named one; it is not waited for long."""
    if not task_id:
        return
    from a2a.types import CancelTaskRequest

    with contextlib.suppress(Exception):
        async with asyncio.timeout(_CANCELLING_SECONDS):
            await transport.cancel_task(CancelTaskRequest(id=task_id, tenant=way.tenant or ""))


def _told(error: CardError) -> CardError:
    """Return an error as the caller may be told it: what the agent refuses for the message, and all else."""
    if isinstance(error, CallFailed):
        if error.code in _REFUSALS:
            return BadTurn(f"the agent refuses it ({error.error_reason or 'the message'})")
        return not_a_reply("it answers with an error of its own")
    return error
