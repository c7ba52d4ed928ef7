"""Traces by OpenTelemetry: a span for each request, each call of an agent and each attempt to deliver a webhook.

No span has a URL, a host, a body or a credential. Nothing of OpenTelemetry is imported where it is not configured.
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
    from cardwright_models.settings.gateway import TelemetrySettings

# OTLP 1.x, OTLP/HTTP Request: where traces go below the URL of a collector.
_PATH: Final = "/v1/traces"
# Semantic conventions, HTTP: any other method is told as _OTHER.
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_PARENT: Final = b"traceparent"
_STATE: Final = b"tracestate"
# What a span that ended badly says of it; never a message, which may name a host.
_ERROR: Final = "error.type"
_STATUS: Final = "http.response.status_code"
_METHOD: Final = "http.request.method"


@dataclass(frozen=True, slots=True)
class _Current:
    """The request that is answered, and what traces it."""

    tracing: Tracing
    seen: RequestRecord


_CURRENT: Final[ContextVar[_Current | None]] = ContextVar("cardwright_trace", default=None)


class Tracing:
    """Makes spans, and sends them by OTLP over HTTP in batches, from a thread of its own.

    Args:
        config: Where to, and under which name.
        exporter: What takes the spans instead, as they end.

    Raises:
        BadConfiguration: If the collector's URL is none.
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
        # Its own, and not the one of the process: others there may have another.
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
        """Send what is left, and end; it may take as long as the collector does."""
        self._provider.shutdown()

    @contextmanager
    def request(
        self, scope: Mapping[str, Any], seen: RequestRecord, status_of: Callable[[], int]
    ) -> Generator[None]:
        """Trace a request while it is answered, in the trace that its caller names (W3C Trace Context)."""
        from opentelemetry import context

        parent = self._propagator.extract(_carrier(scope), context=context.Context())
        method = _method(scope["method"])
        span = self._tracer.start_span(
            method, parent, self._trace.SpanKind.SERVER, attributes={_METHOD: method}
        )
        token = context.attach(self._trace.set_span_in_context(span, parent))
        current = _CURRENT.set(_Current(self, seen))
        try:
            yield
        finally:
            _CURRENT.reset(current)
            context.detach(token)
            status = status_of()
            span.update_name(f"{method} {seen.kind}")
            span.set_attribute("cardwright.kind", seen.kind)
            if seen.agent:
                span.set_attribute("cardwright.agent", seen.agent)
            self._ended(span, status, failed=not status or status >= 500)

    @asynccontextmanager
    async def calling(
        self,
        method: str,
        seen: RequestRecord,
        opened: Callable[[dict[str, str]], AbstractAsyncContextManager[Streamed]],
    ) -> AsyncGenerator[Streamed]:
        """Trace the call of an agent, whose answer is open in between; the agent is told of the trace."""
        span = self._client("call", seen, {_METHOD: method})
        carried: dict[str, str] = {}
        self._propagator.inject(carried, self._trace.set_span_in_context(span))
        status = 0
        try:
            async with opened(carried) as answer:
                status = answer.status
                yield answer
        except BaseException as error:
            span.set_attribute(_ERROR, type(error).__name__)
            raise
        finally:
            self._ended(span, status, failed=not status or status >= 400)

    @contextmanager
    def asking(self, name: str, seen: RequestRecord) -> Generator[dict[str, str]]:
        """Trace what is asked by somebody else's client; give the fields that tell of the trace."""
        span = self._client(name, seen, {})
        carried: dict[str, str] = {}
        self._propagator.inject(carried, self._trace.set_span_in_context(span))
        try:
            yield carried
        except BaseException as error:
            span.set_attribute(_ERROR, type(error).__name__)
            span.set_status(self._trace.StatusCode.ERROR)
            raise
        finally:
            span.end()

    def delivered(self, *, outcome: str, status: int | None, duration_ms: float) -> None:
        """Record an attempt to deliver a webhook that has just ended."""
        now = time.time_ns()
        span = self._tracer.start_span(
            "webhook",
            kind=self._trace.SpanKind.CLIENT,
            attributes={_METHOD: "POST", "cardwright.outcome": outcome},
            start_time=now - int(duration_ms * 1e6),
        )
        self._ended(span, status or 0, failed=outcome != "delivered", at=now)

    def _client(self, name: str, seen: RequestRecord, attributes: dict[str, str]) -> Span:
        told = {**attributes, "cardwright.agent": seen.agent} if seen.agent else attributes
        return self._tracer.start_span(name, kind=self._trace.SpanKind.CLIENT, attributes=told)

    def _ended(self, span: Span, status: int, *, failed: bool, at: int | None = None) -> None:
        if status:
            span.set_attribute(_STATUS, status)
        if failed:
            span.set_status(self._trace.StatusCode.ERROR)
        span.end(at)


def traced_call(
    method: str, opened: Callable[[dict[str, str]], AbstractAsyncContextManager[Streamed]]
) -> AbstractAsyncContextManager[Streamed]:
    """Return the call of an agent, traced where its request is.

    Args:
        method: By which method.
        opened: Begins it, with these fields besides.
    """
    current = _CURRENT.get()
    return opened({}) if current is None else current.tracing.calling(method, current.seen, opened)


@contextmanager
def traced(name: str) -> Generator[dict[str, str]]:
    """Trace what is done meanwhile, where the request is traced that it is done for.

    The fields that tell an agent of the trace are given; none where there is no trace.
    """
    current = _CURRENT.get()
    if current is None:
        yield {}
        return
    with current.tracing.asking(name, current.seen) as carried:
        yield carried


def carried_to(trace: Mapping[str, str], *, own: bool) -> dict[str, str]:
    """Return the fields that a server is told: `tracestate` has what a caller says, for the agent's origin alone."""
    return {name: value for name, value in trace.items() if own or name == "traceparent"}


def _carrier(scope: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of W3C Trace Context; a caller that names two traces names none (§3.2.2)."""
    parents = [value.decode("latin-1") for name, value in scope["headers"] if name == _PARENT]
    if len(parents) != 1:
        return {}
    states = [value.decode("latin-1") for name, value in scope["headers"] if name == _STATE]
    return {"traceparent": parents[0], **({"tracestate": ",".join(states)} if states else {})}


def _method(method: str) -> str:
    return method if method in _METHODS else "_OTHER"


def _collector(told: str) -> str:
    try:
        url = urlsplit(told)
        usable = url.scheme in ("http", "https") and bool(url.hostname) and "@" not in url.netloc
    except ValueError:
        usable = False
    if not usable:
        raise BadConfiguration("", "/telemetry/otlp: give a URL such as http://127.0.0.1:4318")
    return told if told.endswith(_PATH) else f"{told.rstrip('/')}{_PATH}"
