"""Calling the agent behind: what is sent on of a request, and what comes back of its answer."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import Limits, decode
from cardwright.errors import BadAnswer, CardError, MalformedDocument, PeerUnreachable
from cardwright.guard import OWN_FIELDS, Timeouts, target_of
from cardwright_gateway.errors import AgentOffline
from cardwright_gateway.telemetry.tracing import carried_to, traced_call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Mapping
    from contextlib import AbstractAsyncContextManager

    from cardwright.guard import GuardedClient, Headers, Streamed
    from cardwright_gateway.settings.agents import Http
    from cardwright_gateway.upstream.errors import Hidden

# What is of one connection (RFC 9110 §7.6.1), of the way that a request came, or of another site.
_NOT_SENT_ON: Final = OWN_FIELDS | {
    "content-encoding", "cookie", "forwarded", "origin", "referer", "upgrade-insecure-requests", "via",
    # Some servers and frameworks read these as another path, another method or another caller.
    "cf-connecting-ip", "true-client-ip", "x-http-method", "x-http-method-override", "x-method-override",
    "x-original-url", "x-real-ip", "x-rewrite-url",
}  # fmt: skip
# What another origin than the agent's own is sent: any other field may tell who is asking, since a card names them.
_HARMLESS: Final = frozenset({"accept", "a2a-extensions", "a2a-version", "content-type", "x-a2a-extensions"})
# What of an answer means something to a caller of A2A; the rest may tell where it came from.
_SENT_BACK: Final = frozenset({
    "a2a-version", "a2a-extensions", "x-a2a-extensions", "cache-control", "content-language", "retry-after",
    "www-authenticate",
})  # fmt: skip
# The greatest answer that is read whole, and how long a stream may be silent (ours).
MAX_ANSWER_BYTES: Final = 16 * 1024 * 1024
_SILENT_SECONDS: Final = 300.0
# What takes longer to read than others may wait is read beside them (ours).
AT_ONCE_BYTES: Final = 64 * 1024
_LIMITS: Final = Limits(max_bytes=MAX_ANSWER_BYTES, max_depth=128, max_members=1_000_000)


@dataclass(frozen=True, slots=True)
class Caller:
    """Calls one agent.

    Attributes:
        client: What dials.
        http: Where the agent is, and what it is sent.
        timeout_seconds: How long it has for an answer, or to begin a stream.
        owned: Its id, where it has an owner: then it is offline when nothing listens there (BeeOS seed §8).
            SuperX's table, which holds for all others, has what could not be reached.
    """

    client: GuardedClient
    http: Http
    timeout_seconds: float
    owned: str = ""
    _origin: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_origin", target_of(self.http.url).origin)

    def missed(self, error: CardError) -> CardError:
        """Return an error that came before any answer as whoever calls the agent is told it."""
        return AgentOffline(self.owned) if self.owned and type(error) is PeerUnreachable else error

    @asynccontextmanager
    async def asked(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, *, streams: bool
    ) -> AsyncGenerator[Streamed]:
        """Send a request on; the answer's header is there when it is entered.

        Errors are those of `GuardedClient.stream`, and `AgentOffline`. A stream may be silent for longer than `timeout_seconds`:
        that it begins in time is the caller's to see to.
        """
        own = target_of(url).origin == self._origin
        silent = max(self.timeout_seconds, _SILENT_SECONDS) if streams else self.timeout_seconds
        given = headers if own else {name: value for name, value in headers.items() if name in _HARMLESS}
        # What the operator configured stands over what a caller says of itself.
        theirs = {name.lower() for name in self.http.headers} if own else set()
        told = {name: value for name, value in given.items() if name not in theirs}

        def opened(trace: dict[str, str]) -> AbstractAsyncContextManager[Streamed]:
            return self.client.stream(
                method,
                url,
                headers={**told, **carried_to(trace, own=own)},
                credentials=dict(self.http.headers) if own else None,
                configured=self.http.configured,
                content=body,
                max_bytes=None if streams else MAX_ANSWER_BYTES,
                timeouts=Timeouts(connect=3.0, first_byte=silent, total=None),
            )

        answered = False
        try:
            async with traced_call(method, opened) as answer:
                answered = True
                yield answer
        except CardError as error:
            shown = self.missed(error)
            if answered or shown is error:
                raise
            raise shown from error


def sent_on(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the header fields of a request that an agent is sent; of several lines one list (RFC 9110 §5.2)."""
    found: dict[str, str] = {}
    named: set[str] = set()
    for raw, value in headers:
        name = raw.decode("latin-1").lower()
        text = value.decode("latin-1")
        if name == "connection":
            named |= {one.strip().lower() for one in text.split(",")}
        # With an underscore, servers of CGI's kind read it as another field.
        if name in _NOT_SENT_ON or name.startswith("x-forwarded-") or not name.replace("-", "").isalnum():
            continue
        if any(c < " " or c == "\x7f" for c in text):
            continue
        found[name] = f"{found[name]}, {text}" if name in found else text
    return {name: value for name, value in found.items() if name not in named}


def sent_back(headers: Headers, hidden: Hidden) -> list[tuple[bytes, bytes]]:
    """Return the header fields of an answer that a caller is sent: none that is malformed, or tells of the agent."""
    found: list[tuple[bytes, bytes]] = []
    for name, value in headers:
        lowered = name.lower()
        if lowered not in _SENT_BACK or any((c < " " and c != "\t") or c == "\x7f" for c in value):
            continue
        # What is beyond Latin-1 came in bytes that are no text.
        if any(c > "\xff" for c in value) or (lowered == "www-authenticate" and hidden.within(value)):
            continue
        found.append((lowered.encode("latin-1"), value.encode("latin-1")))
    return found


def media_type(headers: Headers) -> str:
    """Return the media type of an answer, lower case, without parameters."""
    return (headers.get("content-type") or "").partition(";")[0].strip().lower()


async def whole(answer: Streamed, max_bytes: int = MAX_ANSWER_BYTES) -> bytes:
    """Return the body of an answer, counted as it comes: what may be a stream comes without a bound.

    Raises:
        BadAnswer: If it is too large.
        CardError: As `Streamed.chunks`.
    """
    pieces: list[bytes] = []
    size = 0
    async for piece in answer.chunks():
        size += len(piece)
        if size > max_bytes:
            raise BadAnswer("", "too-large", f"it answers with more than {max_bytes:,} bytes")
        pieces.append(piece)
    return b"".join(pieces)


def not_a_reply(why: str) -> BadAnswer:
    """Return the error of an answer that is none of A2A."""
    return BadAnswer("", "not-a-reply", why)


async def as_json(body: bytes) -> Any:
    """Return the JSON value of an answer.

    Raises:
        BadAnswer: If it is none.
    """
    try:
        if len(body) > AT_ONCE_BYTES:
            return await asyncio.to_thread(decode, body, _LIMITS)
        return decode(body, _LIMITS)
    except MalformedDocument:
        raise not_a_reply("it is no JSON that may be read") from None
