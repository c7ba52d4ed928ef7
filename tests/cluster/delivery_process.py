"""A process that delivers webhooks until it is killed; it writes accepted events to a synced file.

`python -m tests.cluster.delivery_process PLACE URL LEDGER COUNT` accepts COUNT events, one after another, and
delivers.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from a2a.types.a2a_pb2 import Task, TaskState, TaskStatus

from tests.gateway.webhooks.receivers import quick, webhook_store

# Short intervals, so that a killed process is noticed soon.
SETTINGS: dict[str, Any] = {"poll_seconds": 0.5, "lost_seconds": 3.0, "heartbeat_seconds": 0.5}


async def work(place: str, url: str, ledger: Path, most: int) -> None:
    """Accept and deliver."""
    config = quick(schedule_seconds=(0.1,) * 5, concurrency=8, timeout_seconds=30.0)
    async with webhook_store(place, config, **SETTINGS) as webhooks:
        with ledger.open("ab", buffering=0) as kept:
            for number in range(most):
                name = f"t{number}-{os.getpid()}"
                await webhooks.listen(name, url)
                status = TaskStatus(state=TaskState.TASK_STATE_COMPLETED)
                task = Task(id=name, context_id="c", status=status)
                await webhooks.save(task)
                # From here on the event is accepted; its delivery starts later.
                kept.write(f"{name}\n".encode())
                os.fsync(kept.fileno())
                await webhooks.service.sender.send_notification(name, task)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])))
