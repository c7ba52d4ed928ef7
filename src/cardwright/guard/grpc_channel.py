"""Channel for the gRPC stubs of a2a-sdk: it connects to checked addresses, and limits each message."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import grpc
import grpc.aio
from google.protobuf.message import DecodeError  # type: ignore[import-untyped] # it has no stubs

from cardwright.errors import BadResponse, PeerTimeout, PeerUnreachable
from cardwright.guard.exchange import origin_of
from cardwright.guard.grpc_target import grpc_target
from cardwright.guard.message_limits import A2A_MESSAGES
from cardwright.guard.protobuf_values import Counted, count_values, encode_files, has_too_many_fields
from cardwright.guard.responses import Timeouts
from cardwright.http.request import off_loop

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence

    from cardwright.guard.answer_memory import HeldAnswer
    from cardwright.guard.client import GuardedClient
    from cardwright.guard.pace import Allowance
    from cardwright.guard.parsing_turns import ParsingTurn
    from cardwright.guard.target import Target
    from cardwright.hosts import Address

_MAX_METADATA: Final = 16 * 1024
# No compression: a small message could take much memory.
NO_COMPRESSION: Final = ("grpc.compression_enabled_algorithms_bitset", 1)

# What gRPC returns after the last message of a stream.
END: Final[Any] = grpc.aio.EOF  # pyright: ignore[reportAttributeAccessIssue] # its types do not name it

Metadata = tuple[tuple[str, str], ...]


@asynccontextmanager
async def grpc_channel(
    client: GuardedClient,
    url: str,
    *,
    credentials_for: Mapping[str, Mapping[str, str]] | None = None,
    timeouts: Timeouts | None = None,
    configured: str | None = None,
    headers: Mapping[str, str] | None = None,
    hold: Callable[[], HeldAnswer] | None = None,
    parsing: ParsingTurn | None = None,
) -> AsyncGenerator[GuardedChannel]:
    """Yield a channel to a gRPC server: the addresses that were checked are the ones that are connected to.

    Nothing is taken from the environment or from DNS but the addresses: no proxy and no service config.

    Args:
        client: The guarded client, with the rules, the resolver and the TLS settings.
        url: The address, as `grpc_target` reads it.
        credentials_for: Metadata by origin, such as `https://a.example:50051`; each origin gets only its own.
        timeouts: The limits for connecting and for the wait for a message.
        configured: An origin from the operator's configuration; connections to it are allowed at any address.
        headers: Further metadata.
        hold: Returns the memory of an answer; None for no limit.
        parsing: The turn in which large responses are parsed; the code that gets the parsed response ends it.

    Raises:
        ConnectionDenied: If the guard denies the address.
        PeerUnreachable: If the host name cannot be resolved.
        PeerTimeout: If that takes too long.
    """
    timeouts = timeouts or Timeouts()
    parsed = grpc_target(url)
    addresses = await _addresses(client, parsed.target, parsed.safe_url, timeouts, configured)
    target = parsed.at(addresses)
    fields = {**(headers or {}), **client.fields()}
    for origin, own in (credentials_for or {}).items():
        if origin_of(origin) == target.origin:
            fields |= own
    held = None if hold is None else hold()
    channel = _opened(client, target, addresses, timeouts)
    try:
        yield GuardedChannel(channel, _metadata(fields), parsed.safe_url, client, timeouts, held, parsing)
    finally:
        if held is not None:
            held.release()
        await channel.close()


async def _addresses(
    client: GuardedClient, target: Target, safe_url: str, timeouts: Timeouts, configured: str | None
) -> Sequence[Address]:
    try:
        async with asyncio.timeout(timeouts.connect):
            return await client.addresses(target, safe_url, configured=configured)
    except TimeoutError:
        raise PeerTimeout(safe_url, "the host name was not resolved within the time limit") from None
    except OSError:
        raise PeerUnreachable(safe_url, "the host name cannot be resolved") from None


def _opened(
    client: GuardedClient, target: Target, addresses: Sequence[Address], timeouts: Timeouts
) -> grpc.aio.Channel:
    """Return a channel to the addresses, which are tried in turn, under the name of the host."""
    # A target of gRPC has addresses of one family: among those of IPv6, one of IPv4 is mapped (RFC 4291 §2.5.5.2).
    version = max(address.version for address in addresses)
    texts = (
        f"[::ffff:{one}]" if one.version != version else f"[{one}]" if version == 6 else str(one)
        for one in addresses
    )
    listed = ",".join(f"{text}:{target.port}" for text in texts)
    host = f"[{target.host}]" if ":" in target.host else target.host
    options: list[tuple[str, Any]] = [
        ("grpc.default_authority", f"{host}:{target.port}"),
        ("grpc.primary_user_agent", client.user_agent),
        ("grpc.max_receive_message_length", A2A_MESSAGES.max_bytes),
        ("grpc.max_metadata_size", _MAX_METADATA),
        ("grpc.enable_http_proxy", 0),
        NO_COMPRESSION,
        ("grpc.service_config_disable_resolution", 1),
        ("grpc.enable_retries", 0),
        # Another channel to the same address may have other TLS settings.
        ("grpc.use_local_subchannel_pool", 1),
    ]
    if timeouts.connect is not None:
        options.append(("grpc.min_reconnect_backoff_ms", int(timeouts.connect * 1000)))
    name = f"ipv{version}:{listed}"
    if target.scheme != "https":
        return grpc.aio.insecure_channel(name, options=options)
    options.append(("grpc.ssl_target_name_override", target.host))
    return grpc.aio.secure_channel(name, grpc.ssl_channel_credentials(_roots(client)), options=options)


def _roots(client: GuardedClient) -> bytes | None:
    """Return the trusted certificates of the client as PEM; None for those that gRPC has itself."""
    context = client.ssl_context or ssl.create_default_context()
    trusted = context.get_ca_certs(binary_form=True)
    return "".join(map(ssl.DER_cert_to_PEM_cert, trusted)).encode() or None


def _metadata(fields: Mapping[str, str]) -> Metadata:
    """Return header fields as metadata, without those that gRPC cannot send."""
    return tuple(
        (name.lower(), value) for name, value in fields.items() if value.isascii() and value.isprintable()
    )


class GuardedChannel:
    """A channel as generated stubs use it, with metadata for each call, and limits of each message.

    gRPC's own exceptions pass through.

    Args:
        channel: The channel.
        metadata: The metadata of each call.
        safe_url: The address, for messages.
        client: The guarded client: it has the pace of streams.
        timeouts: The limit for the wait for a response.
        held: The memory of an answer; None for no limit.
        parsing: The turn in which large responses are parsed.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        metadata: Metadata,
        safe_url: str,
        client: GuardedClient,
        timeouts: Timeouts,
        held: HeldAnswer | None,
        parsing: ParsingTurn | None,
    ) -> None:
        self._channel = channel
        self._metadata = metadata
        self.safe_url = safe_url
        self._client = client
        self._timeouts = timeouts
        self._held = held
        self._parsing = parsing

    def unary_unary(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, **_: Any
    ) -> Any:
        """Return the callable of a method with one response."""
        opened = self._channel.unary_unary(method, request_serializer)

        async def call(request: Any, *, metadata: Iterable[tuple[str, str]] = (), **_: Any) -> Any:
            content = await opened(request, metadata=self._with(metadata), timeout=self._timeouts.first_byte)
            return (await self._read(content, response_deserializer))[0]

        return call

    def unary_stream(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, **_: Any
    ) -> Any:
        """Return the callable of a method with a stream of responses."""
        opened = self._channel.unary_stream(method, request_serializer)

        def call(request: Any, *, metadata: Iterable[tuple[str, str]] = (), **_: Any) -> _Stream:
            return _Stream(
                opened(request, metadata=self._with(metadata)),
                partial(self._read, deserialize=response_deserializer),
                self._client.pace.stream(),
                self._timeouts.first_byte,
                self.safe_url,
            )

        return call

    async def close(self) -> None:
        """Do nothing: `grpc_channel` closes the channel."""

    def _with(self, metadata: Iterable[tuple[str, str]]) -> Metadata:
        own = dict(metadata)
        return (*own.items(), *((name, value) for name, value in self._metadata if name not in own))

    async def _read(self, content: bytes, deserialize: Any) -> tuple[Any, int]:
        """Return a message and the number of its values.

        Raises:
            BadResponse: If it exceeds a limit, or cannot be parsed.
        """
        if self._held is not None:
            self._held.resize(len(content))
        if self._parsing is not None:
            await self._parsing.begin(len(content))
        try:
            message, values = await off_loop(len(content), _parsed, content, deserialize)
        except DecodeError:
            raise BadResponse(self.safe_url, "not-a-reply", "the response is not a message of A2A") from None
        if values.values > A2A_MESSAGES.max_values:
            raise A2A_MESSAGES.too_many_values(self.safe_url)
        if A2A_MESSAGES.max_text is not None and len(content) - values.file_bytes > A2A_MESSAGES.max_text:
            raise A2A_MESSAGES.too_much_text(self.safe_url)
        return message, values.values


