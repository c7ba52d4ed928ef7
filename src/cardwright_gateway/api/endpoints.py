"""The endpoints of a gateway, which the composition root passes to the application."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.playground import Playground
    from cardwright_gateway.api.calls import AgentCalls
    from cardwright_gateway.api.cards import AgentCards
    from cardwright_gateway.api.catalogue import Catalogue
    from cardwright_gateway.api.health import Health
    from cardwright_gateway.api.owner.services import OwnerServices
    from cardwright_gateway.api.pages import Pages
    from cardwright_gateway.api.readiness import Readiness
    from cardwright_gateway.api.response_cache import ResponseCache
    from cardwright_gateway.api.rpc import RpcEndpoint
    from cardwright_gateway.api.search import Search
    from cardwright_gateway.api.trying import TryPages
    from cardwright_gateway.auth.access_tokens import AccessTokens
    from cardwright_gateway.catalog.agent import Urls
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.telemetry.metrics import Metrics
    from cardwright_gateway.telemetry.tracing import Tracing
    from cardwright_gateway.upstream.loops import Loops


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """The endpoints of a gateway and their shared objects.

    Attributes:
        agents: The agents.
        urls: The public URLs.
        calls: Calls to agents.
        cards: The cards of agents.
        pages: The HTML pages.
        trying: The pages that call agents; None if they are switched off.
        playground: The playground; None if it is switched off.
        catalogue: The machine-readable lists of agents.
        search: The search API of ARD over the listed agents.
        rpc: `POST /rpc`.
        owner: The services of the owners' API.
        readiness: Whether the gateway is ready.
        health: The state of the gateway.
        responses: The response cache.
        metrics: The counters of this process.
        tracing: The tracing of requests; None if no collector is configured.
        loops: Recognises requests that the gateway sent itself.
        access_tokens: Makes and reads the access tokens of `compat`.
    """

    agents: AgentDirectory
    urls: Urls
    calls: AgentCalls
    cards: AgentCards
    pages: Pages
    trying: TryPages | None
    playground: Playground | None
    catalogue: Catalogue
    search: Search
    rpc: RpcEndpoint
    owner: OwnerServices
    readiness: Readiness
    health: Health
    responses: ResponseCache
    metrics: Metrics
    tracing: Tracing | None
    loops: Loops
    access_tokens: AccessTokens
