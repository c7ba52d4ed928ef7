"""OpenTelemetry traces: a span for each request, each upstream call and each webhook delivery attempt.

No span contains a URL, a host, a body or a credential. OpenTelemetry is imported only if it is configured.
"""

from __future__ import annotations

import time
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cardwright.errors import BadConfiguration
from cardwright.extras import requires_extra

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator, Mapping
    from contextlib import AbstractAsyncContextManager

    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span

    from cardwright.guard import Streamed
    from cardwright_gateway.telemetry.request_record import RequestRecord
    from cardwright_gateway_models.settings.gateway import TelemetrySettings

# OTLP 1.x, OTLP/HTTP Request: the path for traces below a collector's URL.
_PATH: Final = "/v1/traces"
# Semantic conventions, HTTP: any other method is recorded as _OTHER.
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_PARENT: Final = b"traceparent"
_STATE: Final = b"tracestate"
# The error of a failed span: never its message, which may name a host.
_ERROR: Final = "error.type"
_STATUS: Final = "http.response.status_code"
_METHOD: Final = "http.request.method"


@dataclass(frozen=True, slots=True)
class _Current:
    """The current request, and its tracing."""

    tracing: Tracing
    record: RequestRecord


_CURRENT: Final[ContextVar[_Current | None]] = ContextVar("cardwright_trace", default=None)


class Tracing:
    """Tracer that sends its spans by OTLP over HTTP, in batches from its own thread.

    Args:
        config: The collector's URL, and the service name.
        exporter: Gets the spans instead, each when it ends.

    Raises:
        BadConfiguration: If the collector's URL is not valid.
        MissingPackage: If OpenTelemetry is not installed.
    """

    def __init__(self, config: TelemetrySettings, exporter: SpanExporter | None = None) -> None:
        url = _collector(config.otlp)
        with requires_extra("telemetry"):
            from opentelemetry import trace
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
            from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
        self._trace = trace
        # Not the global provider: other code in the process may have its own.
        self._provider = TracerProvider(
            resource=Resource.create({"service.name": config.service}), shutdown_on_exit=False
        )
        self._provider.add_span_processor(
            BatchSpanProcessor(OTLPSpanExporter(endpoint=url))
            if exporter is None
            else SimpleSpanProcessor(exporter)
        )
        self._tracer = self._provider.get_tracer("cardwright_gateway")
        self._propagator = TraceContextTextMapPropagator()

    def close(self) -> None:
        """Send the remaining spans, and close; takes as long as the collector needs."""
        self._provider.shutdown()

    @contextmanager
    def request(
        self, scope: Mapping[str, Any], record: RequestRecord, status_of: Callable[[], int]
    ) -> Generator[None]:
        """Trace a request, in the trace that its caller names (W3C Trace Context)."""
        from opentelemetry import context

        parent = self._propagator.extract(_carrier(scope), context=context.Context())
        method = _method(scope["method"])
        span = self._tracer.start_span(
            method, parent, self._trace.SpanKind.SERVER, attributes={_METHOD: method}
        )
        token = context.attach(self._trace.set_span_in_context(span, parent))
        current = _CURRENT.set(_Current(self, record))
        try:
            yield
        finally:
            _CURRENT.reset(current)
            context.detach(token)
            status = status_of()
            span.update_name(f"{method} {record.kind}")
            span.set_attribute("cardwright.kind", record.kind)
            if record.agent:
                span.set_attribute("cardwright.agent", record.agent)
            self._end(span, status, failed=not status or status >= 500)

    @asynccontextmanager
    async def call(
        self,
        method: str,
        record: RequestRecord,
        open_stream: Callable[[dict[str, str]], AbstractAsyncContextManager[Streamed]],
    ) -> AsyncGenerator[Streamed]:
        """Trace an upstream call while its response is open; the agent gets the trace headers."""
        span = self._client("call", record, {_METHOD: method})
        headers: dict[str, str] = {}
        self._propagator.inject(headers, self._trace.set_span_in_context(span))
        status = 0
        try:
            async with open_stream(headers) as response:
                status = response.status
                yield response
        except BaseException as error:
            span.set_attribute(_ERROR, type(error).__name__)
            raise
        finally:
            self._end(span, status, failed=not status or status >= 400)

    @contextmanager
    def block(self, name: str, record: RequestRecord) -> Generator[dict[str, str]]:
        """Trace a call by another client library; yield the trace headers."""
        span = self._client(name, record, {})
        headers: dict[str, str] = {}
        self._propagator.inject(headers, self._trace.set_span_in_context(span))
        try:
            yield headers
        except BaseException as error:
            span.set_attribute(_ERROR, type(error).__name__)
            span.set_status(self._trace.StatusCode.ERROR)
            raise
        finally:
            span.end()

    def delivered(self, *, outcome: str, status: int | None, duration_ms: float) -> None:
        """Record a webhook delivery attempt that has just ended."""
        now = time.time_ns()
        span = self._tracer.start_span(
            "webhook",
            kind=self._trace.SpanKind.CLIENT,
            attributes={_METHOD: "POST", "cardwright.outcome": outcome},
            start_time=now - int(duration_ms * 1e6),
        )
        self._end(span, status or 0, failed=outcome != "delivered", at=now)

    def _client(self, name: str, record: RequestRecord, attributes: dict[str, str]) -> Span:
        all_attributes = {**attributes, "cardwright.agent": record.agent} if record.agent else attributes
        return self._tracer.start_span(name, kind=self._trace.SpanKind.CLIENT, attributes=all_attributes)

    def _end(self, span: Span, status: int, *, failed: bool, at: int | None = None) -> None:
        if status:
            span.set_attribute(_STATUS, status)
        if failed:
            span.set_status(self._trace.StatusCode.ERROR)
        span.end(at)


