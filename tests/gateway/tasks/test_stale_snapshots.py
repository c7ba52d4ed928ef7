"""A stale task snapshot of an agent that continues a task, as @a2a-js/sdk sends it, does not end the turn."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cards import least_card
from tests.gateway.tasks.gateways import TERMINAL, owned
from tests.gateway.tasks.test_open_turns import JSON
from tests.peers import RecordedRequest, Reply, peer

ASKS = "TASK_STATE_INPUT_REQUIRED"


def agent(request: RecordedRequest) -> Reply:
    """Ask for a port; after the answer, send the task as it was, and then its end, unless the answer is `again`."""
    if request.method == "GET":
        card = least_card(f"http://{request.headers['host']}/", capabilities={"streaming": True})
        return Reply(200, json.dumps(card).encode(), JSON)
    call = json.loads(request.body)
    assert call["method"] == "SendStreamingMessage"
    sent = call["params"]["message"]
    status = {
        "state": ASKS,
        "message": {"messageId": "q", "role": "ROLE_AGENT", "parts": [{"text": "where?"}]},
    }
    ids = {"taskId": "behind", "contextId": "c"}
    events: list[Any] = [{"task": {"id": "behind", "contextId": "c", "status": status}}]
    if sent.get("taskId") and sent["parts"] != [{"text": "again"}]:
        artifact = {"artifactId": "a", "parts": sent["parts"]}
        events += [
            {"artifactUpdate": {**ids, "artifact": artifact}},
            {"statusUpdate": {**ids, "status": {"state": TERMINAL}}},
        ]
    lines = (json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": event}) for event in events)
    body = "".join(f"data: {line}\n\n" for line in lines).encode()
    return Reply(200, body, {"Content-Type": "text/event-stream"})


@pytest.mark.parametrize(("answer", "state"), [("Oban", TERMINAL), ("again", ASKS)])
async def test_a_stale_task_snapshot_does_not_end_the_turn(answer: str, state: str) -> None:
    async with peer(agent) as there, owned({"tides": {"url": there.origin, "tasks": "own"}}) as gateway:
        caller = gateway.anonymous("tides")
        task = await caller.send("high water")
        assert task["status"]["state"] == ASKS
        ids = {"taskId": task["id"], "contextId": task["contextId"]}
        again = await caller.send(answer, **ids)
        assert again["id"] == task["id"]
        assert again["status"]["state"] == state
        parts = [part for one in again.get("artifacts", ()) for part in one["parts"]]
        assert parts == ([{"text": "Oban"}] if state == TERMINAL else [])
