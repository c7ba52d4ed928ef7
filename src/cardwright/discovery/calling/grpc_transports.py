"""The gRPC transports of a2a-sdk over a guarded channel; importing this module imports gRPC."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from a2a.client.transports.grpc import GrpcTransport
from a2a.compat.v0_3.grpc_transport import CompatGrpcTransport

from cardwright.guard.grpc_channel import grpc_channel

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from a2a.client.transports.base import ClientTransport

    from cardwright.guard import GuardedClient


@asynccontextmanager
async def over_grpc(
    client: GuardedClient, url: str, *, is_1_0: bool, **options: Any
) -> AsyncGenerator[ClientTransport]:
    """Yield the transport of a gRPC interface.

    Args:
        client: The guarded client.
        url: The address of the interface.
        is_1_0: Whether the interface has A2A 1.0; otherwise 0.3.
        options: As for `grpc_channel`.

    Raises:
        CardError: As `grpc_channel`.
    """
    async with grpc_channel(client, url, **options) as channel:
        # The transports use its two methods for one request, which the type of gRPC's own channel has too.
        guarded: Any = channel
        yield (GrpcTransport if is_1_0 else CompatGrpcTransport)(guarded, None)