def traced_call(
    method: str, open_stream: Callable[[dict[str, str]], AbstractAsyncContextManager[Streamed]]
) -> AbstractAsyncContextManager[Streamed]:
    """Return an upstream call, traced if the current request is.

    Args:
        method: The HTTP method.
        open_stream: Opens the call with additional headers.
    """
    current = _CURRENT.get()
    return open_stream({}) if current is None else current.tracing.call(method, current.record, open_stream)


@contextmanager
def traced(name: str) -> Generator[dict[str, str]]:
    """Trace a block, if the current request is traced; yield the trace headers, empty without a trace."""
    current = _CURRENT.get()
    if current is None:
        yield {}
        return
    with current.tracing.block(name, current.record) as headers:
        yield headers


def trace_headers(trace: Mapping[str, str], *, own: bool) -> dict[str, str]:
    """Return the trace headers for a server: `tracestate` is from the caller, so only the agent's origin gets it."""
    return {name: value for name, value in trace.items() if own or name == "traceparent"}


def _carrier(scope: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers of W3C Trace Context; two `traceparent` headers count as none (§3.2.2)."""
    parents = [value.decode("latin-1") for name, value in scope["headers"] if name == _PARENT]
    if len(parents) != 1:
        return {}
    states = [value.decode("latin-1") for name, value in scope["headers"] if name == _STATE]
    return {"traceparent": parents[0], **({"tracestate": ",".join(states)} if states else {})}


def _method(method: str) -> str:
    return method if method in _METHODS else "_OTHER"


def _collector(configured: str) -> str:
    try:
        url = urlsplit(configured)
        usable = url.scheme in ("http", "https") and bool(url.hostname) and "@" not in url.netloc
    except ValueError:
        usable = False
    if not usable:
        raise BadConfiguration("", "/telemetry/otlp: must be a URL such as http://127.0.0.1:4318")
    return configured if configured.endswith(_PATH) else f"{configured.rstrip('/')}{_PATH}"