def _parsed(content: bytes, deserialize: Any) -> tuple[Any, Counted]:
    """Return a message, and what it has; with too many fields on the wire, nothing is parsed.

    Raises:
        DecodeError: If it is not a message of the type.
    """
    if has_too_many_fields(content, deserialize.__self__.DESCRIPTOR, A2A_MESSAGES.max_values):
        return None, Counted(A2A_MESSAGES.max_values + 1, 0)
    message = deserialize(content)
    counted = count_values(message, A2A_MESSAGES.max_values)
    encode_files(message)
    return message, counted


class _Stream:
    """The responses of one call, read one by one, at the pace of the client's streams."""

    def __init__(
        self,
        call: Any,
        parse: Callable[[bytes], Awaitable[tuple[Any, int]]],
        allowance: Allowance,
        seconds: float | None,
        safe_url: str,
    ) -> None:
        self._call = call
        self._parse = parse
        self._allowance = allowance
        self._seconds = seconds
        self._safe_url = safe_url

    async def read(self) -> Any:
        """Return the next message, or `END`.

        Raises:
            PeerTimeout: If it takes too long.
            BadResponse: If it exceeds a limit.
        """
        try:
            async with asyncio.timeout(self._seconds):
                content = await self._call.read()
        except TimeoutError:
            raise PeerTimeout(self._safe_url, "no message within the time limit") from None
        if content is END:
            return content
        message, values = await self._parse(content)
        await self._allowance.spend(values + 1)
        return message

    def cancel(self) -> bool:
        """Cancel the call."""
        return bool(self._call.cancel())
