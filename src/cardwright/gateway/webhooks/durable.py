"""DBOS, wrapped: a queue whose work outlives its process. It knows ids alone; what they mean, the ledger knows.

DBOS keeps one of itself in a process, so one of these is open at a time (reliability.md 6 has its settings' reasons).
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sqlite3
import tempfile
import threading
from contextlib import closing, suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import create_engine
from sqlalchemy.exc import SQLAlchemyError

from cardwright.errors import BadConfiguration, MissingPackage, StoreError
from cardwright.gateway.sharing import whole
from cardwright.store.database import database_url, session_arguments

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence

    from sqlalchemy import URL, Engine

# event id, attempt, cause, delivery id: "" where the schedule is the cause.
Work = tuple[str, int, str, str]

_NAME: Final = "cardwright"
_QUEUE: Final = "webhooks"
_WORKFLOW: Final = "cardwright.deliver"
_SCHEMA: Final = "cardwright_dbos"
# Work is taken by the version that enqueued it alone: a new one only where old work cannot be read any more.
_VERSION: Final = "1"
_POLLING_SECONDS: Final = 0.2
# How many deliveries one process has under way, over all receivers (ours).
MOST_AT_ONCE: Final = 256
_CONNECTIONS: Final = 8
# How long it waits for a lock, which DBOS does not ask for twice: longer than a frozen process holds one (ours).
_WAIT_SECONDS: Final = 15.0
# How many are looked up or forgotten at once.
_CHUNK: Final = 50
_MOST_FORGOTTEN: Final = 500
_QUEUED: Final = ("DELAYED", "ENQUEUED", "PENDING")
_ENDED: Final = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
_ONE: Final = threading.Lock()


class Durable:
    """The queue: what is enqueued is run once it is due, by this process or another, until it has ended.

    Args:
        place: Where the store is; DBOS's tables lie beside its file, or in a schema of its own.
        executor: The id of this process.
        concurrency: How much of one partition runs at a time, over all processes.
        run: What runs it, on the event loop that `start` was called on.
    """

    def __init__(
        self,
        place: str | os.PathLike[str],
        executor: str,
        *,
        concurrency: int,
        run: Callable[[Work], Awaitable[None]],
    ) -> None:
        self._place = place
        self._executor = executor
        self._concurrency = concurrency
        self._run = run
        self._folder: str | None = None
        self._engine: Engine | None = None
        self._client: Any = None
        self._dbos: Any = None
        self._closing = False
        self._running: set[asyncio.Task[Any]] = set()
        self._held: set[asyncio.Task[Any]] = set()
        self._idle = asyncio.Event()
        self._idle.set()

    async def start(self) -> None:
        """Begin to take work.

        Raises:
            BadConfiguration: If another one is open in this process.
            MissingPackage: If dbos is not installed.
            StoreError: If its tables cannot be had.
        """
        try:
            # Half a second, most of it other packages.
            dbos = await asyncio.to_thread(import_module, "dbos")
        except ImportError as error:
            raise MissingPackage("dbos is not installed: pip install cardwright[gateway]") from error
        if not _ONE.acquire(blocking=False):
            raise BadConfiguration(
                "",
                "webhooks are delivered in this process already: close that gateway first, or run this one in"
                " another process",
            )
        # From here on there is something to let go of: what another one has open stays as it is.
        self._dbos = dbos
        try:
            await whole(self._make_engine)
            # DBOS runs its work on the event loop that it is launched on: some 100 ms it stands still.
            self._launch()
            await whole(self._register)
        except BaseException as error:
            await self._destroy()
            if isinstance(error, (SQLAlchemyError, OSError, sqlite3.Error, _failure())):
                raise StoreError("other", "the tables of webhooks' deliveries cannot be had") from error
            raise

    async def close(self, *, grace_seconds: float = 5.0) -> None:
        """Take no more, wait a while for what runs, and leave the rest to whoever comes next."""
        if self._dbos is None:
            return
        self._closing = True
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._idle.wait(), grace_seconds)
        finally:
            # Whoever cancels this leaves nothing open, either: no other one could be opened in this process.
            left = self._running | self._held
            for task in left:
                task.cancel()
            try:
                await asyncio.gather(*left, return_exceptions=True)
            finally:
                await self._destroy()

    async def enqueue(self, work: Work, *, partition: str, key: str, delay_seconds: float = 0.0) -> None:
        """Have work done after a while; work of the same key is had once.

        Raises:
            StoreError: If it cannot be written down; nothing was enqueued then.
        """
        options = {
            "workflow_name": _WORKFLOW,
            "queue_name": _QUEUE,
            "workflow_id": key,
            "queue_partition_key": partition,
            "app_version": _VERSION,
            **({"delay_seconds": delay_seconds} if delay_seconds > 0 else {}),
        }
        await self._asked(lambda client: client.enqueue(options, *work))

    async def queued(self, prefixes: Sequence[str]) -> tuple[set[str], set[str]]:
        """Return the keys of what is to be done and of what is done, of those that begin like one of some texts."""
        waiting: set[str] = set()
        ended: set[str] = set()
        for at in range(0, len(prefixes), _CHUNK):
            for one in await self._listed(workflow_id_prefix=list(prefixes[at : at + _CHUNK])):
                (waiting if one.status in _QUEUED else ended).add(one.workflow_id)
        return waiting, ended

    async def take_over(self, alive: Collection[str]) -> int:
        """Have others' work done again whose process is not alive; return how much."""
        running = await self._listed(status="PENDING", queue_name=_QUEUE)
        orphans = [one.workflow_id for one in running if one.executor_id not in alive]
        if orphans:
            await self._asked(lambda client: client.resume_workflows(orphans, queue_name=_QUEUE))
        return len(orphans)

    async def forget(self, before: str) -> int:
        """Forget work that ended before a time, as RFC 3339 has it; return how much."""
        done = await self._listed(status=list(_ENDED), completed_before=before, limit=_MOST_FORGOTTEN)
        ids = [one.workflow_id for one in done]
        if ids:
            await self._asked(lambda client: client.delete_workflows(ids))
        return len(ids)

    async def _listed(self, **wanted: Any) -> Iterable[Any]:
        found: list[Any] = await self._asked(
            lambda client: client.list_workflows(load_input=False, load_output=False, **wanted)
        )
        return found

    async def _asked(self, do: Callable[[Any], Any]) -> Any:
        if self._client is None:
            raise StoreError("unreachable", "the queue of webhooks' deliveries was closed")
        try:
            return await asyncio.to_thread(do, self._client)
        except (SQLAlchemyError, _failure()) as error:
            raise StoreError("other", "the queue of webhooks' deliveries cannot be used now") from error

    def _make_engine(self) -> None:
        self._engine = self._made_engine()

    def _made_engine(self) -> Engine:
        url = database_url(self._place)
        if url.get_backend_name() == "sqlite":
            if url.database in (None, "", ":memory:"):
                self._folder = tempfile.mkdtemp(prefix="cardwright-")
                path = os.path.join(self._folder, "deliveries")  # noqa: PTH118 - a path as URLs have it
            else:
                path = f"{url.database}-deliveries"
            return _sqlite(url.set(database=path), path)
        return create_engine(
            url,
            pool_size=_CONNECTIONS,
            max_overflow=_CONNECTIONS,
            pool_pre_ping=True,
            connect_args=session_arguments(url, _WAIT_SECONDS),
        )

    def _launch(self) -> None:
        dbos = self._dbos
        log = logging.getLogger("dbos")
        if not log.handlers:
            # Else DBOS writes to the console itself, and passes nothing on.
            log.addHandler(logging.NullHandler())
        serializer = dbos.DBOSPortableJSONSerializer()
        dbos.DBOS(
            config={
                "name": _NAME,
                "system_database_engine": self._engine,
                "dbos_system_schema": _SCHEMA,
                "serializer": serializer,
                "application_version": _VERSION,
                "executor_id": self._executor,
                "log_level": "WARNING",
                "use_listen_notify": False,
                "enable_otlp": False,
            }
        )
        dbos.DBOS.workflow(name=_WORKFLOW, max_recovery_attempts=None)(self._workflow())
        dbos.DBOS.launch()
        self._client = dbos.DBOSClient(
            system_database_engine=self._engine,
            dbos_system_schema=_SCHEMA,
            serializer=serializer,
            application_name=_NAME,
            retry_connection_errors=False,
        )

    def _workflow(self) -> Callable[..., Awaitable[None]]:
        async def deliver(event_id: str, number: int, cause: str, delivery_id: str) -> None:
            task = asyncio.current_task()
            assert task is not None  # noqa: S101 - DBOS runs it as one
            if self._closing:
                self._held.add(task)
                # Without an end it stays whose turn is next.
                await asyncio.Event().wait()
            self._running.add(task)
            self._idle.clear()
            # DBOS writes the end of it in the same task, after this has returned.
            task.add_done_callback(self._left)
            await self._run((event_id, number, cause, delivery_id))

        return deliver

    def _left(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not self._running:
            self._idle.set()

    def _register(self) -> None:
        self._dbos.DBOS.register_queue(
            _QUEUE,
            worker_concurrency=max(MOST_AT_ONCE, self._concurrency),
            partition_concurrency=self._concurrency,
            polling_interval_sec=_POLLING_SECONDS,
        )

    async def _destroy(self) -> None:
        """Let go of everything, so that another one can be opened."""
        try:
            if self._client is not None:
                await whole(self._client.destroy)
        finally:
            await self._let_go()

    async def _let_go(self) -> None:
        try:
            await whole(partial(self._dbos.DBOS.destroy, destroy_registry=True))
        finally:
            self._client = self._dbos = None
            if self._engine is not None:
                self._engine.dispose()
                self._engine = None
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
                self._folder = None
            _ONE.release()


def _failure() -> type[Exception]:
    # DBOS has no public name for it.
    from dbos._error import DBOSException

    return DBOSException


def _sqlite(url: URL, path: str) -> Engine:
    from sqlalchemy import event

    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    os.close(handle)
    # It sticks to the file: without it enqueueing takes five times as long.
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    engine = create_engine(url, pool_size=_CONNECTIONS, max_overflow=_CONNECTIONS)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: Any) -> None:
        # As DBOS sets up the engines that it makes itself.
        connection.isolation_level = "IMMEDIATE"
        for statement in ("PRAGMA busy_timeout = 30000", "PRAGMA foreign_keys = ON"):
            connection.execute(statement)

    _ = set_up
    return engine
