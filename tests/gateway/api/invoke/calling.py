"""Agents called by invocation, MCP and A2A in this process, with the same backend."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright_gateway.api.exchange import POSTED
from cardwright_gateway.api.invoke import Invocation, answer_invoke
from cardwright_gateway.api.mcp import answer_mcp
from cardwright_gateway.auth.principal import ANONYMOUS, Principal
from cardwright_gateway.catalog.agent import Agent
from cardwright_gateway.catalog.served_card import ServedCard
from cardwright_gateway.catalog.sources import UpstreamCard
from cardwright_gateway.catalog.sources.managed import ManagedSource
from cardwright_gateway.database.files import StoredFile
from cardwright_gateway.settings.config import GatewayConfig
from tests.gateway.a2a_server.endpoints import card
from tests.gateway.asgi_endpoints import application
from tests.gateway.gateways import BASE
from tests.serve.client import Reply, call

if TYPE_CHECKING:
    from collections.abc import Collection

    from cardwright.card import Card
    from cardwright.http.response import Response
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.backends.backend import Backend
    from cardwright_gateway.database.files import FileStore

JSON = {"Content-Type": "application/json"}


@dataclass
class Shelf:
    """Keeps files."""

    kept: dict[tuple[str, str], StoredFile] = field(default_factory=dict)
    max_bytes: int = 1_000

    def put(self, owner_id: str, body: bytes, *, name: str = "", media_type: str = "") -> StoredFile:
        file = StoredFile(f"file_{len(self.kept)}", owner_id, name, media_type, len(body), 0, 60, body)
        self.kept[owner_id, file.id] = file
        return file

    def sizes(self, owner_id: str, file_ids: Collection[str]) -> dict[str, int]:
        files = {one: self.kept.get((owner_id, one)) for one in file_ids}
        return {one: file.size for one, file in files.items() if file is not None}

    def get(self, owner_id: str, file_id: str) -> StoredFile | None:
        return self.kept.get((owner_id, file_id))

    def delete_expired(self) -> int:
        return 0


class InvokeClient:
    """One agent, and its callers."""

    def __init__(
        self,
        backend: Backend,
        published: Card | None = None,
        *,
        principal: Principal = ANONYMOUS,
        sender: dict[str, str] | None = None,
        **config: Any,
    ) -> None:
        self.backend = backend
        self.card = published or card()
        agents = {"harbour": {"card": card().document, **config.pop("agent", {})}}
        self.config = GatewayConfig.from_value({"base_url": BASE, "agents": agents, **config})
        own = self.config.agents["harbour"]
        self.agent = Agent(own, ManagedSource(own), backend=backend)
        self.made = ServedCard(
            card=self.card,
            public_card=self.card,
            source=UpstreamCard(self.card, "1"),
            public=BASE,
            answered=True,
        )
        self.shelf = Shelf()
        self.principal = principal
        self.sender = sender or {}

    @property
    def files(self) -> FileStore:
        return self.shelf

    def invocation(self, principal: Principal) -> Invocation:
        """Return what an invocation by a caller needs."""
        return Invocation(self.files, self.agent, self.made, self.backend, principal, self.sender)

    async def invoke(
        self, body: Any, headers: Any = JSON, *, principal: Principal | None = None, **more: Any
    ) -> Reply:
        """Send an invocation."""

        who = principal or self.principal

        async def answer(exchange: Exchange) -> Response | None:
            return await answer_invoke(self.invocation(who), exchange)

        app = application(answer, POSTED, max_body_bytes=self.config.max_body_bytes)
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await call(app, "POST", "/harbour/v1/invoke", headers, body=sent, **more)

    async def mcp(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve MCP, as an ASGI application."""
        app = application(self.answer_mcp, POSTED, max_body_bytes=self.config.max_body_bytes)
        await app(scope, receive, send)

    async def answer_mcp(self, exchange: Exchange) -> None:
        """Answer one request of MCP."""
        await answer_mcp(self.agent, self.made, self.backend, self.principal, self.sender, exchange)
