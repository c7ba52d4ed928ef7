"""Webhook receivers on loopback, and webhook services on SQLite or PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from base64 import urlsafe_b64encode
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import orjson
from a2a.auth.user import User
from a2a.server.cluster.task_store import LegacyTaskStoreAdapter, VersionedTaskStore
from a2a.server.cluster.version import TaskVersion
from a2a.server.context import ServerCallContext
from a2a.types.a2a_pb2 import AuthenticationInfo, Task, TaskPushNotificationConfig
from aiohttp import web
from sqlalchemy import insert, select

from cardwright_gateway.api.statistics import Statistics
from cardwright_gateway.cluster.heartbeat import Heartbeat
from cardwright_gateway.database.async_engine import async_engine
from cardwright_gateway.database.tables import EVENTS, TASKS, open_database
from cardwright_gateway.tasks.store import task_storage
from cardwright_gateway.webhooks.events import task_of
from cardwright_gateway.webhooks.service import Webhooks
from cardwright_gateway_models.settings.gateway import WebhookSettings
from tests.gateway.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
    from pathlib import Path

    from cardwright.store.database import Database
    from cardwright_gateway.webhooks.dispatcher import Dispatcher
    from cardwright_gateway.webhooks.outbox import Outbox
    from cardwright_gateway.webhooks.rows import Delivery, Result

    Answer = Callable[["Received", int], web.StreamResponse | Awaitable[web.StreamResponse]]

OWNER = "alice"
AGENT = "weather"
QUICK = WebhookSettings(
    encryption_key=urlsafe_b64encode(bytes(range(32))).decode(),
    allow=("127.0.0.1/32",),
    schedule_seconds=(0.05, 0.1),
    timeout_seconds=5.0,
)
ONE_ATTEMPT = QUICK.model_copy(update={"schedule_seconds": ()})


class Named(User):
    """A caller."""

    def __init__(self, name: str = OWNER) -> None:
        self._name = name

    @property
    def is_authenticated(self) -> bool:
        return True

    @property
    def user_name(self) -> str:
        return self._name


def called_by(name: str = OWNER, **state: Any) -> ServerCallContext:
    """The context of a call."""
    return ServerCallContext(user=Named(name), state=state)


@dataclass
class Received:
    """One request."""

    path: str
    headers: list[tuple[str, str]]
    body: bytes

    def field(self, name: str) -> str | None:
        """A header field."""
        return next((value for given, value in self.headers if given.lower() == name.lower()), None)

    @property
    def event_id(self) -> str:
        """The id of its event."""
        return self.field("webhook-id") or ""


def in_turn(*statuses: int, **headers: str) -> Answer:
    """Answer with one status after the other, and then always with the last."""
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _, count: web.Response(status=statuses[min(count, len(statuses)) - 1], headers=fields)


@dataclass
class Receiver:
    """A server with a scripted response; records its requests."""

    answer: Answer
    received: list[Received] = field(default_factory=list[Received])
    origin: str = ""
    came: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        got = Received(request.path_qs, list(request.headers.items()), await request.read())
        async with self.came:
            self.received.append(got)
            self.came.notify_all()
        answer = self.answer(got, len(self.received))
        return answer if isinstance(answer, web.StreamResponse) else await answer

    async def wait_for(self, count: int, seconds: float = 30.0) -> list[Received]:
        """Wait for a number of requests."""
        async with asyncio.timeout(seconds), self.came:
            await self.came.wait_for(lambda: len(self.received) >= count)
        return self.received


@asynccontextmanager
async def webhook_receiver(answer: Answer | None = None) -> AsyncGenerator[Receiver]:
    """Run a receiver until the block ends."""
    made = Receiver(answer or in_turn(204))
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield made
    finally:
        await runner.cleanup()


@dataclass
class Outcomes:
    """The result of each attempt."""

    each: list[str] = field(default_factory=list[str])
    came: asyncio.Event = field(default_factory=asyncio.Event)

    def __call__(self, result: Result) -> None:
        self.each.append(result.outcome)
        self.came.set()

    async def wait_for(self, count: int) -> None:
        """Wait for a number of attempts."""
        async with asyncio.timeout(30):
            while len(self.each) < count:
                self.came.clear()
                await self.came.wait()


@dataclass
class WebhookStore:
    """A webhook service with its database."""

    service: Webhooks
    database: Database
    engine: Any
    place: str
    outcomes: Outcomes
    dispatcher: Dispatcher
    outbox: Outbox

    async def task(
        self, task_id: str | None = None, state: str = "TASK_STATE_COMPLETED", **more: Any
    ) -> Task:
        """Store a task as a2a-sdk does, without accepting an event."""
        name = task_id or f"task-{uuid.uuid4().hex}"
        row = task_row(name, state, **more)
        async with self.engine.begin() as connection:
            await connection.execute(insert(TASKS).values(**row))
        return task_of(row)

    async def save(self, task: Task, owner: str = f"{AGENT}:{OWNER}") -> None:
        """Save a task as a gateway does: with its events, if it has any."""
        tasks = self.tasks
        context = called_by(owner)
        stored = await tasks.get(task.id, context)
        version = TaskVersion.MISSING if stored is None else stored.version
        await tasks.save(task, event=None, prev=None, prev_version=version, context=context)

    @cached_property
    def tasks(self) -> VersionedTaskStore:
        """The store of tasks as a gateway opens it."""
        tasks = task_storage(self.engine, self.database, "r", self.service.accept).tasks
        return tasks if isinstance(tasks, VersionedTaskStore) else LegacyTaskStoreAdapter(tasks)

    async def listen(
        self,
        task_id: str,
        url: str,
        *,
        config_id: str = "hook",
        secrets: Sequence[str] = (),
        token: str = "",
        auth: tuple[str, str] | None = None,
        owner: str = OWNER,
        **state: Any,
    ) -> TaskPushNotificationConfig:
        """Configure a webhook for a task."""
        config = TaskPushNotificationConfig(id=config_id, task_id=task_id, url=url, token=token)
        if auth is not None:
            config.authentication.CopyFrom(AuthenticationInfo(scheme=auth[0], credentials=auth[1]))
        kept = await self.service.configs.set_info(task_id, config, called_by(owner, **state))
        await self.service.keep(task_id, config_id, agent_id=AGENT, owner=owner, secrets=secrets)
        return kept

    async def publish(self, task: Task) -> None:
        """Accept the events of a task in a transaction, as the store of tasks does, and have them delivered."""
        await asyncio.to_thread(self._accept, task.id)
        await self.service.sender.send_notification(task.id, task)

    def _accept(self, task_id: str) -> None:
        with self.database.writing() as connection:
            row = connection.execute(select(TASKS).where(TASKS.c.id == task_id)).mappings().one()
            self.service.accept(connection, dict(row))

    async def published(self, url: str, task_id: str | None = None, **listening: Any) -> Task:
        """Store an ended task, configure a webhook for it, and publish its end."""
        task = await self.task(task_id)
        await self.listen(task.id, url, **listening)
        await self.publish(task)
        return task

    async def attempts(self, task_id: str, config_id: str = "hook") -> list[Delivery]:
        """The attempts of a configuration."""
        return await self.service.deliveries(AGENT, task_id, config_id)

    async def events(self, agent_id: str, task_id: str, config_id: str) -> Sequence[Any]:
        """The events of a configuration."""
        query = select(EVENTS).where(
            EVENTS.c.task_id == task_id, EVENTS.c.config_id == config_id, EVENTS.c.agent_id == agent_id
        )

        def read() -> Sequence[Any]:
            with self.database.reading() as connection:
                return connection.execute(query).all()

        return await asyncio.to_thread(read)

    async def status(self) -> Any:
        """The statistics."""
        counted = await Statistics(self.database).now()
        assert counted is not None
        return SimpleNamespace(**counted.events, **counted.endpoints)

    async def wait_for_state(self, state: str, task_id: str, config_id: str = "hook") -> None:
        """Wait until all events of a configuration are in a state."""

        async def so() -> bool:
            events = await self.events(AGENT, task_id, config_id)
            return bool(events) and all(one.state == state for one in events)

        await wait_until(so)


def task_row(task_id: str, state: str, **more: Any) -> dict[str, Any]:
    """The row of a task."""
    return {
        "id": task_id, "context_id": "c", "kind": "task", "owner": OWNER, "protocol_version": "1.0",
        "status": {"state": state}, "artifacts": [], "history": [], "metadata": None, "agent_id": AGENT,
        "state": state, "replica": "r", "last_updated": None, **more,
    }  # fmt: skip


@asynccontextmanager
async def webhook_store(
    place: str | Path,
    config: WebhookSettings = QUICK,
    *,
    start: bool = True,
    heartbeat_seconds: float = 5.0,
    **more: Any,
) -> AsyncGenerator[WebhookStore]:
    """Open webhooks until the block ends."""
    url = str(place)
    database = open_database(url, wait_seconds=5.0)
    replicas = Heartbeat(database, interval_seconds=heartbeat_seconds)
    await replicas.start()
    engine = async_engine(url)
    outcomes = Outcomes()
    webhooks = Webhooks(database, engine, config, place=url, replica=replicas, on_attempt=outcomes, **more)
    async with contextlib.AsyncExitStack() as stack:
        stack.callback(database.close)
        stack.push_async_callback(engine.dispose)
        stack.push_async_callback(replicas.close)
        if start:
            await stack.enter_async_context(webhooks)
        # Tests use the parts where a process would be killed.
        dispatcher, outbox = webhooks._dispatcher, webhooks._outbox  # pyright: ignore[reportPrivateUsage]
        yield WebhookStore(webhooks, database, engine, url, outcomes, dispatcher, outbox)


@asynccontextmanager
async def delivering(
    answer: Answer | None, place: str | Path, config: WebhookSettings = QUICK, **more: Any
) -> AsyncGenerator[tuple[Receiver, WebhookStore]]:
    """Run a receiver, and webhooks that may deliver to it."""
    async with webhook_receiver(answer) as receiver, webhook_store(place, config, **more) as webhooks:
        yield receiver, webhooks


def quick(**changes: Any) -> WebhookSettings:
    """Quick settings, with others."""
    return QUICK.model_copy(update=changes)


def json_of(received: Received) -> Any:
    """The body, read."""
    return orjson.loads(received.body)
