"""Callers that send messages with webhooks without a pause, and record what was accepted."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp

from tests.gateway.tasks.gateways import message
from tests.gateway.webhooks.receivers import json_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from tests.cluster.replicas import Caller, Replica
    from tests.gateway.webhooks.receivers import Received


@dataclass
class Load:
    """Callers of one agent.

    Attributes:
        replicas: Where they call, in turn; changed while they do.
        ledger: A file of the ids of accepted tasks, synced line by line.
        url: The webhook for the ends of their tasks.
        answers: The number of each response: a status, the reason of a refusal, or `broken`.
        unclean: Responses that are neither a task nor a refusal with Retry-After.
    """

    caller: Caller
    replicas: list[Replica]
    ledger: Path
    url: str
    answers: Counter[str] = field(default_factory=Counter[str])
    unclean: list[Any] = field(default_factory=list[Any])
    accepted: list[str] = field(default_factory=list[str])
    longest: float = 0.0
    _file: Any = None
    _sent: int = 0

    async def more(self, count: int) -> None:
        """Wait until so many more were accepted."""
        wanted = len(self.accepted) + count
        async with asyncio.timeout(60):
            while len(self.accepted) < wanted:  # noqa: ASYNC110 - many callers change it
                await asyncio.sleep(0.02)

    async def once(self) -> None:
        """Send one message."""
        self._sent += 1
        at = self.replicas[self._sent % len(self.replicas)]
        configuration = {
            # Half of them do not wait for the end.
            "returnImmediately": self._sent % 2 == 0,
            "taskPushNotificationConfig": {"url": self.url},
        }
        params = {**message(f"{self._sent} words"), "configuration": configuration}
        began = asyncio.get_running_loop().time()
        try:
            answer = await self.caller.rpc(at, "SendMessage", params)
        except (aiohttp.ClientError, ValueError, TimeoutError):
            self.answers["broken"] += 1
            await asyncio.sleep(0.05)
            return
        self.longest = max(self.longest, asyncio.get_running_loop().time() - began)
        if "result" in answer:
            task_id = answer["result"]["task"]["id"]
            self._file.write(f"{task_id}\n".encode())
            os.fsync(self._file.fileno())
            self.accepted.append(task_id)
            self.answers["accepted"] += 1
            # The starting replica needs processor time, too.
            await asyncio.sleep(0.05)
            return
        reason = answer["error"]["data"][0]["reason"]
        self.answers[f"{answer['status']} {reason}"] += 1
        if reason not in ("NOT_READY", "RATE_LIMITED"):
            self.unclean.append(answer)
        await asyncio.sleep(0.05)

    @asynccontextmanager
    async def going(self, callers: int = 6) -> AsyncGenerator[Load]:
        """Send until the block ends; started calls finish."""
        on = True

        async def go() -> None:
            while on:
                await self.once()

        with self.ledger.open("ab", buffering=0) as self._file:
            tasks = [asyncio.create_task(go()) for _ in range(callers)]
            try:
                yield self
            finally:
                on = False
                await asyncio.gather(*tasks)

    def lost(self, received: list[Received]) -> set[str]:
        """Return the accepted tasks whose final state the receiver did not get."""
        kept = set(self.ledger.read_text().split())
        return kept - {json_of(one)["task"]["id"] for one in received}


def twice(received: list[Received]) -> int:
    """Return the number of duplicate deliveries."""
    return len(received) - len({one.event_id for one in received})
