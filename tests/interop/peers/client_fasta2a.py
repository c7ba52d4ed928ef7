"""The client of fasta2a, of 0.x or 2.x."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import scenario
from fasta2a.client import A2AClient
from fasta2a.schema import agent_card_ta

STREAMS = hasattr(A2AClient, "stream_message")
# From a 2.x client: it finds no field that it knows.
MIXED = "it calls the methods of A2A 0.3 and reads the objects of 1.0"


class Sdk:
    # Its client sends messages and gets tasks; since 2.0 it also streams.
    absent = (
        "HTTP+JSON", "gRPC", "list tasks", "cancel", "resubscribe", "push set", "push get", "push list",
        "push delete", "extended card", *(() if STREAMS else ("stream",)),
    )  # fmt: skip

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.client = A2AClient(given["base"], httpx.AsyncClient(timeout=30))
        self.sent = 0

    def message(self, text: str) -> Any:
        self.sent += 1
        kind = {"kind": "message"} if not STREAMS else {}
        part = {"kind": "text", "text": text} if not STREAMS else {"text": text}
        return {"role": "user", "parts": [part], "message_id": f"m-{self.sent}", **kind}

    async def card(self) -> str:
        response = await self.client.http_client.get("/.well-known/agent-card.json")
        return agent_card_ta.validate_json(response.content)["name"]

    async def result(self, text: str) -> Any:
        task = await self.client.send_message(self.message(text))
        assert "result" in task, str(task.get("error"))
        assert not STREAMS or {"message", "task"} & task["result"].keys(), MIXED
        return task["result"]

    async def send(self, text: str, _: str = "JSONRPC") -> str:
        task = await self.result(text)
        message = task.get("message", task)
        return message["parts"][0]["text"]

    async def stream(self, text: str) -> list[str]:
        updates: list[str] = []
        async for one in self.client.stream_message(self.message(text)):
            event = one["result"]
            assert {"task", "status_update", "artifact_update"} & event.keys(), MIXED
            if "task" in event:
                updates += [event["task"]["id"], event["task"]["status"]["state"]]
            elif "status_update" in event:
                updates.append(event["status_update"]["status"]["state"])
            else:
                updates += [part["text"] for part in event["artifact_update"]["artifact"]["parts"]]
        return updates

    async def open(self) -> str:
        task = await self.result("ask")
        return task.get("task", task)["id"]

    async def get(self, task_id: str) -> tuple[str, str]:
        stored = await self.client.get_task(task_id)
        assert "result" in stored, str(stored.get("error"))
        task = stored["result"]
        return task["status"]["state"], "".join(
            p["text"] for one in task.get("artifacts", ()) for p in one["parts"]
        )


if __name__ == "__main__":
    asyncio.run(scenario.main("fasta2a", Sdk))
