"""Agents that pull their work: turns wait here until a worker takes them, under a lease."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.errors import PeerUnreachable
from cardwright_gateway.backends.work import MOST_ATTEMPTS, Work, Workers, lost_reason, read_result, read_told
from cardwright_gateway.errors import AgentBusy, AgentOffline, UnknownWork

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_gateway.backends.backend import Turn, TurnReporter, TurnResult

__all__ = ["QueueBackend", "Work"]


@dataclass(slots=True, eq=False)
class _Job:
    """A turn that waits, or that a worker has.

    Attributes:
        ended: How it ended.
        attempts: How often it was given to a worker.
        told: How many parts of its result were told.
        until: When the lease of the worker that has it runs out.
    """

    turn: Turn
    tell: TurnReporter
    ended: asyncio.Future[TurnResult]
    attempts: int = 0
    told: int = 0
    until: float = 0.0


@dataclass(slots=True, eq=False)
class QueueBackend:
    """Answers turns by workers that ask for them, such as those behind a NAT.

    Attributes:
        agent_id: Whose work it is.
        clock: Seconds that only grow.
        lease_seconds: How long a worker has a turn without a word before another is given it.
        waits: Whether turns wait while no worker is connected, or are refused.
        most_waiting: How many turns may wait.
    """

    agent_id: str
    clock: Callable[[], float] = field(default=time.monotonic, kw_only=True)
    lease_seconds: float = field(default=60.0, kw_only=True)
    waits: bool = field(default=False, kw_only=True)
    most_waiting: int = field(default=1000, kw_only=True)
    _waiting: deque[_Job] = field(default_factory=deque[_Job])
    _taken: dict[str, _Job] = field(default_factory=dict[str, _Job])
    # Workers that wait for work, in the order in which they came.
    _asking: deque[asyncio.Future[None]] = field(default_factory=deque[asyncio.Future[None]])
    _asked: float | None = None

    async def workers(self) -> Workers:
        """Return how the workers do."""
        if self._asking:
            return Workers(len(self._asking), 0.0)
        return Workers(0, None if self._asked is None else max(0.0, self.clock() - self._asked))

    async def ready(self) -> None:
        """Return when there are workers, and room for their work.

        Raises:
            AgentOffline: If none has asked for work, or said a word of it, within two long polls.
            AgentBusy: If as much waits as may.
        """
        if not self.waits and not (await self.workers()).online:
            raise AgentOffline(self.agent_id)
        self._check_room()

    async def check(self, turn: Turn) -> None:
        """Refuse nothing: what a worker can answer, it alone knows."""

    async def run(self, turn: Turn, tell: TurnReporter) -> TurnResult:
        """Wait until a worker has answered a turn.

        Raises:
            AgentBusy: If as much waits as may.
            PeerUnreachable: If every worker that it was given to is gone.
        """
        self._check_room()
        job = _Job(turn, tell, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        self._wake()
        try:
            while not job.ended.done():
                # Where no worker asks any more, nobody else would notice a lease that ran out.
                await asyncio.wait({job.ended}, timeout=self.lease_seconds)
                self._expire()
            return job.ended.result()
        finally:
            job.ended.cancel()
            self._drop(job)

    async def close(self) -> None:
        """Send the workers that wait home."""
        while self._asking:
            asking = self._asking.popleft()
            if not asking.done():
                asking.set_result(None)

    async def take(self, wait_seconds: float) -> Work | None:
        """Return the turn that has waited longest; None where there is none within a time."""
        self._asked = self.clock()
        self._expire()
        if not self._waiting and wait_seconds > 0:
            asking = asyncio.get_running_loop().create_future()
            self._asking.append(asking)
            try:
                await asyncio.wait({asking}, timeout=wait_seconds)
            finally:
                if asking in self._asking:
                    self._asking.remove(asking)
                self._asked = self.clock()
                if asking.done() and (task := asyncio.current_task()) is not None and task.cancelling():
                    # It was woken for work and goes without it: the next one takes it.
                    self._wake()
        return self._give() if self._waiting else None

    async def tell(self, work_id: str, body: Any) -> None:
        """Tell the caller how far a worker is, or a piece of its result; the lease begins anew.

        Raises:
            UnknownWork: If no worker has such work now.
            BadWork: If the body is none of these.
        """
        job = self._job(work_id)
        told = read_told(body)
        job.until = self.clock() + self.lease_seconds
        if told.progressed:
            await job.tell.progress(told.text, done=told.done, total=told.total)
        if told.parts:
            job.told += len(told.parts)
            await job.tell.parts(told.parts)

    async def finish(self, work_id: str, body: Any) -> None:
        """End a turn.

        Raises:
            UnknownWork: If no worker has such work now.
            BadWork: If the body says no end; the worker still has the work.
        """
        job = self._job(work_id)
        outcome = read_result(body)
        del self._taken[work_id]
        if not job.ended.done():
            job.ended.set_result(outcome)

    def _check_room(self) -> None:
        if len(self._waiting) >= self.most_waiting:
            raise AgentBusy(self.agent_id)

    def _job(self, work_id: str) -> _Job:
        self._asked = self.clock()
        self._expire()
        job = self._taken.get(work_id)
        if job is None:
            raise UnknownWork
        return job

    def _give(self) -> Work:
        job = self._waiting.popleft()
        job.attempts += 1
        job.until = self.clock() + self.lease_seconds
        # A worker that has lost its lease cannot speak for the one that has it now.
        work = Work(secrets.token_urlsafe(16), job.turn, job.attempts, job.told)
        self._taken[work.id] = job
        return work

    def _wake(self) -> None:
        while self._asking:
            asking = self._asking.popleft()
            if not asking.done():
                asking.set_result(None)
                return

    def _expire(self) -> None:
        """Take the turns back whose workers are gone."""
        now = self.clock()
        for work_id in [work_id for work_id, job in self._taken.items() if job.until <= now]:
            job = self._taken.pop(work_id)
            if job.attempts < MOST_ATTEMPTS:
                # First of all: it has waited before.
                self._waiting.appendleft(job)
                self._wake()
            elif not job.ended.done():
                job.ended.set_exception(PeerUnreachable("", lost_reason(self.agent_id)))

    def _drop(self, job: _Job) -> None:
        if job in self._waiting:
            self._waiting.remove(job)
        for work_id in [work_id for work_id, taken in self._taken.items() if taken is job]:
            del self._taken[work_id]
