"""The gRPC server of a gateway."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

import grpc
import grpc.aio

from cardwright.errors import BadConfiguration
from cardwright.guard.grpc_channel import NO_COMPRESSION
from cardwright.regular_file import read_regular_file
from cardwright.serve.listening import HEADER_BYTES, HEADER_MILLISECONDS, PortTaken, free_port
from cardwright_gateway.a2a_server.grpc_methods import METHODS
from cardwright_gateway.api.grpc.call import GrpcCall
from cardwright_gateway.api.grpc.receiving import ReceivingPlaces

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from cardwright_gateway.api.bodies import RequestBodies
    from cardwright_gateway.api.grpc.call import Answer, Identify
    from cardwright_gateway_models.settings.gateway import GrpcSettings

_LOG: Final = logging.getLogger("cardwright_gateway")
_LOOPBACK: Final = "127.0.0.1"
# Calls at one time, those of streams included; each is a task and a few buffers (project decision).
_MAX_CALLS: Final = 4_096
_MAX_CALLS_OF_CONNECTION: Final = 256
# A request is complete within this time, the wait for a place included (project decision).
_REQUEST_SECONDS: Final = 30.0
# After how long a connection without a call is closed, and how often a silent one is tried (project decision).
_IDLE_MILLISECONDS: Final = 300_000
_KEEPALIVE_MILLISECONDS: Final = 60_000
# How long running calls may take when the server stops (project decision).
_STOP_SECONDS: Final = 2.0


class GrpcServer:
    """The gRPC server, for A2A 1.0 and 0.3.

    Args:
        settings: Where it listens.
        answer: Answers a JSON-RPC call.
        identify: Returns the name of a caller.
        bodies: The limits of requests.

    Raises:
        BadConfiguration: If the certificate or its key cannot be read.
    """

    def __init__(
        self, settings: GrpcSettings, answer: Answer, identify: Identify, bodies: RequestBodies
    ) -> None:
        self._settings = settings
        self._answer = answer
        self._identify = identify
        self._bodies = bodies
        self._credentials = _credentials(settings)
        self._server: Any = None
        self._running: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen.

        Raises:
            BadConfiguration: If the address cannot be used.
        """
        # Requests are received before their caller is known: all of them together have no more bytes than bodies may.
        bodies = self._bodies
        places = ReceivingPlaces(bodies.total_bytes // bodies.max_bytes)
        server = grpc.aio.server(
            handlers=[_Service(self._answer, self._identify, self._running, places, bodies)],
            options=[
                ("grpc.max_receive_message_length", bodies.max_bytes),
                ("grpc.max_metadata_size", HEADER_BYTES),
                ("grpc.max_concurrent_streams", _MAX_CALLS_OF_CONNECTION),
                ("grpc.server_handshake_timeout_ms", HEADER_MILLISECONDS),
                # Connections that are not used, or whose other side is gone.
                ("grpc.max_connection_idle_ms", _IDLE_MILLISECONDS),
                ("grpc.keepalive_time_ms", _KEEPALIVE_MILLISECONDS),
                NO_COMPRESSION,
                # Otherwise a second process would listen on the same port without an error.
                ("grpc.so_reuseport", 0),
            ],
            maximum_concurrent_rpcs=_MAX_CALLS,
        )
        host, port = self._settings.host or _LOOPBACK, self._settings.port
        address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        try:
            # gRPC would log a line of its own for a port that is in use.
            free_port(host, port)
            if self._credentials is None:
                server.add_insecure_port(address)
            else:
                server.add_secure_port(address, self._credentials)
        except (PortTaken, RuntimeError):
            raise BadConfiguration(
                "", f"/grpc: cannot listen on {host}, port {port}; choose another port or host"
            ) from None
        await server.start()
        self._server = server

    async def close(self) -> None:
        """Stop: calls that run on after a short time are cancelled."""
        if self._server is not None:
            await self._server.stop(_STOP_SECONDS)
            self._server = None
        if self._running:
            await asyncio.wait(self._running, timeout=_STOP_SECONDS)
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


class _Service(grpc.GenericRpcHandler):  # type: ignore[misc] # grpc has no types
    """The methods of A2A's services, by path."""

    def __init__(
        self,
        answer: Answer,
        identify: Identify,
        running: set[asyncio.Task[None]],
        places: ReceivingPlaces,
        bodies: RequestBodies,
    ) -> None:
        self._answer = answer
        self._identify = identify
        self._running = running
        self._places = places
        self._bodies = bodies

    def service(self, handler_call_details: Any) -> Any:
        """Return the handler of a call; None if there is no such method, and the call is UNIMPLEMENTED."""
        method = METHODS.get(handler_call_details.method)
        if method is None:
            return None

        async def handle(requests: AsyncIterator[bytes], context: Any) -> None:
            call = GrpcCall(method, context.invocation_metadata() or (), context)
            try:
                await self._read(call, requests, context)
                await call.answer(self._answer, self._running)
            except (asyncio.CancelledError, grpc.aio.AbortError):
                raise
            except grpc.aio.InternalError:
                # The caller has left.
                return
            except Exception:  # noqa: BLE001 - the outermost frame: the status has no details of the error
                _LOG.exception("internal error")
                await context.abort(grpc.StatusCode.INTERNAL, "internal error of the gateway")

        # As a stream, a request is read when there is room for it, and a response may be one message or many.
        return grpc.stream_stream_rpc_method_handler(handle)

    async def _read(self, call: GrpcCall, requests: AsyncIterator[bytes], context: Any) -> None:
        """Read the request of a call; if it is too large or too slow, end the call."""
        try:
            async with asyncio.timeout(_REQUEST_SECONDS):
                caller = await self._identify(call.scope(0))
                async with self._places.place(caller, call.address):
                    content = await anext(aiter(requests))
                    await call.read(content, self._bodies, caller)
        except StopAsyncIteration:
            # gRPC has refused a message that is too large, or no message came.
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the request has no message")
        except TimeoutError:
            await context.abort(
                grpc.StatusCode.DEADLINE_EXCEEDED,
                "the request was too slow, or waited too long for slow ones",
            )


def _credentials(settings: GrpcSettings) -> Any:
    """Return the credentials of a TLS server; None for a server without TLS.

    Raises:
        BadConfiguration: If a file cannot be read, or one of the two is missing.
    """
    names = ("private_key", "certificate")
    files = [(name, getattr(settings, name)) for name in names]
    if not any(file for _, file in files):
        return None
    contents: list[bytes] = []
    for name, file in files:
        if file is None:
            raise BadConfiguration("", f"/grpc/{name} is missing; certificate and private_key go together")
        try:
            contents.append(read_regular_file(file))
        except OSError as error:
            reason = error.strerror or str(error)
            raise BadConfiguration("", f"/grpc/{name}: {file}: the file cannot be read: {reason}") from None
    return grpc.ssl_server_credentials([(contents[0], contents[1])])
