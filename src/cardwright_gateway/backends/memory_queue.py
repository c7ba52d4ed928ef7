"""Work queue in memory: turns wait until a worker takes them under a lease."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from cardwright.errors import PeerUnreachable
from cardwright_gateway.a2a.task_size import Content, report_content
from cardwright_gateway.backends.work import (
    MAX_ATTEMPTS,
    Work,
    Workers,
    check_reported,
    lost_reason,
    read_result,
    read_update,
    turn_for_worker,
)
from cardwright_gateway.database.deployment import Deployment
from cardwright_gateway.errors import AgentBusy, AgentOffline, TasksFull, UnknownWork

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_gateway.backends.backend import ReportLimit, Turn, TurnReporter, TurnResult

__all__ = ["QueueBackend", "Work"]


@dataclass(slots=True, eq=False)
class _Job:
    """A turn that waits, or that a worker has taken.

    Attributes:
        ended: Completes with the result.
        attempts: How many workers have taken it.
        reported: How many parts of its result were reported.
        reported_content: The size of what was reported.
        until: When the worker's lease expires.
    """

    turn: Turn
    reporter: TurnReporter
    ended: asyncio.Future[TurnResult]
    attempts: int = 0
    reported: int = 0
    reported_content: Content = field(default_factory=Content)
    until: float = 0.0


@dataclass(slots=True, eq=False)
class QueueBackend:
    """Backend whose turns are executed by workers that poll for them, such as workers behind a NAT.

    Attributes:
        agent_id: The agent.
        clock: A monotonic clock, in seconds.
        lease_seconds: How long a worker may be silent before its turn is given to another worker.
        waits: Whether turns wait while no worker is online, or are rejected.
        max_waiting: Maximum number of waiting turns.
        limit: The maximum size of the agent's tasks; None if they are not stored.
        deployment: Derives the context ids that workers see, so that two callers never share one.
    """

    agent_id: str
    clock: Callable[[], float] = field(default=time.monotonic, kw_only=True)
    lease_seconds: float = field(default=60.0, kw_only=True)
    waits: bool = field(default=False, kw_only=True)
    max_waiting: int = field(default=1000, kw_only=True)
    limit: ReportLimit | None = field(default=None, kw_only=True)
    deployment: Deployment = field(default_factory=Deployment, kw_only=True)
    _waiting: deque[_Job] = field(default_factory=deque[_Job])
    _taken: dict[str, _Job] = field(default_factory=dict[str, _Job])
    # Workers that wait for work, first come first served.
    _idle: deque[asyncio.Future[None]] = field(default_factory=deque[asyncio.Future[None]])
    _polled_at: float | None = None

    async def workers(self) -> Workers:
        """Return the state of the agent's workers."""
        if self._idle:
            return Workers(len(self._idle), 0.0)
        return Workers(0, None if self._polled_at is None else max(0.0, self.clock() - self._polled_at))

    async def ready(self) -> None:
        """Check that a worker is online and that one more turn may wait.

        Raises:
            AgentOffline: If no worker polled for work or reported on it within two long polls.
            AgentBusy: If the maximum number of turns waits.
        """
        if not self.waits and not (await self.workers()).online:
            raise AgentOffline(self.agent_id)
        self._check_room()

    async def check(self, turn: Turn) -> None:
        """Accept every turn: only the worker knows what it can answer."""

    async def run(self, turn: Turn, reporter: TurnReporter) -> TurnResult:
        """Wait until a worker has executed a turn.

        Raises:
            AgentBusy: If the maximum number of turns waits.
            PeerUnreachable: If every worker that took it is gone.
        """
        self._check_room()
        job = _Job(
            turn_for_worker(turn, self.agent_id, self.deployment),
            reporter,
            asyncio.get_running_loop().create_future(),
        )
        self._waiting.append(job)
        self._wake()
        try:
            while not job.ended.done():
                # If no worker polls any more, only this loop notices an expired lease.
                await asyncio.wait({job.ended}, timeout=self.lease_seconds)
                self._expire()
            return job.ended.result()
        finally:
            job.ended.cancel()
            self._drop(job)

    async def close(self) -> None:
        """End the polls of the waiting workers."""
        while self._idle:
            woken = self._idle.popleft()
            if not woken.done():
                woken.set_result(None)

    async def take(self, wait_seconds: float) -> Work | None:
        """Return the turn that has waited longest; None if no turn is ready within `wait_seconds`."""
        self._polled_at = self.clock()
        self._expire()
        if not self._waiting and wait_seconds > 0:
            woken = asyncio.get_running_loop().create_future()
            self._idle.append(woken)
            try:
                await asyncio.wait({woken}, timeout=wait_seconds)
            finally:
                if woken in self._idle:
                    self._idle.remove(woken)
                self._polled_at = self.clock()
                if woken.done() and (task := asyncio.current_task()) is not None and task.cancelling():
                    # This worker was woken but leaves without work: wake the next one.
                    self._wake()
        return self._give() if self._waiting else None

    async def check_held(self, work_id: str) -> None:
        """Check that a worker holds a turn.

        Raises:
            UnknownWork: If no worker holds a lease with this id.
        """
        self._job(work_id)

    async def report(self, work_id: str, body: Any) -> None:
        """Report a worker's progress or a chunk of its result to the caller, and renew the lease.

        Raises:
            UnknownWork: If no worker holds a lease with this id.
            BadWork: If the body is not valid.
            TasksFull: If the task would become too large; the turn has failed then.
        """
        self._job(work_id)
        update = read_update(body)
        job = await self._checked(work_id, body)
        job.until = self.clock() + self.lease_seconds
        if update.progressed:
            await job.reporter.progress(update.text, done=update.done, total=update.total)
        if update.parts:
            job.reported += len(update.parts)
            await job.reporter.parts(update.parts)

    async def finish(self, work_id: str, body: Any) -> None:
        """End a turn.

        Raises:
            UnknownWork: If no worker holds a lease with this id.
            BadWork: If the body is not a valid result; the worker keeps the lease.
            TasksFull: If the task would become too large; the turn has failed then.
        """
        self._job(work_id)
        result = read_result(body)
        job = await self._checked(work_id, body)
        del self._taken[work_id]
        if not job.ended.done():
            job.ended.set_result(result)

    def _check_room(self) -> None:
        if len(self._waiting) >= self.max_waiting:
            raise AgentBusy(self.agent_id)

    async def _checked(self, work_id: str, body: Any) -> _Job:
        """Return the turn that a worker holds, if its task has space for a report; fail the turn otherwise."""
        job = self._job(work_id)
        try:
            content = report_content(body, orjson.dumps(body))
            job.reported_content += content
            check_reported(job.reported_content)
            if self.limit is not None:
                await asyncio.to_thread(
                    self.limit.check_report, job.turn.task_id, content, job.reported_content
                )
        except TasksFull as full:
            self._taken.pop(work_id, None)
            if not job.ended.done():
                job.ended.set_exception(full)
            raise
        # The lease may have expired meanwhile.
        return self._job(work_id)

    def _job(self, work_id: str) -> _Job:
        self._polled_at = self.clock()
        self._expire()
        job = self._taken.get(work_id)
        if job is None:
            raise UnknownWork
        return job

    def _give(self) -> Work:
        job = self._waiting.popleft()
        job.attempts += 1
        job.until = self.clock() + self.lease_seconds
        # A new id for each attempt: a worker that lost its lease cannot report on the turn any more.
        work = Work(secrets.token_urlsafe(16), job.turn, job.attempts, job.reported)
        self._taken[work.id] = job
        return work

    def _wake(self) -> None:
        while self._idle:
            woken = self._idle.popleft()
            if not woken.done():
                woken.set_result(None)
                return

    def _expire(self) -> None:
        """Requeue the turns whose lease has expired."""
        now = self.clock()
        for work_id in [work_id for work_id, job in self._taken.items() if job.until <= now]:
            job = self._taken.pop(work_id)
            if job.attempts < MAX_ATTEMPTS:
                # At the front: it has waited before.
                self._waiting.appendleft(job)
                self._wake()
            elif not job.ended.done():
                job.ended.set_exception(PeerUnreachable("", lost_reason(self.agent_id)))

    def _drop(self, job: _Job) -> None:
        if job in self._waiting:
            self._waiting.remove(job)
        for work_id in [work_id for work_id, taken in self._taken.items() if taken is job]:
            del self._taken[work_id]
