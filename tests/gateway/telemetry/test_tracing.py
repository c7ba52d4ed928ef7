"""Traces: one span per request, propagated to agents, without secrets; not imported unless configured."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import threading
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from cardwright.errors import BadConfiguration, MissingPackage
from cardwright.serve.listening import free_port
from cardwright_gateway import Gateway
from cardwright_gateway.telemetry.tracing import Tracing
from cardwright_gateway.webhooks.rows import Result
from cardwright_gateway_models.settings.gateway import TelemetrySettings
from tests.gateway.gateways import BASE, CARD, JSON, MESSAGE, rpc
from tests.gateway.tasks.gateways import Caller, Owned, function, owned
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from opentelemetry.sdk.trace import ReadableSpan

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = {"traceparent": f"00-{TRACE}-{PARENT}-01", "tracestate": "vendor=theirs"}
OTLP = TelemetrySettings(otlp="http://127.0.0.1:4318")
BODY = "canary-in-a-body"


class Traced:
    """Keeps the spans of a gateway."""

    def __init__(self, gateway: Gateway) -> None:
        self.exporter = InMemorySpanExporter()
        gateway.tracing = gateway.application.tracing = Tracing(OTLP, self.exporter)

    def spans(self) -> list[ReadableSpan]:
        return list(self.exporter.get_finished_spans())

    def one(self, kind: SpanKind) -> ReadableSpan:
        (found,) = [span for span in self.spans() if span.kind is kind]
        return found


def hexed(span: ReadableSpan) -> tuple[str, str]:
    context = span.get_span_context()
    assert context is not None
    return f"{context.trace_id:032x}", f"{context.span_id:016x}"


def parent(span: ReadableSpan) -> str:
    return f"{span.parent.span_id:016x}" if span.parent else ""


class Agent:
    """An upstream A2A agent that records its requests."""

    def __init__(self) -> None:
        self.origin = ""
        self.headers: list[dict[str, str]] = []

    async def card(self, _: web.Request) -> web.Response:
        interface = {"url": f"{self.origin}/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        return web.json_response({**CARD, "supportedInterfaces": [interface]})

    async def answer(self, request: web.Request) -> web.Response:
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        answer_message = {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "yes"}]}
        return web.json_response({"jsonrpc": "2.0", "id": 1, "result": {"message": answer_message}})


@asynccontextmanager
async def upstream_agent() -> AsyncGenerator[Agent]:
    agent = Agent()
    application = web.Application()
    application.router.add_get("/.well-known/agent-card.json", agent.card)
    application.router.add_post("/a2a", agent.answer)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    agent.origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield agent
    finally:
        await runner.cleanup()


async def test_a_forwarded_call_has_two_spans_and_propagates_traceparent() -> None:
    async with upstream_agent() as agent:  # noqa: SIM117 - the gateway closes before its agent
        async with Gateway({"base_url": BASE, "agents": {"travel": {"url": agent.origin}}}) as gateway:
            traced = Traced(gateway)
            headers = {**JSON, **TRACEPARENT}
            reply = await call(gateway, "POST", "/travel", headers, body=rpc("SendMessage", MESSAGE))
            assert reply.status == 200
            server, client = traced.one(SpanKind.SERVER), traced.one(SpanKind.CLIENT)
    assert hexed(server)[0] == hexed(client)[0] == TRACE
    assert (parent(server), parent(client)) == (PARENT, hexed(server)[1])
    assert (server.name, client.name) == ("POST jsonrpc", "call")
    (sent,) = agent.headers
    assert sent["traceparent"] == f"00-{TRACE}-{hexed(client)[1]}-01"
    assert sent["tracestate"] == "vendor=theirs"


async def test_without_telemetry_trace_headers_are_forwarded() -> None:
    async with upstream_agent() as agent:
        async with Gateway({"base_url": BASE, "agents": {"travel": {"url": agent.origin}}}) as gateway:
            headers = {**JSON, **TRACEPARENT}
            await call(gateway, "POST", "/travel", headers, body=rpc("SendMessage", MESSAGE))
        assert agent.headers[0]["traceparent"] == TRACEPARENT["traceparent"]


async def test_a_call_of_a_managed_task_is_in_the_callers_trace() -> None:
    async with upstream_agent() as agent:  # noqa: SIM117 - as above
        async with owned({"travel": {"url": agent.origin, "owner": "acme"}}) as running:
            traced = Traced(running.gateway)
            caller = await running.key("travel")
            with_trace = Caller(running.gateway, "travel", {**caller.credentials, **TRACEPARENT})
            await with_trace.rpc("SendMessage", MESSAGE)
            assert hexed(traced.one(SpanKind.CLIENT))[0] == TRACE
    assert agent.headers[0]["traceparent"].split("-")[1] == TRACE


@pytest.mark.parametrize(
    "trace_fields",
    [[("traceparent", "nonsense")], [("traceparent", TRACEPARENT["traceparent"])] * 2, []],
    ids=["broken", "two", "none"],
)
async def test_a_request_without_a_trace_starts_one(trace_fields: list[tuple[str, str]]) -> None:
    async with Gateway({"base_url": BASE, "agents": {"greeter": {"card": CARD}}}) as gateway:
        traced = Traced(gateway)
        await call(gateway, "GET", "/healthz", trace_fields)
        span = traced.one(SpanKind.SERVER)
        assert span.parent is None
        assert hexed(span)[0] != TRACE


async def test_spans_have_method_and_status_and_no_content() -> None:
    async def play(running: Owned) -> None:
        traced = Traced(running.gateway)
        caller = await running.key("greeter")
        await caller.rpc("SendMessage", {"message": {**MESSAGE["message"], "parts": [{"text": BODY}]}})
        await running.anonymous("greeter").rpc("SendMessage", MESSAGE)
        await call(running.gateway, "BREW", f"/{BODY}/x?key={BODY}", {"X-Secret": BODY})
        card = "/greeter/.well-known/agent-card.json"
        for _ in range(2):
            await call(running.gateway, "GET", card)
        good, refused, odd, first, remembered = traced.spans()
        assert dict(good.attributes or {}) == {
            "http.request.method": "POST",
            "http.response.status_code": 200,
            "cardwright.kind": "jsonrpc",
            "cardwright.agent": "greeter",
        }
        assert dict(refused.attributes or {})["http.response.status_code"] == 401
        assert (odd.name, odd.status.status_code) == ("_OTHER none", StatusCode.UNSET)
        assert first.name == remembered.name == "GET card"
        spans = " ".join(span.to_json() for span in traced.spans())
        for secret in (BODY, caller.credentials["X-Agent-API-Key"][8:], "gateway.example.com", "192.0.2"):
            assert secret not in spans

    async with owned({"greeter": function("answer")}) as running:
        await play(running)


async def test_a_failed_call_has_the_error_type_and_no_host() -> None:
    port = free_port("127.0.0.1", 0)
    async with upstream_agent() as agent:  # noqa: SIM117 - as above
        async with Gateway({"base_url": BASE, "agents": {"travel": {"url": agent.origin}}}) as gateway:
            await gateway.card("travel")
            traced = Traced(gateway)
            agent_url = agent.origin
            caller: Any = gateway.agents["travel"].caller
            object.__setattr__(caller, "client", Unreachable(port))
            await call(gateway, "POST", "/travel", JSON, body=rpc("SendMessage", MESSAGE))
            client, server = traced.one(SpanKind.CLIENT), traced.one(SpanKind.SERVER)
    assert client.status.status_code is server.status.status_code is StatusCode.ERROR
    assert (client.attributes or {})["error.type"] == "PeerUnreachable"
    assert client.events == ()
    assert agent_url.rpartition("/")[2] not in client.to_json() + server.to_json()


class Unreachable:
    """A client whose peers are all gone."""

    def __init__(self, port: int) -> None:
        self._port = port

    def stream(self, *_: Any, **__: Any) -> Any:
        from cardwright.errors import PeerUnreachable

        raise PeerUnreachable("", f"nothing at 127.0.0.1:{self._port}")


async def test_a_webhook_delivery_attempt_is_a_span_with_its_duration() -> None:
    async with owned({"greeter": function("answer")}, webhooks={"enabled": True}) as running:
        traced = Traced(running.gateway)
        on_attempt = running.gateway.on_attempt
        on_attempt(Result("failed", 503, None, 250.0, 10))
        span = traced.one(SpanKind.CLIENT)
    assert (span.name, span.status.status_code) == ("webhook", StatusCode.ERROR)
    assert dict(span.attributes or {}) == {
        "http.request.method": "POST", "http.response.status_code": 503, "cardwright.outcome": "failed",
    }  # fmt: skip
    assert span.start_time is not None
    assert span.end_time is not None
    assert span.end_time - span.start_time == 250_000_000


@pytest.fixture
def collector() -> Iterator[tuple[str, list[tuple[str, ExportTraceServiceRequest]]]]:
    """A small receiver of OTLP."""
    received: list[tuple[str, ExportTraceServiceRequest]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            received.append((self.path, ExportTraceServiceRequest.FromString(body)))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the one it replaces
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", received
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("path", ["", "/", "/v1/traces"])
async def test_closing_the_gateway_flushes_spans_to_the_collector(collector: Any, path: str) -> None:
    origin, received = collector

    settings = {"otlp": f"{origin}{path}", "service": "harbour"}
    config = {"base_url": BASE, "agents": {"greeter": {"card": CARD}}, "telemetry": settings}
    async with Gateway(config) as gateway:
        await call(gateway, "GET", "/healthz", TRACEPARENT)
    ((where, request),) = received
    assert where == "/v1/traces"
    (resource,) = request.resource_spans
    attributes = {one.key: one.value.string_value for one in resource.resource.attributes}
    assert attributes["service.name"] == "harbour"
    (span,) = resource.scope_spans[0].spans
    assert (span.name, span.trace_id.hex(), span.parent_span_id.hex()) == ("GET healthz", TRACE, PARENT)


async def test_an_unreachable_collector_does_not_affect_calls() -> None:
    settings = {"otlp": f"http://127.0.0.1:{free_port('127.0.0.1', 0)}"}
    config = {"base_url": BASE, "agents": {"greeter": {"card": CARD}}, "telemetry": settings}
    async with Gateway(config) as gateway:
        assert (await call(gateway, "GET", "/healthz")).status == 200


@pytest.mark.parametrize(
    "url", ["collector:4318", "ftp://collector/", "http://", "http://user:secret@collector:4318", "http://[x"]
)
def test_an_invalid_collector_url_is_refused_and_not_quoted(url: str) -> None:
    with pytest.raises(BadConfiguration, match=r"/telemetry/otlp: must be a URL such as") as caught:
        Gateway({"base_url": BASE, "agents": {}, "telemetry": {"otlp": url}})
    assert "secret" not in str(caught.value)


def test_a_missing_package_is_named_with_its_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(MissingPackage, match=r'pip install "cardwright\[telemetry\]"'):
        Gateway({"base_url": BASE, "agents": {}, "telemetry": {"otlp": "http://127.0.0.1:4318"}})


@pytest.mark.process
def test_opentelemetry_is_not_imported_without_configuration() -> None:
    program = """
import asyncio, json, sys
from cardwright_gateway import Gateway
async def run():
    async with Gateway({"base_url": "https://a.example", "agents": {}}) as gateway:
        pass
asyncio.run(run())
# redis brings its own part of it.
print(json.dumps([n for n in sys.modules if n.startswith(("opentelemetry.sdk.trace", "opentelemetry.exporter"))]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
