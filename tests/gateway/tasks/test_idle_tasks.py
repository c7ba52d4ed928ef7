"""Tasks of a live process that no longer runs them, since their final state could not be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright_gateway.tasks.retention import TaskCleaner
from tests.gateway.tasks.gateways import function, message, owned

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_task_that_its_process_no_longer_runs_fails_after_two_checks(tmp_path: Path) -> None:
    immediately = {**message("never"), "configuration": {"returnImmediately": True}}
    async with owned({"slow": function("forever")}, store=str(tmp_path / "gateway.db")) as gateway:
        durable = gateway.gateway.task_service
        assert durable is not None
        caller = await gateway.key("slow")
        lost, goes_on = [
            (await caller.rpc("SendMessage", immediately))["result"]["task"]["id"] for _ in range(2)
        ]
        own = durable.replicas.id
        # A cleaner of this test: that of the gateway runs at its own times.
        sweeper = TaskCleaner(gateway.gateway.registry.store.database, durable.storage, retention_seconds=1e6)

        async def ended(*running: str) -> int:
            found = await sweeper.lost([], own, running)
            return sum([await sweeper.end(one) for one in found])

        # One check is not enough: a final state is written a moment after the end.
        assert await ended(goes_on) == 0
        assert await ended(goes_on, lost) == 0
        assert await ended(goes_on) == 0
        assert await ended(goes_on) == 1
        states = [
            (await caller.rpc("GetTask", {"id": one}))["result"]["status"]["state"] for one in (lost, goes_on)
        ]
        assert states == ["TASK_STATE_FAILED", "TASK_STATE_WORKING"]
