"""Owner API: tasks of an owner's agents, and their webhooks."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert

from cardwright_gateway.database.tables import DELIVERIES, ENDPOINTS, EVENTS, WEBHOOKS
from tests.gateway.api.owner.response_schemas import check_described
from tests.gateway.tasks.gateways import function, message, owned
from tests.serve.client import Reply, call

if TYPE_CHECKING:
    from tests.gateway.tasks.gateways import Caller, Owned

GOES_ON = asyncio.Event()
WEBHOOK_KEY = {"enabled": True, "encryption_key": "A" * 43}


async def slow(text: str) -> str:
    """Answer when the test says so."""
    await GOES_ON.wait()
    return text


AGENTS = {
    "greeter": function("answer"),
    "slow": function("answer") | {"backend": {"python": f"{__name__}:slow"}},
    "others": function("answer", owner="other"),
}
OWNERS = {"acme": {"name": "Acme"}, "other": {"name": "Other"}}


class Api:
    """The API, as the owner acme."""

    def __init__(self, gateway: Owned) -> None:
        self.gateway = gateway.gateway
        _, self.token = self.gateway.accounts.tokens.issue("acme", actor="test")

    async def ask(self, method: str, path: str) -> Reply:
        headers = {"Authorization": f"Bearer {self.token}"}
        reply = await call(self.gateway, method, f"/api/v1{path}", headers)
        check_described(method, f"/api/v1{path}", reply)
        return reply


async def begun(caller: Caller) -> str:
    immediately = {**message("hi"), "configuration": {"returnImmediately": True}}
    return str((await caller.rpc("SendMessage", immediately))["result"]["task"]["id"])


async def test_an_owner_lists_the_tasks_of_its_agents_without_their_content() -> None:
    async with owned(AGENTS, owners=OWNERS) as gateway:
        api, caller = Api(gateway), await gateway.key("greeter")
        ids = sorted([(await caller.send(text))["id"] for text in ("secret-a", "secret-b", "secret-c")])
        whole = await api.ask("GET", "/agents/greeter/tasks")
        assert [task["id"] for task in whole.json["tasks"]] == ids
        first = whole.json["tasks"][0]
        key = gateway.gateway.keys.list("greeter")[0]
        assert (first["state"], first["caller"]) == ("completed", f"key:{key.id}")
        assert first["updated_at"].endswith("Z")
        assert b"secret" not in whole.body
        page = await api.ask("GET", "/agents/greeter/tasks?page_size=2")
        rest = await api.ask("GET", f"/agents/greeter/tasks?page_token={page.json['next_page_token']}")
        assert [task["id"] for task in page.json["tasks"] + rest.json["tasks"]] == ids
        none = await api.ask("GET", "/agents/greeter/tasks?state=working")
        assert none.json["tasks"] == []
        assert (await api.ask("GET", "/agents/greeter/tasks?state=done")).status == 400
        assert (await api.ask("GET", "/agents/others/tasks")).status == 404


async def test_an_owner_cancels_a_task_of_a_caller_and_the_caller_sees_it() -> None:
    GOES_ON.clear()
    async with owned(AGENTS, owners=OWNERS) as gateway:
        api, caller = Api(gateway), await gateway.key("slow")
        task = await begun(caller)
        cancelled = await api.ask("POST", f"/agents/slow/tasks/{task}/cancel")
        assert (cancelled.status, cancelled.json["state"]) == (200, "canceled")
        seen = (await caller.rpc("GetTask", {"id": task}))["result"]
        assert seen["status"]["state"] == "TASK_STATE_CANCELED"
        again = await api.ask("POST", f"/agents/slow/tasks/{task}/cancel")
        assert (again.status, again.reason) == (409, "TASK_NOT_CANCELABLE")
        assert (await api.ask("POST", f"/agents/greeter/tasks/{task}/cancel")).status == 404
        assert (await api.ask("POST", "/agents/slow/tasks/t-none/cancel")).status == 404


def fill(gateway: Owned, owner: str = "acme") -> None:
    """Store a webhook with an event that was delivered at its second attempt, and one that waits."""
    shared: dict[str, Any] = {"task_id": "t-1", "config_id": "w-1", "agent_id": "greeter"}
    event = shared | {
        "charged_to": owner, "owner": "greeter:key:k", "endpoint": "e", "media_type": "application/json", "unreadable": False,
        "partition": "p", "body": b"secret-body",
    }  # fmt: skip
    attempt = shared | {"event_id": "evt_1", "cause": "schedule", "ended_at": 2.0, "response_bytes": 0}
    with gateway.gateway.registry.store.database.writing() as connection:
        connection.execute(
            insert(WEBHOOKS).values(**shared, owner="greeter:key:k", secrets=None, charged_to=owner)
        )
        connection.execute(insert(ENDPOINTS).values(id="e", why="", disabled_at=5.0))
        for number, state in ((1, "delivered"), (2, "waiting")):
            connection.execute(
                insert(EVENTS).values(
                    **event, id=f"evt_{number}", state=state, attempts=2, created_at=float(number)
                )
            )
        for number, outcome, status, reason in (
            (1, "failed", 503, "the receiver responded with 503"), (2, "delivered", 204, None),
        ):  # fmt: skip
            connection.execute(
                insert(DELIVERIES).values(
                    **attempt, id=f"dlv_{number}", number=number, outcome=outcome, status=status, reason=reason,
                    started_at=float(number), duration_ms=12.5,
                )
            )  # fmt: skip


async def test_an_owner_sees_one_row_for_each_delivery_and_each_attempt() -> None:
    async with owned(AGENTS, owners=OWNERS, webhooks=WEBHOOK_KEY) as gateway:
        api = Api(gateway)
        fill(gateway)
        listed = await api.ask("GET", "/agents/greeter/tasks/t-1/webhooks")
        assert listed.json["webhooks"] == [{
            "id": "w-1", "caller": "key:k", "waiting": 1, "delivered": 1, "dead": 0, "dropped": 0,
            "disabled_at": "1970-01-01T00:00:05Z",
        }]  # fmt: skip
        events = await api.ask("GET", "/agents/greeter/tasks/t-1/webhooks/w-1/events?page_size=1")
        assert [one["id"] for one in events.json["events"]] == ["evt_2"]
        token = events.json["next_page_token"]
        rest = await api.ask("GET", f"/agents/greeter/tasks/t-1/webhooks/w-1/events?page_token={token}")
        assert [(one["id"], one["state"], one["attempts"]) for one in rest.json["events"]] == [
            ("evt_1", "delivered", 2)
        ]
        attempts = await api.ask("GET", "/agents/greeter/tasks/t-1/webhooks/w-1/deliveries")
        assert [(one["status"], one["reason"], one["duration_ms"]) for one in attempts.json["deliveries"]] == [
            (204, None, 12.5), (503, "the receiver responded with 503", 12.5),
        ]  # fmt: skip
        assert b"secret" not in json.dumps([listed.json, events.json]).encode()
        assert (await api.ask("GET", "/agents/greeter/tasks/t-1/webhooks/w-none/events")).status == 404
        assert (await api.ask("GET", "/agents/others/tasks/t-1/webhooks")).status == 404
        assert (await api.ask("GET", "/agents/greeter/tasks/t-none/webhooks")).status == 404


async def test_deliveries_of_a_former_owner_are_hidden_and_not_redelivered() -> None:
    async with owned(AGENTS, owners=OWNERS, webhooks=WEBHOOK_KEY) as gateway:
        api, path = Api(gateway), "/agents/greeter/tasks/t-1/webhooks"
        fill(gateway, "former")
        for method, below in (
            ("GET", ""), ("GET", "/w-1/events"), ("GET", "/w-1/deliveries"), ("POST", "/w-1/deliveries/dlv_1/redeliver"),
        ):  # fmt: skip
            reply = await api.ask(method, path + below)
            assert (reply.status, reply.reason) == (404, "WEBHOOK_NOT_FOUND"), below
