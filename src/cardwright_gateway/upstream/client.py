"""HTTP client for upstream agents: which headers are forwarded, and how responses are read."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import decode
from cardwright.errors import BadResponse, CardError, MalformedDocument, PeerUnreachable
from cardwright.guard import OWN_FIELDS, Timeouts, target_of
from cardwright.guard.message_limits import FORWARDED_MESSAGES
from cardwright.http.request import off_loop
from cardwright_gateway.errors import AgentOffline
from cardwright_gateway.telemetry.tracing import trace_headers, traced_call
from cardwright_gateway.upstream.availability import Availability

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
    from contextlib import AbstractAsyncContextManager

    from cardwright.guard import GuardedClient, Headers, Streamed
    from cardwright.guard.answer_memory import HeldAnswer
    from cardwright_gateway.settings.agents import Http

# Request headers not forwarded: hop-by-hop (RFC 9110 §7.6.1), about the client's connection, or of another site.
_NOT_FORWARDED: Final = OWN_FIELDS | {
    # Sent by the client itself, with this gateway.
    "cdn-loop",
    "content-encoding", "cookie", "forwarded", "origin", "referer", "upgrade-insecure-requests", "via",
    # Some servers and frameworks take the path, the method or the caller from these.
    "cf-connecting-ip", "true-client-ip", "x-http-method", "x-http-method-override", "x-method-override",
    "x-original-url", "x-real-ip", "x-rewrite-url",
}  # fmt: skip
# Request headers sent to an origin other than the agent's own: a card names that origin, and any other header may
# identify the caller.
_HARMLESS: Final = frozenset({"accept", "a2a-extensions", "a2a-version", "content-type", "x-a2a-extensions"})
# Response headers that matter to an A2A client; others may reveal the upstream agent.
_RETURNED: Final = frozenset({
    "a2a-version", "a2a-extensions", "x-a2a-extensions", "cache-control", "content-language", "retry-after",
})  # fmt: skip
# How long a stream may be silent (project decision).
_SILENT_SECONDS: Final = 300.0


@dataclass(frozen=True, slots=True)
class Caller:
    """HTTP client for one agent.

    Attributes:
        client: The guarded HTTP client.
        http: The agent's URL and headers.
        timeout_seconds: Timeout for a response, or for the start of a stream.
        owned: The agent's id if it has an owner: if it is unreachable, it is reported as offline (BeeOS seed §8).
            Other agents are reported as unreachable (SuperX's table).
        hold: Returns the memory of an answer; None for no limit.
        availability: What the last call showed.
    """

    client: GuardedClient
    http: Http
    timeout_seconds: float
    owned: str = ""
    hold: Callable[[], HeldAnswer] | None = None
    availability: Availability = field(default_factory=Availability)
    _origin: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_origin", target_of(self.http.url).origin)

    def missed(self, error: CardError) -> CardError:
        """Note an error that came before any response, and return the error for the caller."""
        self.availability.failed(error)
        return AgentOffline(self.owned) if self.owned and type(error) is PeerUnreachable else error

    @asynccontextmanager
    async def forward(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None,
        *,
        streams: bool,
        reads: bool = False,
    ) -> AsyncGenerator[Streamed]:
        """Forward a request, and yield the response once its headers have arrived.

        Args:
            method: The HTTP method.
            url: The URL of the agent.
            headers: The header fields.
            body: The body; None for none.
            streams: Whether a stream is requested.
            reads: Whether the request changes nothing, and may be sent once more if a reused connection breaks; GET may
                anyway.

        Raises what `GuardedClient.stream` raises, and `AgentOffline`. A stream may be silent for longer than
        `timeout_seconds`: the caller of this method must limit the time until it begins.
        """
        own = target_of(url).origin == self._origin
        silent = max(self.timeout_seconds, _SILENT_SECONDS) if streams else self.timeout_seconds
        allowed = headers if own else {name: value for name, value in headers.items() if name in _HARMLESS}
        # Configured headers override those of the caller.
        configured = {name.lower() for name in self.http.headers} if own else set()
        forwarded = {name: value for name, value in allowed.items() if name not in configured}

        def open_stream(trace: dict[str, str]) -> AbstractAsyncContextManager[Streamed]:
            return self.client.stream(
                method,
                url,
                headers={**forwarded, **trace_headers(trace, own=own)},
                credentials=dict(self.http.headers) if own else None,
                configured=self.http.configured,
                content=body,
                max_bytes=None if streams else FORWARDED_MESSAGES.max_bytes,
                timeouts=Timeouts(connect=3.0, first_byte=silent, total=None),
                repeatable=reads or None,
            )

        responded = False
        try:
            async with traced_call(method, open_stream) as response:
                responded = True
                self.availability.reached()
                yield response
        except CardError as error:
            if responded or (visible := self.missed(error)) is error:
                raise
            raise visible from error


def forwarded_request_headers(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the request headers to forward to an agent; repeated fields are joined (RFC 9110 §5.2)."""
    forwarded: dict[str, str] = {}
    hop_by_hop: set[str] = set()
    for raw, value in headers:
        name = raw.decode("latin-1").lower()
        text = value.decode("latin-1")
        if name == "connection":
            hop_by_hop |= {option.strip().lower() for option in text.split(",")}
        # CGI-like servers read an underscore as a hyphen, and so as another field.
        if name in _NOT_FORWARDED or name.startswith("x-forwarded-") or not name.replace("-", "").isalnum():
            continue
        if any(c < " " or c == "\x7f" for c in text):
            continue
        forwarded[name] = f"{forwarded[name]}, {text}" if name in forwarded else text
    return {name: value for name, value in forwarded.items() if name not in hop_by_hop}


def forwarded_response_headers(headers: Headers) -> list[tuple[bytes, bytes]]:
    """Return the response headers to send to the caller, without malformed ones."""
    returned: list[tuple[bytes, bytes]] = []
    for name, value in headers:
        lowered = name.lower()
        if lowered not in _RETURNED or any((c < " " and c != "\t") or c == "\x7f" for c in value):
            continue
        # Characters beyond Latin-1 came from bytes that cannot be sent back.
        if any(c > "\xff" for c in value):
            continue
        returned.append((lowered.encode("latin-1"), value.encode("latin-1")))
    return returned


def media_type(headers: Headers) -> str:
    """Return the media type of a response, lower case, without parameters."""
    return (headers.get("content-type") or "").partition(";")[0].strip().lower()


async def whole(
    response: Streamed, max_bytes: int = FORWARDED_MESSAGES.max_bytes, held: HeldAnswer | None = None
) -> bytes:
    """Return the body of a response, limited to `max_bytes`: a response that may be a stream has no other limit.

    Raises:
        BadResponse: If it is larger.
        CardError: As `Streamed.chunks`.
    """
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.chunks():
        size += len(chunk)
        if size > max_bytes:
            raise BadResponse("", "too-large", f"the response has more than {max_bytes:,} bytes")
        if held is not None:
            held.add(len(chunk))
        chunks.append(chunk)
    return b"".join(chunks)


def not_a_reply(why: str) -> BadResponse:
    """Return the error for a response that is not valid A2A."""
    return BadResponse("", "not-a-reply", why)


async def as_json(body: bytes) -> Any:
    """Return the JSON value of a response body.

    Raises:
        BadResponse: If it is not JSON, or exceeds the limits of a message.
    """
    try:
        return await off_loop(len(body), decode, body, FORWARDED_MESSAGES.decoding)
    except MalformedDocument as error:
        if error.rule == "decode/too-many-values":
            raise FORWARDED_MESSAGES.too_many_values("") from None
        raise not_a_reply("the response is not valid JSON") from None
