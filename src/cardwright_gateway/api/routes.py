"""The routes of the gateway, matched by Starlette."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote_to_bytes

from starlette.routing import Match, Mount, Route, Router

from cardwright.catalog_entries import AI_CATALOG, ARD, ARD_PATH, CATALOGUE_PATH
from cardwright.http.problem import NO_SUCH_PATH, refuse
from cardwright.playground import MAX_BODY_BYTES
from cardwright.serve.routes import CARD_PATH, LEGACY_PATH
from cardwright.serve.settings import CARD_ID
from cardwright_gateway.a2a.responses import json_response
from cardwright_gateway.api.catalogue import REGISTRY_PATH, SERVER_CARD_PATH
from cardwright_gateway.api.compat import compat_routes
from cardwright_gateway.api.exchange import POSTED, READ, Endpoint
from cardwright_gateway.api.owner.routes import API, owner_router
from cardwright_rules.a2a_operations import OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from typing import Any

    from starlette.routing import BaseRoute

    from cardwright.http.request import Scope
    from cardwright.http.response import Response
    from cardwright.playground import Playground
    from cardwright_gateway.api.endpoints import Endpoints
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.catalog.directory import AgentDirectory

_UNKNOWN_PATH: Final = "unknown path; / and /.well-known/ard.json list the agents"
_REST_METHODS: Final = ("GET", "POST", "DELETE", "OPTIONS")
_MAX_STEPS: Final = 12
_MAX_PATH: Final = 2048
# Letters, digits, `-`, `.` and `_` need no encoding (RFC 3986 §2.3); older encoders encode `~`.
_ENCODED: Final = re.compile(r"%(?:2[DEde]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff])")
# A2A 1.0 §11.3: the paths of 1.0 may have a tenant as prefix.
_REST_PREFIXES: Final = (("0.3", ""), ("1.0", ""), ("1.0", "/{tenant}"))


def router_of(api: Endpoints, root: str | None, *, compat: bool = False) -> Router:
    """Return the routes of a gateway.

    Args:
        api: The endpoints.
        root: The agent at the host's root, if any.
        compat: Whether to serve the routes of the gateways beside the one of the BeeOS seed.
    """
    jsonrpc = Endpoint("jsonrpc", api.calls.jsonrpc, POSTED, "rpc", of_agent=True)
    below = list(_below_agent(api))
    page = Endpoint("page", api.pages.of_endpoint, READ, "rpc", of_agent=True)
    shown = _route("/", page, methods=["GET"])
    agent = problem_router([shown, _route("/", jsonrpc), *_cards(api), *below])
    routes: list[BaseRoute] = [
        *(compat_routes(api, _AgentMount(agent, _WELL_FORMED)) if compat else ()),
        # Early, because most requests are calls to agents.
        Mount(
            "/agents",
            app=problem_router([*_cards_by_query(api, below_agents=True), _AgentMount(agent, _WELL_FORMED)]),
        ),
        # With an agent at the root, POST is a call to that agent, so Allow lists it.
        _route("/", Endpoint("catalogue", api.pages.catalogue, (*READ, "POST") if root else READ)),
        _route(ARD_PATH, Endpoint(ARD_PATH[1:], partial(api.catalogue.manifest, ARD))),
        _route(CATALOGUE_PATH, Endpoint(CATALOGUE_PATH[1:], partial(api.catalogue.manifest, AI_CATALOG))),
        _route(f"{REGISTRY_PATH}/search", Endpoint("search", api.search.search, POSTED)),
        _route(f"{REGISTRY_PATH}/explore", Endpoint("explore", api.search.explore, POSTED)),
        _route(f"{REGISTRY_PATH}/agents", Endpoint("entries", api.search.agents)),
        _route("/health", Endpoint("health", api.health.answer)),
        _route("/healthz", Endpoint("healthz", _alive)),
        _route("/readyz", Endpoint("readyz", api.readiness.answer)),
        _route("/metrics", Endpoint("metrics", api.health.metrics)),
        _route("/rpc", Endpoint("rpc", api.rpc.answer, POSTED, "rpc")),
        *_cards_by_query(api),
        *(_playground(api.playground) if api.playground is not None else ()),
        Mount(API, app=owner_router(api.owner)),
    ]
    if root:
        routes = [
            _route("/", jsonrpc, methods=["POST"]),
            *routes,
            _AgentMount(agent, _AgentsFromFile(api.agents)),
            *below,
        ]
    return problem_router([*routes, _AgentMount(agent, _WELL_FORMED)])


def _playground(playground: Playground) -> Iterator[BaseRoute]:
    async def answer(exchange: Exchange) -> Response:
        if exchange.method != "POST":
            return playground.page()
        body = await exchange.body("", MAX_BODY_BYTES)
        return await playground.answer(exchange.header(b"content-type") or "", body)

    yield _route("/playground", Endpoint("playground", answer, (*READ, "POST")))


def _cards_by_query(api: Endpoints, *, below_agents: bool = False) -> Iterator[BaseRoute]:
    for path, legacy in ((CARD_PATH, False), (LEGACY_PATH, True)):
        handler = partial(api.cards.by_query, legacy=legacy, below_agents=below_agents)
        yield _route(path, Endpoint("card", handler, ()))


def _cards(api: Endpoints) -> Iterator[BaseRoute]:
    yield _route(CARD_PATH, Endpoint("card", api.cards.answer, (), of_agent=True))
    yield _route(LEGACY_PATH, Endpoint("legacy", partial(api.cards.answer, legacy=True), (), of_agent=True))


def _below_agent(api: Endpoints) -> Iterator[BaseRoute]:
    """Yield the routes below an agent; the first match is used."""
    calls = api.calls
    yield _route("/v1/invoke", Endpoint("invoke", calls.invoke, POSTED, "rest", of_agent=True))
    yield _route("/mcp", Endpoint("mcp", calls.mcp, POSTED, "rest", of_agent=True))
    yield _route(SERVER_CARD_PATH, Endpoint("server-card", api.catalogue.server_card, READ, of_agent=True))
    yield _route("/report", Endpoint("report", api.pages.report, READ, of_agent=True))
    if api.trying is not None:
        trying = Endpoint("try", api.trying.answer, ("GET", "HEAD", "POST", "OPTIONS"), of_agent=True)
        yield _route("/try", trying)
    work = Endpoint("work", calls.work, (), "rest", of_agent=True)
    for path in ("/queue", "/queue/{work}", "/queue/{work}/{end}"):
        yield _route(path, work)
    for version, prefix in _REST_PREFIXES:
        for path, extended in _rest_paths(version).items():
            rest = partial(calls.rest, version=version, extended=extended)
            yield _route(f"{prefix}{path}", Endpoint("rest", rest, _REST_METHODS, "rest", of_agent=True))


def _rest_paths(version: str) -> dict[str, bool]:
    """Return the HTTP+JSON paths, each with whether it is that of the extended card.

    A custom verb after a task id, such as `:cancel`, is matched as a part of the id.
    """
    return {
        re.sub(r"(\{\w+\}):\w+$", r"\1", row.path): row.name == "get_extended_card"
        for row in OPERATIONS.values()
        if row.version == version and row.path
    }


def routed_path(scope: Scope) -> str:
    """Return the decoded path of a request below the mount point, with a slash at the end.

    A path that two parsers might read differently gets an empty segment, which no route has.
    """
    raw = scope.get("raw_path")
    sent = (
        raw.partition(b"?")[0].decode("latin-1")
        if isinstance(raw, bytes) and raw
        else quote(str(scope["path"]))
    )
    mounted = str(scope.get("root_path", "")).rstrip("/")
    if mounted and sent.startswith(f"{mounted}/"):
        sent = sent[len(mounted) :]
    if len(sent) > _MAX_PATH or not sent.startswith("/"):
        return "//"
    steps = sent[1:].removesuffix("/").split("/") if len(sent) > 1 else []
    path = ""
    for step in steps[: _MAX_STEPS + 1]:
        decoded = _decoded(step)
        path += f"/{decoded}"
        if not decoded:
            break
    return f"{path}/" if len(steps) <= _MAX_STEPS else f"{path}//"


def _decoded(step: str) -> str:
    """Return a decoded path segment; "" if another parser might read it differently."""
    # Some proxies compare paths without decoding them.
    if _ENCODED.search(step):
        return ""
    try:
        decoded = unquote_to_bytes(step).decode("utf-8")
    except UnicodeDecodeError:
        return ""
    # Some servers drop the part after a semicolon, and so see another segment.
    if decoded.partition(";")[0] in ("", ".", "..") or any(
        c in "/\\%?#" or not c.isprintable() for c in decoded
    ):
        return ""
    return decoded


class _AgentMount(Mount):
    """The routes below one agent, if its id is in `ids`; Starlette's own mounts match only by pattern."""

    def __init__(self, app: Router, ids: Container[str]) -> None:
        super().__init__("/{agent}", app=app)
        self._ids = ids

    def matches(self, scope: Any) -> tuple[Match, Any]:
        """Match the first segment of a path."""
        match, child = super().matches(scope)
        known = match is not Match.NONE and child["path_params"]["agent"] in self._ids
        return (match, child) if known else (Match.NONE, {})


