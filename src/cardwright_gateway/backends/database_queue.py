"""Agents that pull their work from several processes: whoever asks and whoever works may be at two of them."""

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
from cardwright_gateway.backends.work import lost_reason, read_result, read_told
from cardwright_gateway.errors import AgentOffline

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_gateway.backends.backend import Turn, TurnReporter, TurnResult
    from cardwright_gateway.backends.queue_rows import Awaited, QueueRows
    from cardwright_gateway.backends.work import Work, Workers

_LOG: Final = logging.getLogger("cardwright_gateway")
_Done = TypeVar("_Done")
# How often this process looks at what others wrote, while somebody waits here (ours).
ROUND_SECONDS: Final = 0.2
# How often it says that turns are awaited still, and at most how often that workers are there (ours).
_SAY_SECONDS: Final = 5.0
_SEEN_SECONDS: Final = 1.0


@dataclass(slots=True, eq=False)
class _Waiting:
    """A caller of this process who waits for a turn.

    Attributes:
        told: What is to be passed on, in its order.
        passed_on: The numbers of the words that were.
        last: The last word that came.
        ended: Completes when the turn has ended; with how, as the worker said it.
        heard: Set when something came.
    """

    ended: asyncio.Future[Any]
    told: deque[tuple[int, Any]] = field(default_factory=deque[tuple[int, Any]])
    passed_on: list[int] = field(default_factory=list[int])
    last: int = -1
    heard: asyncio.Event = field(default_factory=asyncio.Event)


