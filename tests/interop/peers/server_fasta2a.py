"""An agent of fasta2a, of 0.x or 2.x. `python server_fasta2a.py PORT`."""

from __future__ import annotations

import asyncio
import sys
import uuid
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fasta2a import FastA2A, Worker
from fasta2a.broker import InMemoryBroker
from fasta2a.storage import InMemoryStorage

STREAMS = hasattr(Worker, "publish_status")


def part(text: str) -> Any:
    return {"text": text} if STREAMS else {"kind": "text", "text": text}


class SampleWorker(Worker[Any]):
    """Its server starts a new task for every message, so no task is continued."""

    async def run_task(self, params: Any) -> None:
        task_id, text = params["id"], params["message"]["parts"][0]["text"]
        await self.storage.update_task(task_id, "working")
        if text == "ask":
            question = {"role": "agent", "parts": [part("which port?")], "message_id": str(uuid.uuid4())}
            question |= {} if STREAMS else {"kind": "message"}
            await self.storage.update_task(task_id, "input-required", new_messages=[question])
        elif text == "wait":
            # A worker runs one task at a time: cancelling one is its next.
            await asyncio.sleep(1)
        else:
            reply = "high water" if text == "task" else f"you said {text}"
            artifact = {"artifact_id": "a", "parts": [part(reply)]}
            if STREAMS:
                await self.publish_artifact(task_id, params["context_id"], artifact)
            await self.storage.update_task(task_id, "completed", new_artifacts=[artifact])

    async def cancel_task(self, params: Any) -> None:
        await self.storage.update_task(params["id"], "canceled")

    def build_message_history(self, history: list[Any]) -> list[Any]:
        return history

    def build_artifacts(self, result: Any) -> list[Any]:
        return [result]


def main(port: int) -> None:
    storage: Any = InMemoryStorage()
    broker = InMemoryBroker()

    @asynccontextmanager
    async def lifespan(app: FastA2A) -> Any:
        async with app.task_manager, SampleWorker(broker=broker, storage=storage).run():
            yield

    skill: Any = {
        "id": "high", "name": "High water", "description": "The next high water.", "tags": ["sea"],
        "input_modes": ["text/plain"], "output_modes": ["text/plain"],
    }  # fmt: skip
    app = FastA2A(
        storage=storage, broker=broker, lifespan=lifespan, name="Tides", url=f"http://127.0.0.1:{port}",
        description="Tells when the water is high.", skills=[skill],
    )  # fmt: skip
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="critical")


if __name__ == "__main__":
    main(int(sys.argv[1]))
