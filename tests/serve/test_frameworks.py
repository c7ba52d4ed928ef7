"""The application mounted in web frameworks, and as middleware before their applications."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import django.conf
import pytest
from django.core.asgi import get_asgi_application
from django.http import HttpResponse
from django.urls import path as url_path
from fastapi import FastAPI
from litestar import Litestar, asgi, get
from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

from cardwright import well_known_agent_card
from cardwright.serve import AgentCardMiddleware, ApiKeys, Caller, CardFiles
from tests.serve.cards import EXAMPLES, both, newer
from tests.serve.client import CARD_PATH, Reply, ask, call

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from cardwright.http.request import Message

CARDS = well_known_agent_card(both())


async def hello(request: Request) -> PlainTextResponse:
    return PlainTextResponse((await request.body()).decode() or "hello")


def starlette_mounted() -> Any:
    return Starlette(routes=[Route("/hello", hello), Mount("/", CARDS)])


def starlette_at_well_known() -> Any:
    return Starlette(routes=[Mount("/.well-known", CARDS), Route("/hello", hello)])


def starlette_middleware() -> Any:
    app = Starlette(routes=[Route("/hello", hello)])
    app.add_middleware(AgentCardMiddleware, cards=CARDS)
    return app


def fastapi_mounted() -> Any:
    app = FastAPI()
    app.get("/hello")(lambda: "hello")
    app.mount("/", CARDS)
    return app


def fastapi_middleware() -> Any:
    app = FastAPI()
    app.get("/hello")(lambda: "hello")
    app.add_middleware(AgentCardMiddleware, cards=CARDS)
    return app


@get("/hello", sync_to_thread=False)
def litestar_hello() -> str:
    return "hello"


def litestar_mounted() -> Any:
    return Litestar([litestar_hello, asgi("/", is_mount=True, copy_scope=True)(CARDS)])


def litestar_at_well_known() -> Any:
    async def cards(scope: Any, receive: Any, send: Any) -> None:
        await CARDS(scope, receive, send)

    return Litestar([litestar_hello, asgi("/.well-known", is_mount=True, copy_scope=True)(cards)])


def litestar_wrapped() -> Any:
    return AgentCardMiddleware(Litestar([litestar_hello]), cards=CARDS)


def django_wrapped() -> Any:
    if not django.conf.settings.configured:
        django.conf.settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="x" * 50)
    return AgentCardMiddleware(get_asgi_application(), cards=CARDS)


urlpatterns = [url_path("hello", lambda _: HttpResponse(b"hello"))]

WAYS = [
    starlette_mounted, starlette_at_well_known, starlette_middleware, fastapi_mounted, fastapi_middleware,
    litestar_mounted, litestar_at_well_known, litestar_wrapped, django_wrapped,
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_a_framework_serves_the_same_card_beside_its_own_routes(way: Callable[[], Any]) -> None:
    async def run() -> tuple[Reply, Reply, Reply, Reply]:
        app = way()
        whole = await call(app)
        known = await call(app, headers={"If-None-Match": whole.headers["etag"]})
        return whole, known, await call(app, "HEAD"), await call(app, url="/hello")

    whole, known, head, own = asyncio.run(run())
    alone = ask(CARDS)
    assert (whole.status, whole.headers, whole.body) == (alone.status, alone.headers, alone.body)
    assert known.status == 304
    assert (head.status, head.body) == (200, b"")
    assert b"hello" in own.body


@pytest.mark.parametrize("way", WAYS)
async def test_a_framework_passes_versions_methods_and_refusals_on(way: Callable[[], Any]) -> None:
    app = way()
    older, refused, deleted = (
        await call(app, url=f"{CARD_PATH}?A2A-Version=0.3"),
        await call(app, headers={"Accept": "image/png"}),
        await call(app, "DELETE"),
    )
    assert older.json["protocolVersion"] == "0.3.0"
    assert refused.reason == "NOT_ACCEPTABLE"
    assert (deleted.status, deleted.headers["allow"]) == (405, "GET, HEAD, OPTIONS")


def test_middleware_that_changes_a_response_changes_only_that_one() -> None:
    app = Starlette(routes=[Mount("/", CARDS)])
    app.add_middleware(CORSMiddleware, allow_origins=["https://a.example"], allow_credentials=True)
    app.add_middleware(GZipMiddleware, minimum_size=1)
    headers = {"Origin": "https://a.example", "Accept-Encoding": "gzip"}
    first, second = ask(app, headers=headers), ask(app, headers=headers)
    assert first.headers == second.headers
    alone = ask(CARDS, headers={"Accept-Encoding": "gzip"})
    assert alone.headers["access-control-allow-origin"] == "*"
    assert first.body == alone.body


def test_middleware_passes_agent_calls_on_and_returns_the_extended_card() -> None:
    keys = ApiKeys.of({"a-key-of-some-length": Caller("a")})
    cards = well_known_agent_card(newer(), authenticate=keys, rpc_path="/a2a")
    app = AgentCardMiddleware(Starlette(routes=[Route("/a2a", hello, methods=["POST", "GET"])]), cards=cards)
    headers = {"Content-Type": "application/json", "X-API-Key": "a-key-of-some-length"}
    own_call = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "GetExtendedAgentCard"}).encode()
    assert ask(app, "POST", "/a2a", headers, body=own_call).json["result"]["name"] == "Seed Bank"
    for other in (b'{"jsonrpc":"2.0","id":1,"method":"SendMessage"}', b"x" * 200_000, b"{", b" "):
        assert ask(app, "POST", "/a2a", headers, body=other).body == other
    assert ask(app, "GET", "/a2a", headers).body == b"hello"


async def test_a_chunked_body_is_passed_on_whole() -> None:
    cards = well_known_agent_card(newer(), rpc_path="/a2a")
    app = AgentCardMiddleware(Starlette(routes=[Route("/a2a", hello, methods=["POST"])]), cards=cards)
    parts = [b'{"jsonrpc":"2.0",', b'"id":1,', b'"method":"SendMessage"}']
    sent: list[Message] = []

    waiting = [
        {"type": "http.request", "body": part, "more_body": index < 2} for index, part in enumerate(parts)
    ]

    async def receive() -> dict[str, Any]:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/a2a", "query_string": b"", "headers": []}
    await app(scope, receive, send)
    assert sent[1]["body"] == b"".join(parts)


def test_paths_of_an_undeclared_extended_card_belong_to_the_application() -> None:
    app = AgentCardMiddleware(
        Starlette(routes=[Route("/v1/card", hello)]), cards=well_known_agent_card(newer(capabilities={}))
    )
    assert ask(app, url="/v1/card").body == b"hello"


async def test_a_mounted_application_watches_its_file_without_a_lifespan() -> None:
    app = well_known_agent_card(CardFiles(EXAMPLES / "a2a-1.0.card.json"), watch_seconds=0.01)

    await call(Starlette(routes=[Mount("/", app)]))
    assert len(asyncio.all_tasks()) == 2


async def test_a_websocket_is_closed_and_another_protocol_is_an_error() -> None:
    sent: list[Message] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await CARDS({"type": "websocket", "path": CARD_PATH}, receive, send)
    assert [message["type"] for message in sent] == ["websocket.close"]
