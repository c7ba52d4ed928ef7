"""A gateway with owners in this process: its keys, webhooks and users are lists in memory."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import func, select
from starlette.routing import Mount

from cardwright.http.problem import CARD_NOT_FOUND, UNAUTHENTICATED, refuse
from cardwright_gateway import Gateway
from cardwright_gateway.api.bodies import RequestBodies
from cardwright_gateway.api.exchange import POSTED, Exchange
from cardwright_gateway.api.invoke import Invocation, answer_invoke
from cardwright_gateway.api.owner.request import conflict
from cardwright_gateway.api.owner.routes import owner_router
from cardwright_gateway.api.owner.services import OwnerServices
from cardwright_gateway.api.routes import problem_router, routed_path
from cardwright_gateway.auth.principal import ANONYMOUS, Principal
from cardwright_gateway.database.files import SqlFiles
from cardwright_gateway.database.tables import FILES
from cardwright_gateway.errors import UnknownAgent
from tests.gateway.api.owner.response_schemas import check_described
from tests.gateway.asgi_endpoints import application
from tests.gateway.gateways import BASE, CARD
from tests.serve.client import Reply, call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from cardwright.http.response import Response
    from cardwright_gateway.auth.agent_keys import Quota
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.settings.config import GatewayConfig
from cardwright_gateway.tasks.caller_tasks import CallerTasks

SECRET = "bak_" + "s" * 43
ADA = {"Authorization": "Bearer ada"}
BO = {"Authorization": "Bearer bo"}
KEY = {"X-Agent-API-Key": "key-of-greeter"}
USERS = {
    b"Bearer ada": Principal("user", "user:ada", "ada"),
    b"Bearer bo": Principal("user", "user:bo", "bo"),
    b"Bearer poor": Principal("user", "user:poor"),
}
NOW = 1_800_000_000.0


def answer(message: str) -> str:
    """Return the number of words."""
    return f"{len(message.split())} words"


FUNCTION = {"python": f"{__name__}:answer"}
AGENTS: dict[str, Any] = {
    "greeter": {"card": CARD, "backend": FUNCTION, "owner": "ada", "access": "open"},
    "hidden": {"card": CARD, "backend": FUNCTION, "owner": "ada", "visibility": "private"},
    "bos": {"card": CARD, "backend": FUNCTION, "owner": "bo", "visibility": "private"},
    "nobodys": {"card": CARD},
    "worked": {"card": CARD, "backend": {"queue": {"token": "t" * 20}}, "owner": "ada"},
}
OWNERS = {"ada": {"name": "Ada"}, "bo": {"name": "Bo"}}
JWT = [{"issuer": "https://issuer.example", "audience": "gateway", "jwks": "https://issuer.example/jwks"}]


class Users:
    """Knows three users, and one key."""

    async def user(self, scope: Any) -> Principal:
        found = USERS.get(dict(scope["headers"]).get(b"authorization", b""))
        if found is None:
            raise refuse(UNAUTHENTICATED, "a token is needed")
        return found

    async def caller(self, scope: Any) -> Principal:
        key = dict(scope["headers"]).get(b"x-agent-api-key", b"").decode()
        if key.startswith("key-of-"):
            agent_id = key.removeprefix("key-of-")
            return Principal("key", "key:1", AGENTS[agent_id]["owner"], "1", agent_id=agent_id)
        return await self.user(scope)

    async def principal(self, agent: AgentConfig, scope: Any) -> Principal:
        headers = dict(scope["headers"])
        if headers.get(b"x-agent-api-key") == f"key-of-{agent.id}".encode():
            return Principal("key", "key:1", agent.owner, "1")
        return USERS.get(headers.get(b"authorization", b""), ANONYMOUS)


@dataclass
class Key:
    """As the table of keys has it."""

    id: str
    agent_id: str
    owner_id: str
    name: str
    quota: Quota | None
    expires_at: float | None
    prefix: str = SECRET[:8]
    created_at: float = NOW
    rotated_at: float | None = None
    revoked_at: float | None = None
    previous_until: float | None = None
    paused_at: float | None = None
    last_used_at: float | None = None

    def is_valid(self, now: float) -> bool:
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass
class KeyList:
    """Keeps keys."""

    kept: list[Key] = field(default_factory=list)
    actors: list[str] = field(default_factory=list)

    def issue(self, agent_id: str, owner_id: str, **more: Any) -> tuple[Key, str]:
        self.actors.append(more["actor"])
        key = Key(
            f"key_{len(self.kept)}", agent_id, owner_id, more["name"], more["quota"], more["expires_at"]
        )
        self.kept.append(key)
        return key, SECRET

    def list(self, agent_id: str) -> list[Key]:
        return [key for key in self.kept if key.agent_id == agent_id]

    def rotate(self, key_id: str, *, holder: str, actor: str, overlap_seconds: int = 0) -> tuple[Key, str]:
        self.actors.append(actor)
        key = next(key for key in self.list(holder) if key.id == key_id)
        key.rotated_at = NOW
        key.previous_until = NOW + overlap_seconds if overlap_seconds else None
        return key, SECRET

    def change(self, key_id: str, *, holder: str, actor: str, **changes: Any) -> Key:
        self.actors.append(actor)
        key = next(key for key in self.list(holder) if key.id == key_id)
        paused = changes.pop("paused", key.paused_at is not None)
        vars(key).update(changes, paused_at=NOW if paused else None)
        return key

    def revoke(self, key_id: str, *, holder: str, actor: str) -> Key:
        self.actors.append(actor)
        key = next(key for key in self.list(holder) if key.id == key_id)
        key.revoked_at = key.revoked_at or NOW
        return key


@dataclass
class Delivery:
    """As the table of deliveries has it."""

    id: str
    event_id: str = "evt_1"
    number: int = 1
    cause: str = "schedule"
    started_at: float = NOW
    ended_at: float | None = None
    outcome: str = "unknown"
    status: int | None = None
    reason: str | None = None
    duration_ms: float | None = None
    response_bytes: int | None = None


@dataclass
class WebhookRecords:
    """Attempts of one webhook, and its redeliveries."""

    rows: list[Delivery] = field(default_factory=lambda: [Delivery(f"dlv_{n}") for n in range(9, -1, -1)])
    again: list[tuple[str, str | None]] = field(default_factory=list)
    actors: list[tuple[str, str]] = field(default_factory=list)

    async def deliveries(
        self, agent_id: str, task_id: str, config_id: str, *, limit: int = 200, before: Any = None
    ) -> list[Delivery]:
        if (agent_id, task_id, config_id) != ("greeter", "t-1", "w-1"):
            return []
        ids = [row.id for row in self.rows]
        begin = ids.index(before) + 1 if before in ids else 0
        # As in the real one, a page has at most 200 entries.
        return self.rows[begin : begin + min(limit, 200)]

    async def known(self, agent_id: str, task_id: str, config_id: str) -> bool:
        return (agent_id, task_id, config_id) == ("greeter", "t-1", "w-1")

    async def redeliver(
        self,
        agent_id: str,
        task_id: str,
        config_id: str,
        delivery_id: str,
        *,
        actor: str,
        owner_id: str = "",
        idempotency_key: str | None = None,
    ) -> str:
        rows = await self.deliveries(agent_id, task_id, config_id)
        if not any(row.id == delivery_id for row in rows):
            raise refuse(CARD_NOT_FOUND, "there is no such attempt")
        if delivery_id == "dlv_0":
            raise conflict("it was delivered")
        self.again.append((delivery_id, idempotency_key))
        self.actors.append((actor, owner_id))
        return "dlv_new"


@dataclass
class Entry:
    """As the audit has it."""

    number: int
    agent_id: str
    detail: dict[str, Any]
    at: float = NOW
    actor: str = "user:ada"
    action: str = "key.issue"
    subject: str = "key_0"


@dataclass
class Changes:
    """Records changes."""

    rows: list[Entry] = field(default_factory=list)

    def list(
        self, agent_id: str | None = None, *, limit: int = 100, before: int | None = None
    ) -> list[Entry]:
        found = [
            row
            for row in sorted(self.rows, key=lambda row: -row.number)
            if agent_id in (None, row.agent_id) and (before is None or row.number < before)
        ]
        return found[:limit]


@dataclass
class Owned:
    """A gateway with in-memory records, and the routes under test."""

    gateway: Gateway
    files: SqlFiles
    identity: Users = field(default_factory=Users)
    keys: Any = field(default_factory=KeyList)
    webhooks: WebhookRecords | None = field(default_factory=WebhookRecords)
    audit: Any = field(default_factory=Changes)

    def bytes_of(self, owner_id: str) -> int:
        """How much is kept for an owner."""
        with self.gateway.registry.store.database.reading() as connection:
            query = select(func.coalesce(func.sum(FILES.c.size), 0)).where(FILES.c.owner_id == owner_id)
            return int(connection.execute(query).scalar_one())

    @property
    def config(self) -> GatewayConfig:
        return self.gateway.config

    @property
    def services(self) -> OwnerServices:
        """The services of the endpoints: those of the gateway, except for the records in memory."""
        return OwnerServices(
            agents=self.gateway.directory,
            urls=self.gateway.urls,
            authenticator=cast("Any", self.identity),
            limiter=self.gateway.limiter,
            keys=self.keys,
            accounts=self.gateway.accounts,
            admin_token=self.config.admin_token,
            webhooks=cast("Any", self.webhooks),
            audit=self.audit,
            files=self.files,
            tasks=CallerTasks(self.gateway.registry.store.database),
            compat=False,
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Route as the gateway's application does."""
        path = scope["path"]
        if path.startswith("/api/v1"):
            exchange = Exchange(scope, receive, send, bodies=RequestBodies.of(self.config))
            await exchange.answer(self._api)
        elif path.endswith("/v1/invoke"):
            app = application(self._invoke, POSTED, max_body_bytes=self.config.max_body_bytes)
            await app(scope, receive, send)
        else:
            await self.gateway(scope, receive, send)

    async def _api(self, exchange: Exchange) -> None:
        router = problem_router([Mount("/api/v1", app=owner_router(self.services))])
        routed = exchange.routed(routed_path(exchange.scope))
        await router(routed, exchange.receive, exchange.send)

    async def _invoke(self, exchange: Exchange) -> Response | None:
        agent = self.gateway.agent(str(exchange.scope["path"]).split("/")[1])
        principal = await self.identity.principal(agent.config, exchange.scope)
        if agent.config.visibility == "private" and principal.owner_id != agent.config.owner:
            raise UnknownAgent(agent.id)
        assert agent.backend is not None
        served, _ = await agent.served_with_upstream(self.gateway.urls.agent(agent.id))
        invocation = Invocation(self.files, agent, served, agent.backend, principal)
        return await answer_invoke(invocation, exchange)

    async def ask(self, method: str, path: str, body: Any = None, headers: Any = ADA, **more: Any) -> Reply:
        """Send one request to the owner API, by default as Ada."""
        sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        reply = await call(self, method, f"/api/v1{path}", headers, body=sent, **more)
        check_described(method, f"/api/v1{path}", reply)
        return reply


@asynccontextmanager
async def owned(**more: Any) -> AsyncGenerator[Owned]:
    """Run a gateway with owners until the block ends; `more` is the rest of its configuration."""
    config = {"base_url": BASE, "agents": AGENTS, "owners": OWNERS, "jwt": JWT, **more}
    async with Gateway(config) as running:
        yield Owned(running, files_of(running))


def files_of(running: Gateway) -> SqlFiles:
    """Return where the files of a gateway are kept."""
    kept = running.config.files
    return SqlFiles(
        running.registry.store.database,
        max_bytes=kept.max_bytes,
        owner_bytes=kept.owner_bytes,
        retention_seconds=kept.retention_seconds,
    )
