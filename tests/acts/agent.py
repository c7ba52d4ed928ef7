"""The upstream agent for ACTS; the prefix of a message selects its behaviour. `python -m tests.acts.agent PORT`."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Final

import uvicorn
from a2a.helpers import new_data_part, new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryPushNotificationConfigStore, InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Part
from starlette.applications import Starlette

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from a2a.server.events import EventQueue

# The suites poll for some seconds.
_WORK_SECONDS: Final = 1.5
_FILE: Final = Part(raw=b"made by an agent", filename="output.txt", media_type="text/plain")
_LINK: Final = Part(url="https://example.com/output.txt", filename="output.txt", media_type="text/plain")
# The pieces of the artifact for each prefix, the longer prefixes first.
ARTIFACTS: Final[Mapping[str, Sequence[Part]]] = {
    "tck-artifact-text": (new_text_part("Generated text content"),),
    "tck-artifact-file-url": (_LINK,),
    "tck-artifact-file": (_FILE,),
    "tck-artifact-data": (new_data_part({"key": "value", "count": 42}),),
    "tck-stream-basic": (new_text_part("Streamed content"),),
    "tck-stream-chunked": (new_text_part("one "), new_text_part("two "), new_text_part("three")),
}


class Scripted(AgentExecutor):
    """Does what the first words of a message ask for."""

    def __init__(self) -> None:
        self._open: dict[str, asyncio.Event] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answer one message."""
        text, task = context.get_user_input(), context.current_task
        if text.startswith("tck-message-response"):
            await event_queue.enqueue_event(
                new_text_message("A direct message", context_id=context.context_id)
            )
            return
        if task is None:
            assert context.message is not None
            task = new_task_from_user_message(context.message)
            await event_queue.enqueue_event(task)
        # A conversation continues until the message that ends it.
        is_last = context.current_task is None or "done" in text
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        if text.startswith("tck-reject-task"):
            await updater.reject(updater.new_agent_message([new_text_part("rejected")]))
            return
        await updater.start_work()
        if text.startswith("tck-task-failure"):
            await updater.failed(updater.new_agent_message([new_text_part("it failed")]))
        elif text.startswith("tck-auth-required"):
            await updater.requires_auth(updater.new_agent_message([new_text_part("sign in")]))
        elif text.startswith(("tck-multi-turn", "tck-input-required")) or not is_last:
            await updater.requires_input(updater.new_agent_message([new_text_part("And then?")]))
        elif text.startswith(("tck-cancel", "tck-long-running")):
            await self._work(updater, None if text.startswith("tck-cancel") else _WORK_SECONDS)
        else:
            await self._complete(text, updater)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Cancel a task."""
        task_id = context.task_id or ""
        await TaskUpdater(event_queue, task_id, context.context_id or "").cancel()
        if task_id in self._open:
            self._open[task_id].set()

    async def _work(self, updater: TaskUpdater, seconds: float | None) -> None:
        cancelled = self._open[updater.task_id] = asyncio.Event()
        try:
            async with asyncio.timeout(seconds):
                await cancelled.wait()
        except TimeoutError:
            await updater.add_artifact([new_text_part("done")], artifact_id="output")
            await updater.complete(updater.new_agent_message([new_text_part("done")]))
        finally:
            del self._open[updater.task_id]

    async def _complete(self, text: str, updater: TaskUpdater) -> None:
        pieces = next((parts for prefix, parts in ARTIFACTS.items() if text.startswith(prefix)), ())
        for index, piece in enumerate(pieces):
            last = index + 1 == len(pieces)
            await updater.add_artifact([piece], artifact_id="output", append=index > 0, last_chunk=last)
        await updater.complete(updater.new_agent_message([new_text_part("done")]))


def application(url: str) -> Starlette:
    """Return the agent on a2a-sdk's own server."""
    card = AgentCard(
        name="ACTS",
        description="Does what the A2A conformance tests ask for.",
        version="1.0.0",
        supported_interfaces=[
            AgentInterface(url=url, protocol_binding=binding, protocol_version="1.0")
            for binding in ("JSONRPC", "HTTP+JSON")
        ],
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="acts", name="ACTS", description="Is tested.", tags=["acts"])],
    )
    handler = DefaultRequestHandler(
        Scripted(), InMemoryTaskStore(), card, push_config_store=InMemoryPushNotificationConfigStore()
    )
    routes = [
        *create_agent_card_routes(card),
        *create_jsonrpc_routes(handler, "/"),
        *create_rest_routes(handler),
    ]
    return Starlette(routes=routes)


if __name__ == "__main__":
    PORT = int(sys.argv[1])
    uvicorn.run(application(f"http://127.0.0.1:{PORT}"), host="127.0.0.1", port=PORT, log_level="critical")
