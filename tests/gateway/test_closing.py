"""What is left open where a gateway cannot be closed as it should."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cardwright.errors import StoreError
from cardwright.gateway.replicas import Replicas
from tests.gateway.tasks.owned import function, owned

if TYPE_CHECKING:
    from cardwright.gateway import Gateway
    from cardwright.gateway.tasks.durable import Durable


@pytest.mark.parametrize("cancelled", [False, True], ids=["fails", "is cancelled"])
def test_what_cannot_be_closed_leaves_nothing_else_open(*, cancelled: bool) -> None:
    async def run() -> None:
        begun = asyncio.Event()

        async def close() -> None:
            begun.set()
            if not cancelled:
                raise StoreError("other", "it cannot be closed")
            await asyncio.Event().wait()

        async def work() -> None:
            async with owned({"greeter": function("answer")}) as there:
                durable = there.gateway.durable
                assert durable is not None
                kept.append((there.gateway, durable))
                durable.replicas.close = close  # type: ignore[method-assign]

        kept: list[tuple[Gateway, Durable]] = []
        working = asyncio.create_task(work())
        await begun.wait()
        if cancelled:
            working.cancel()
        await asyncio.wait({working})
        assert working.cancelled() == cancelled
        gateway, durable = kept[0]
        with pytest.raises(StoreError, match="was closed"):
            gateway.registry.store.count()
        assert not Path(str(gateway.registry.store.database.engine.url.database)).parent.exists()
        # What this test has kept from being closed.
        await Replicas.close(durable.replicas)

    asyncio.run(run())
