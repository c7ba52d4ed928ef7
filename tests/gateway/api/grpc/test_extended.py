"""The extended card of an upstream agent whose tasks the gateway stores, over gRPC."""

from __future__ import annotations

import pytest
from a2a.compat.v0_3 import a2a_v0_3_pb2
from a2a.types import GetExtendedAgentCardRequest

from tests.gateway.api.test_extended import CREDENTIALS, extended
from tests.gateway.grpc_gateways import serving
from tests.grpc_modules import aio, services, services_of_0_3
from tests.peers import peer


@pytest.mark.parametrize("version", ["1.0", "0.3"])
async def test_the_extended_card_is_returned_over_grpc_too(version: str) -> None:
    async with peer(extended("HTTP+JSON", "1.0")) as there:
        agents = {"tides": {"url": there.origin, "tasks": "own"}}
        async with (
            serving(agents, root="tides") as (_, address),
            aio.insecure_channel(address) as channel,
        ):
            metadata = (("authorization", CREDENTIALS["Authorization"]), ("a2a-version", version))
            if version == "1.0":
                request = GetExtendedAgentCardRequest(tenant="tides")
                card = await services.A2AServiceStub(channel).GetExtendedAgentCard(request, metadata=metadata)
                with pytest.raises(aio.AioRpcError, match="credentials"):
                    await services.A2AServiceStub(channel).GetExtendedAgentCard(request)
            else:
                older = services_of_0_3.A2AServiceStub(channel)
                card = await older.GetAgentCard(a2a_v0_3_pb2.GetAgentCardRequest(), metadata=metadata)
            assert str(card.name) == "Tides for friends"
