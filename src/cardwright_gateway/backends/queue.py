"""Work queue in the database: turns wait until a worker takes them, maybe at another gateway process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cardwright.errors import CardError, PeerUnreachable, StoreError
from cardwright_gateway.backends.queue_rows import AWAITED_SECONDS
from cardwright_gateway.backends.work import lost_reason, read_result, read_update, turn_for_worker
from cardwright_gateway.database.deployment import Deployment

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_gateway.backends.backend import ReportLimit, Turn, TurnReporter, TurnResult
    from cardwright_gateway.backends.queue_rows import Awaited, QueueRows
    from cardwright_gateway.backends.work import Work, Workers

_LOG: Final = logging.getLogger("cardwright_gateway")
_Done = TypeVar("_Done")
# How often a process looks for what others changed, while a caller or a worker waits in it (project decision).
ROUND_SECONDS: Final = 0.2
# The same for the only process of a database: expired leases may wait so long (project decision).
ALONE_ROUND_SECONDS: Final = 1.0
# How often it extends `awaited_until`, and at most how often it stores that workers are here (project decision).
_EXTEND_SECONDS: Final = 5.0
_SEEN_SECONDS: Final = 1.0


@dataclass(slots=True, eq=False)
class _Caller:
    """A caller of this process that waits for a turn.

    Attributes:
        pending: Updates to pass on, in their order.
        passed_on: The numbers of the updates that were passed on.
        last: The number of the last update that was read.
        ended: Completes when the turn has ended, with the worker's result as JSON.
        changed: Set when there is something new.
    """

    ended: asyncio.Future[Any]
    pending: deque[tuple[int, Any]] = field(default_factory=deque[tuple[int, Any]])
    passed_on: list[int] = field(default_factory=list[int])
    last: int = -1
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class QueueBackend:
    """Backend whose turns are executed by workers that poll for them, such as workers behind a NAT.

    Args:
        agent_id: The agent.
        rows: The rows of the agent's queue.
        lease_seconds: How long a worker may be silent before its turn is given to another worker.
        waits: Whether turns wait while no worker is online, or are rejected.
        max_waiting: Maximum number of waiting turns.
        deployment: Derives the context ids that workers see, so that two callers never share one.
        extend_seconds: How often waiting callers extend the time until which their turns are awaited.
        round_seconds: How often this process looks for turns of others, for expired leases and for results that
            workers sent to others. What it stores itself, it notices at once.
    """

    def __init__(
        self,
        agent_id: str,
        rows: QueueRows,
        *,
        lease_seconds: float = 60.0,
        max_waiting: int = 1000,
        waits: bool = False,
        deployment: Deployment | None = None,
        extend_seconds: float = _EXTEND_SECONDS,
        round_seconds: float = ROUND_SECONDS,
    ) -> None:
        self.agent_id = agent_id
        self.lease_seconds = lease_seconds
        self._extend_seconds = extend_seconds
        self._round_seconds = round_seconds
        self.waits = waits
        self.max_waiting = max_waiting
        # The maximum size of the agent's tasks; set when the agent is created.
        self.limit: ReportLimit | None = None
        self._rows = replace(rows, process=secrets.token_hex(8))
        self._deployment = deployment or Deployment.of(rows.database)
        self._waiting: dict[int, _Caller] = {}
        # Workers that wait for work in this process, first come first served.
        self._idle: deque[asyncio.Future[None]] = deque()
        self._due = asyncio.Event()
        self._polling: asyncio.Task[None] | None = None
        # How many turns were queued in this process.
        self._queued = 0
        self._seen_at = float("-inf")
        # How many waiting workers are stored.
        self._stored = 0
        self._closed = False

    async def workers(self) -> Workers:
        """Return the state of the agent's workers, over all processes.

        Raises:
            StoreError: If the database is unavailable.
        """
        return await asyncio.to_thread(self._rows.workers)

    async def ready(self) -> None:
        """Check that a worker is online and that one more turn may wait.

        Raises:
            AgentOffline: If no worker polled for work or reported on it within two long polls.
            AgentBusy: If the maximum number of turns waits.
            StoreError: If the database is unavailable.
        """
        await asyncio.to_thread(self._rows.check_ready, self.max_waiting, waits=self.waits)

    async def check(self, turn: Turn) -> None:
        """Accept every turn: only the worker knows what it can answer."""

    async def run(self, turn: Turn, reporter: TurnReporter) -> TurnResult:
        """Wait until a worker has executed a turn.

        Raises:
            AgentBusy: If the maximum number of turns waits.
            PeerUnreachable: If every worker that took it is gone, or its row was deleted.
            StoreError: If the database is unavailable.
        """
        work = turn_for_worker(turn, self.agent_id, self._deployment)
        number = await self._undoable(lambda: self._rows.put(work, self.max_waiting), self._rows.drop)
        caller = self._waiting[number] = _Caller(asyncio.get_running_loop().create_future())
        self._queued += 1
        self._wake(1)
        self._start_polling()
        try:
            while True:
                await caller.changed.wait()
                caller.changed.clear()
                while caller.pending:
                    update, body = caller.pending.popleft()
                    await _pass_on(body, reporter)
                    caller.passed_on.append(update)
                # What came meanwhile was not read, and its signal is used up.
                self._due.set()
                if caller.ended.done():
                    return read_result(caller.ended.result())
        finally:
            del self._waiting[number]
            if not caller.ended.cancel():
                # Mark an exception as retrieved, or asyncio logs it.
                caller.ended.exception()
            # If the row cannot be deleted, the other processes discard it after `AWAITED_SECONDS`.
            with contextlib.suppress(CardError):
                await asyncio.shield(asyncio.to_thread(self._rows.drop, number))

    async def close(self) -> None:
        """End the polls of the workers that wait in this process."""
        self._closed = True
        self._wake(len(self._idle))
        if self._polling is not None:
            self._polling.cancel()
            await asyncio.gather(self._polling, return_exceptions=True)
        with contextlib.suppress(CardError):
            await self._store_waiting()

    async def take(self, wait_seconds: float) -> Work | None:
        """Return the turn that has waited longest, in any process; None if no turn is ready within `wait_seconds`.

        Raises:
            StoreError: If the database is unavailable.
        """
        await self._seen()
        end = time.monotonic() + wait_seconds
        while True:
            queued = self._queued
            try:
                work = await self._undoable(lambda: self._rows.claim(self.lease_seconds), self._give_back)
            except asyncio.CancelledError:
                # The turn that was given back is for the next worker.
                self._wake(1)
                raise
            left = end - time.monotonic()
            if work is not None or left <= 0:
                return work
            # A turn may have been queued after the query.
            if queued == self._queued and not await self._wait_for_work(left):
                end = time.monotonic()

    async def check_held(self, work_id: str) -> None:
        """Check that a worker holds a turn.

        Raises:
            UnknownWork: If no worker holds a lease with this id.
            StoreError: If the database is unavailable.
        """
        await asyncio.to_thread(self._rows.check_held, work_id)

    async def report(self, work_id: str, body: Any) -> None:
        """Store a worker's progress or a chunk of its result for the caller, and renew the lease.

        Raises:
            UnknownWork: If no worker holds a lease with this id.
            BadWork: If the body is not valid.
            AgentBusy: If too many updates wait to be passed on.
            TasksFull: If the task would become too large; the turn has failed then.
            StoreError: If the database is unavailable.
        """
        await self._seen()
        try:
            await asyncio.to_thread(self._rows.report, work_id, body, self.lease_seconds, self.limit)
        finally:
            self._due.set()

    async def finish(self, work_id: str, body: Any) -> None:
        """End a turn.

        Raises:
            UnknownWork: If no worker holds a lease with this id.
            BadWork: If the body is not a valid result; the worker keeps the lease.
            TasksFull: If the task would become too large; the turn has failed then.
            StoreError: If the database is unavailable.
        """
        await self._seen()
        try:
            await asyncio.to_thread(self._rows.finish, work_id, body, self.limit)
        finally:
            self._due.set()

    async def _undoable(self, do: Callable[[], _Done], undo: Callable[[_Done], None]) -> _Done:
        """Run `do` in a thread. If this task is cancelled meanwhile, wait for it and undo it."""
        running = asyncio.ensure_future(asyncio.to_thread(do))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            with contextlib.suppress(CardError):
                await asyncio.to_thread(undo, await running)
            raise

    def _give_back(self, work: Work | None) -> None:
        if work is not None:
            self._rows.give_back(work)

    async def _wait_for_work(self, wait_seconds: float) -> bool:
        """Wait until there may be work; return False on a timeout or when closed."""
        woken = asyncio.get_running_loop().create_future()
        self._idle.append(woken)
        try:
            self._start_polling()
            await asyncio.wait({woken}, timeout=wait_seconds)
            return woken.done() and not self._closed
        finally:
            if woken in self._idle:
                self._idle.remove(woken)
            if woken.done() and (task := asyncio.current_task()) is not None and task.cancelling():
                # This worker was woken but leaves without work: wake the next one.
                self._wake(1)

    async def _seen(self) -> None:
        """Store that a worker is here, at most once in `_SEEN_SECONDS`."""
        if self._rows.clock() - self._seen_at >= _SEEN_SECONDS:
            await self._store(len(self._idle))

    async def _store_waiting(self) -> None:
        """Store how many workers wait here, if that has changed."""
        if self._stored != len(self._idle):
            await self._store(len(self._idle))

    async def _store(self, waiting: int) -> None:
        self._seen_at = self._rows.clock()
        await asyncio.to_thread(self._rows.seen, waiting)
        self._stored = waiting

    def _wake(self, count: int) -> None:
        while self._idle and count > 0:
            woken = self._idle.popleft()
            if not woken.done():
                woken.set_result(None)
                count -= 1

    def _start_polling(self) -> None:
        if self._polling is None or self._polling.done():
            self._polling = asyncio.create_task(self._poll())

    async def _poll(self) -> None:
        """Poll the database while a caller or a worker waits in this process: one query for all of them."""
        last_success = last_extension = last_round = time.monotonic()
        while self._waiting or self._idle or self._stored:
            left = last_round + self._round_seconds - time.monotonic()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._due.wait(), left)
            self._due.clear()
            now = time.monotonic()
            extend = now - last_extension >= self._extend_seconds
            try:
                if self._waiting:
                    await self._look(extend=extend)
                if now - last_round >= self._round_seconds:
                    last_round = now
                    await self._store_waiting()
                    if self._idle:
                        self._wake(await asyncio.to_thread(self._rows.available, len(self._idle)))
            except StoreError as error:
                _LOG.warning("agent %s: cannot read its work queue: %s", self.agent_id, error)
                if now - last_success > AWAITED_SECONDS:
                    # `awaited_until` has passed: other processes discard the turns.
                    self._fail(error)
                await asyncio.sleep(self._round_seconds)
                continue
            last_success = now
            last_extension = now if extend else last_extension

    async def _look(self, *, extend: bool) -> None:
        # Read no more updates of a turn until the earlier ones are passed on.
        ready = {number: caller for number, caller in self._waiting.items() if extend or not caller.pending}
        passed_on = [number for caller in self._waiting.values() for number in caller.passed_on]
        turns = await asyncio.to_thread(self._rows.look, passed_on, tuple(ready), extend=extend)
        for caller in self._waiting.values():
            caller.passed_on = [number for number in caller.passed_on if number not in passed_on]
        for number, caller in ready.items():
            self._update(caller, turns.get(number))

    def _update(self, caller: _Caller, turn: Awaited | None) -> None:
        if caller.ended.done():
            return
        if turn is None or turn.lost:
            discarded = "the turn was discarded because the process that waits for it seemed to have stopped"
            reason = lost_reason(self.agent_id) if turn is not None else discarded
            caller.ended.set_exception(PeerUnreachable("", reason))
        else:
            updates = [update for update in turn.updates if update[0] > caller.last]
            caller.pending.extend(updates)
            caller.last = updates[-1][0] if updates else caller.last
            if turn.ended is not None:
                caller.ended.set_result(turn.ended)
        if caller.pending or caller.ended.done():
            caller.changed.set()

    def _fail(self, error: StoreError) -> None:
        for caller in self._waiting.values():
            if not caller.ended.done():
                caller.ended.set_exception(error)
                caller.changed.set()


async def _pass_on(body: Any, reporter: TurnReporter) -> None:
    update = read_update(body)
    if update.progressed:
        await reporter.progress(update.text, done=update.done, total=update.total)
    if update.parts:
        await reporter.parts(update.parts)
