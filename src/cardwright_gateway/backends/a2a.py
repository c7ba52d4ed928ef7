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

    from cardwright.discovery.calling.a2a_client import A2aClient
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
        known = self.known
        before = await _patiently(lambda: known.find(turn.task_id)) if known and turn.earlier else None
        taking = Taking(tell)
        # Where there is no task to ask for later, its whole answer has its time.
        whole = None if turn.task_id else self.caller.timeout_seconds
        try:
            async with self._connected() as client, asyncio.timeout(whole):
                return await self._cancelling(client, taking, self._ran(client, turn, before, taking))
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
        before = await self.known.find(task_id) if self.known else None
        if before is None:
            raise UpstreamInvalid("nobody knows which of its tasks this was")
        taking = Taking(tell, *before, _parts=dict(told))
        async with self._connected() as client:
            return await self._cancelling(client, taking, self._asked(client, taking))

    async def give_up(self, task_id: str) -> None:
        """Cancel the task behind one that waits for its caller."""
        before = await self.known.find(task_id) if self.known else None
        if self._way is not None and before is not None:
            async with self._connected() as client:
                await client.cancel(before[0], within_seconds=_CANCELLING_SECONDS)

    async def _cancelling(self, client: A2aClient, taking: Taking, work: Awaitable[TurnResult]) -> TurnResult:
        """Wait for the work; where it is cancelled, so is the task behind, unless that goes on elsewhere."""
        try:
            return await work
        except asyncio.CancelledError:
            if not self.detached and taking.task_id:
                await client.cancel(taking.task_id, within_seconds=_CANCELLING_SECONDS)
            raise

    async def _ran(
        self, client: A2aClient, turn: Turn, before: tuple[str, str] | None, taking: Taking
    ) -> TurnResult:
        from cardwright.discovery.calling.a2a_client import failure

        kept = False
        message = _message(turn, before, self.agent_id)
        try:
            async with (
                contextlib.aclosing(client.send(message, streams=self.streams)) as events,
                asyncio.timeout(self.caller.timeout_seconds) as beginning,
            ):
                async for event in events:
                    beginning.reschedule(None)
                    await taking.take(event)
                    if not kept and taking.task_id and self.known and turn.task_id:
                        kept = True
                        await self._keep(self.known, turn.task_id, client, taking)
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
        return await self._asked(client, taking)

    async def _keep(self, known: Known, task_id: str, client: A2aClient, taking: Taking) -> None:
        """Remember the task behind; where that cannot be done, cancel it: the turn ends here.

        Raises:
            StoreError: If the database cannot be used for some seconds.
        """
        try:
            await _patiently(lambda: known.keep(task_id, taking.task_id, taking.context_id))
        except StoreError:
            await client.cancel(taking.task_id, within_seconds=_CANCELLING_SECONDS)
            raise

    async def _asked(self, client: A2aClient, taking: Taking) -> TurnResult:
        """Ask for a task until it has ended; an agent that cannot be reached for long has lost it.

        Raises:
            CardError: If it cannot be had any more.
        """
        from cardwright.discovery.calling.a2a_client import failure

        turn, failed = 0, 0.0
        while True:
            waits = _ASKING_SECONDS[min(turn, len(_ASKING_SECONDS) - 1)]
            turn += 1
            await asyncio.sleep(waits)
            try:
                task = await client.get_task(taking.task_id)
            except Exception as error:
                failed += waits
                why = failure(error, "")
                if isinstance(why, CallFailed) or failed > self.caller.timeout_seconds:
                    raise _told(why) from error
                continue
            failed = 0.0
            await taking.take({"task": task})
            if taking.outcome is not None:
                return taking.outcome

    @contextlib.asynccontextmanager
    async def _connected(self) -> AsyncGenerator[A2aClient]:
        """Give what calls the agent by the best of its interfaces.

        Raises:
            UpstreamInvalid: If its card names no way that is spoken here.
        """
        from cardwright.discovery.calling.a2a_client import A2aClient

        await self.ready()
        way = self._way
        assert way is not None  # noqa: S101 - `ready` says so
        http, longest = self.caller.http, self.caller.timeout_seconds
        silent = max(longest, _SILENT_SECONDS) if self.streams else longest
        with traced("call") as trace:
            async with A2aClient.connect(
                self.caller.client,
                url=way.url,
                binding=way.binding,
                version=way.version,
                tenant=way.tenant,
                credentials={target_of(http.url).origin: http.headers},
                timeouts=Timeouts(first_byte=silent, total=None),
                configured=http.configured,
                headers=carried_to(trace, own=target_of(way.url).origin == target_of(http.url).origin),
            ) as client:
                yield client

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


def _message(turn: Turn, before: tuple[str, str] | None, agent_id: str) -> dict[str, Any]:
    """Return the message of a turn, in the task behind that it goes on with."""
    from cardwright.discovery.calling.a2a_client import message_of

    task_id, context_id = before if before is not None else (None, None)
    if before is None and turn.context_id:
        context_id = str(uuid.uuid5(_CONTEXTS, f"{agent_id}\n{turn.owner}\n{turn.context_id}"))
    return message_of(
        turn.parts,
        message_id=turn.message_id,
        context_id=context_id,
        task_id=task_id,
        metadata=turn.metadata,
    )


def _told(error: CardError) -> CardError:
    """Return an error as the caller may be told it: what the agent refuses for the message, and all else."""
    if isinstance(error, CallFailed):
        if error.code in _REFUSALS:
            return BadTurn(f"the agent refuses it ({error.error_reason or 'the message'})")
        return not_a_reply("it answers with an error of its own")
    return error