class SharedQueueBackend:
    """Answers turns by workers that ask any process for them.

    Args:
        agent_id: Whose work it is.
        rows: Where the turns wait.
        lease_seconds: How long a worker has a turn without a word before another is given it.
        waits: Whether turns wait while no worker is connected, or are refused.
        most_waiting: How many turns may wait.
    """

    def __init__(
        self,
        agent_id: str,
        rows: QueueRows,
        *,
        lease_seconds: float = 60.0,
        most_waiting: int = 1000,
        waits: bool = False,
    ) -> None:
        self.agent_id = agent_id
        self.lease_seconds = lease_seconds
        self.waits = waits
        self.most_waiting = most_waiting
        self._rows = replace(rows, process=secrets.token_hex(8))
        self._waiting: dict[int, _Waiting] = {}
        # Workers that wait for work here, in the order in which they came.
        self._asking: deque[asyncio.Future[None]] = deque()
        self._due = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._seen_at = float("-inf")
        self._closed = False

    async def workers(self) -> Workers:
        """Return how the workers do, wherever they ask.

        Raises:
            StoreError: If the database cannot be used.
        """
        return await asyncio.to_thread(self._rows.workers)

    async def ready(self) -> None:
        """Return when there are workers, and room for their work.

        Raises:
            AgentOffline: If none has asked for work, or said a word of it, within two long polls.
            AgentBusy: If as much waits as may.
            StoreError: If the database cannot be used.
        """
        if not self.waits and not (await self.workers()).online:
            raise AgentOffline(self.agent_id)
        await asyncio.to_thread(self._rows.check_room, self.most_waiting)

    async def check(self, turn: Turn) -> None:
        """Refuse nothing: what a worker can answer, it alone knows."""

    async def run(self, turn: Turn, tell: TurnReporter) -> TurnResult:
        """Wait until a worker has answered a turn.

        Raises:
            AgentBusy: If as much waits as may.
            PeerUnreachable: If every worker that it was given to is gone, or nobody knows of the turn any more.
            StoreError: If the database cannot be used.
        """
        number = await self._whole(lambda: self._rows.put(turn, self.most_waiting), self._rows.drop)
        waiting = self._waiting[number] = _Waiting(asyncio.get_running_loop().create_future())
        self._wake(1)
        self._look_soon()
        try:
            while True:
                await waiting.heard.wait()
                waiting.heard.clear()
                while waiting.told:
                    word, body = waiting.told.popleft()
                    await _pass_on(body, tell)
                    waiting.passed_on.append(word)
                if waiting.ended.done():
                    return read_result(waiting.ended.result())
        finally:
            del self._waiting[number]
            if not waiting.ended.cancel():
                # Whatever it is, somebody has looked at it.
                waiting.ended.exception()
            # Where it cannot be said that nobody waits, the others see it in half a minute.
            with contextlib.suppress(CardError):
                await asyncio.shield(asyncio.to_thread(self._rows.drop, number))

    async def close(self) -> None:
        """Send the workers that wait here home."""
        self._closed = True
        self._wake(len(self._asking))
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    async def take(self, wait_seconds: float) -> Work | None:
        """Return the turn that has waited longest, at whatever process; None where there is none within a time.

        Raises:
            StoreError: If the database cannot be used.
        """
        await self._seen()
        end = time.monotonic() + wait_seconds
        while True:
            work = await self._whole(lambda: self._rows.claim(self.lease_seconds), self._return)
            left = end - time.monotonic()
            if work is not None or left <= 0:
                return work
            if not await self._woken(left):
                end = time.monotonic()

    async def tell(self, work_id: str, body: Any) -> None:
        """Tell the caller how far a worker is, or a piece of its result; the lease begins anew.

        Raises:
            UnknownWork: If no worker has such work now.
            BadWork: If the body is none of these.
            AgentBusy: If the caller is far behind with what was told.
            StoreError: If the database cannot be used.
        """
        await self._seen()
        await asyncio.to_thread(self._rows.tell, work_id, body, self.lease_seconds)
        self._due.set()

    async def finish(self, work_id: str, body: Any) -> None:
        """End a turn.

        Raises:
            UnknownWork: If no worker has such work now.
            BadWork: If the body says no end; the worker still has the work.
            StoreError: If the database cannot be used.
        """
        await self._seen()
        await asyncio.to_thread(self._rows.finish, work_id, body)
        self._due.set()

    async def _whole(self, do: Callable[[], _Done], undo: Callable[[_Done], None]) -> _Done:
        """Do something in a thread; where whoever wants it goes meanwhile, undo it."""
        doing = asyncio.ensure_future(asyncio.to_thread(do))
        try:
            return await asyncio.shield(doing)
        except asyncio.CancelledError:
            with contextlib.suppress(CardError):
                await asyncio.to_thread(undo, await doing)
            raise

    def _return(self, work: Work | None) -> None:
        if work is not None:
            self._rows.give_back(work)

    async def _woken(self, wait_seconds: float) -> bool:
        """Wait until there may be work; whether there may."""
        asking = asyncio.get_running_loop().create_future()
        self._asking.append(asking)
        try:
            await self._seen(changed=len(self._asking) == 1)
            self._look_soon()
            await asyncio.wait({asking}, timeout=wait_seconds)
            return asking.done() and not self._closed
        finally:
            if asking in self._asking:
                self._asking.remove(asking)
            if asking.done() and (task := asyncio.current_task()) is not None and task.cancelling():
                # It was woken for work and goes without it: the next one takes it.
                self._wake(1)
            elif not self._asking:
                await self._seen(changed=True)

    async def _seen(self, *, changed: bool = False) -> None:
        """Say that a worker is there, unless that was said just now."""
        now = self._rows.clock()
        if changed or now - self._seen_at >= _SEEN_SECONDS:
            self._seen_at = now
            await asyncio.to_thread(self._rows.seen, len(self._asking))

    def _wake(self, count: int) -> None:
        while self._asking and count > 0:
            asking = self._asking.popleft()
            if not asking.done():
                asking.set_result(None)
                count -= 1

    def _look_soon(self) -> None:
        self._due.set()
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

    async def _look(self) -> None:
        """Look at what other processes wrote for as long as somebody waits here: one look for all of them."""
        good = said = time.monotonic()
        while self._waiting or self._asking:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._due.wait(), ROUND_SECONDS)
            self._due.clear()
            now = time.monotonic()
            try:
                await self._round(say=now - said >= _SAY_SECONDS)
            except StoreError as error:
                _LOG.warning("agent %s: its queue cannot be read now: %s", self.agent_id, error)
                if now - good > AWAITED_SECONDS:
                    # By now the others take the turns for nobody's.
                    self._fail(error)
                await asyncio.sleep(ROUND_SECONDS)
                continue
            good = now
            said = now if now - said >= _SAY_SECONDS else said

    async def _round(self, *, say: bool) -> None:
        if self._waiting:
            # What is still to be passed on holds more of it back.
            open_ = {number: one for number, one in self._waiting.items() if say or not one.told}
            passed_on = [word for one in self._waiting.values() for word in one.passed_on]
            found = await asyncio.to_thread(self._rows.look, passed_on, tuple(open_), say=say)
            for waiting in self._waiting.values():
                waiting.passed_on = [word for word in waiting.passed_on if word not in passed_on]
            for number, waiting in open_.items():
                self._hear(waiting, found.get(number))
        if self._asking:
            self._wake(await asyncio.to_thread(self._rows.available, len(self._asking)))

    def _hear(self, waiting: _Waiting, found: Awaited | None) -> None:
        if waiting.ended.done():
            return
        if found is None or found.lost:
            gone = "the turn was taken for one that nobody waits for"
            reason = lost_reason(self.agent_id) if found is not None else gone
            waiting.ended.set_exception(PeerUnreachable("", reason))
        else:
            new = [word for word in found.words if word[0] > waiting.last]
            waiting.told.extend(new)
            waiting.last = new[-1][0] if new else waiting.last
            if found.ended is not None:
                waiting.ended.set_result(found.ended)
        if waiting.told or waiting.ended.done():
            waiting.heard.set()

    def _fail(self, error: StoreError) -> None:
        for waiting in self._waiting.values():
            if not waiting.ended.done():
                waiting.ended.set_exception(error)
                waiting.heard.set()


async def _pass_on(body: Any, tell: TurnReporter) -> None:
    told = read_told(body)
    if told.progressed:
        await tell.progress(told.text, done=told.done, total=told.total)
    if told.parts:
        await tell.parts(told.parts)