class _WellFormed:
    """The set of all valid agent ids."""

    def __contains__(self, agent_id: object) -> bool:
        return CARD_ID.fullmatch(str(agent_id)) is not None


class _AgentsFromFile:
    """The agents of the configuration file that are not private.

    With an agent at the root, an added agent must not take over its paths or tenants.
    """

    def __init__(self, agents: AgentDirectory) -> None:
        self._agents = agents

    def __contains__(self, agent_id: object) -> bool:
        agent = self._agents.get(str(agent_id))
        return agent is not None and agent.config.from_file and agent.config.visibility != "private"


_WELL_FORMED: Final = _WellFormed()


def _route(path: str, endpoint: Endpoint, methods: list[str] | None = None) -> Route:
    # Routed paths end with a slash.
    return Route(path.rstrip("/") + "/", endpoint, methods=methods)


def problem_router(routes: list[BaseRoute]) -> Router:
    """Return a router that responds to an unknown path with a problem."""
    return Router(routes, redirect_slashes=False, default=Endpoint("none", _unknown_path, ()))


async def _unknown_path(_: Exchange) -> Response:
    raise refuse(NO_SUCH_PATH, _UNKNOWN_PATH)


async def _alive(_: Exchange) -> Response:
    return json_response(200, {"status": "ok"})
