"""What is delivered: bodies, header fields, and what becomes of failures."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.gateway.webhooks.receiving import AGENT, house, json_of, receiver

if TYPE_CHECKING:
    from pathlib import Path


def test_a_task_that_ends_is_told_once(tmp_path: Path) -> None:
    async def scene() -> None:
        async with receiver() as hook, house(tmp_path / "store") as home:
            task = await home.task()
            await home.listen(task.id, f"{hook.origin}/hook")
            await home.tell(task)
            await home.tell(task)
            (came,) = await hook.until(1)
            await home.until("delivered", task.id)
            assert json_of(came) == {
                "task": {"id": task.id, "contextId": "c", "status": {"state": "TASK_STATE_COMPLETED"}}
            }
            assert came.field("content-type") == "application/a2a+json"
            (attempt,) = await home.attempts(task.id)
            assert (attempt.outcome, attempt.status_class, attempt.cause) == ("delivered", 2, "schedule")
            assert home.outcomes == ["delivered"]
            assert len(hook.received) == 1
            assert attempt.agent_id == AGENT

    asyncio.run(scene())
