"""A client of the A2A interface of a card, for what follows a message: reading, listing and cancelling tasks."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from cardwright.discovery.calling.exchange import Call
from cardwright.discovery.protocol_support import called
from cardwright.discovery.selection import select_interface
from cardwright.extras import requires_extra
from cardwright.guard import Timeouts

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from cardwright.card import Card
    from cardwright.discovery.calling.a2a_client import A2aClient
    from cardwright.guard import GuardedClient


@asynccontextmanager
async def connected(
    card: Card,
    client: GuardedClient,
    *,
    credentials: Mapping[str, Mapping[str, str]],
    timeout_seconds: float = 60.0,
) -> AsyncGenerator[A2aClient]:
    """Yield a client of the A2A interface that `call_agent` would select; errors are those of `call_agent`.

    Args:
        card: The card of the agent.
        client: The guarded HTTP client.
        credentials: Header fields by origin; each origin gets only its own.
        timeout_seconds: The limit for the wait between bytes.

    Raises:
        CardError: As `call_agent`.
    """
    selection = select_interface(card, supported=[one for one in called() if one.protocol == "a2a"])
    timeouts = Timeouts(first_byte=timeout_seconds, total=None)
    call = Call(client, selection, (), credentials, timeouts, None, None, stream=False)
    interface = selection.interface
    with requires_extra("grpc" if interface.binding == "GRPC" else "a2a"):
        from cardwright.discovery.calling.a2a_client import A2aClient, failure
    async with A2aClient.connect(
        client,
        url=interface.url,
        binding=interface.binding,
        version=interface.version,
        tenant=interface.tenant,
        credentials=credentials,
        timeouts=timeouts,
        configured=None,
    ) as opened:
        try:
            yield opened
        except Exception as error:  # a2a-sdk parses a remote response: it may raise anything
            raise failure(error, call.safe_url) from error
