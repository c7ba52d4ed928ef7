"""Webhooks of managed tasks: signed, in the configured version, and redelivered on request."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web

from cardwright.errors import BadConfiguration
from cardwright_gateway import verify_webhook
from tests.gateway.tasks.gateways import function, message, owned
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from tests.gateway.tasks.gateways import Caller, Owned

SECRET = "a-secret-of-this-test"  # noqa: S105 - of this test alone


class Receiver:
    """The webhook receiver of a caller."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[tuple[dict[str, str], bytes]] = asyncio.Queue()
        self.url = ""

    async def hear(self, request: web.Request) -> web.Response:
        await self.heard.put((dict(request.headers), await request.read()))
        return web.Response(status=204)


async def receiving() -> AsyncGenerator[Receiver]:
    receiver = Receiver()
    application = web.Application()
    application.router.add_post("/hook", receiver.hear)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    receiver.url = f"http://127.0.0.1:{port}/hook"
    try:
        yield receiver
    finally:
        await runner.cleanup()


def webhook_settings(receiver: Receiver) -> dict[str, Any]:
    port = int(receiver.url.rpartition(":")[2].partition("/")[0])
    return {"webhooks": {"allow": ["127.0.0.0/8"], "ports": [port]}}


@pytest.mark.parametrize("old", [False, True], ids=["1.0", "0.3"])
async def test_the_final_state_of_a_task_is_published_with_a_signature(*, old: bool) -> None:
    async for receiver in receiving():
        async with owned({"greeter": function("answer")}, **webhook_settings(receiver)) as gateway:
            caller = await gateway.key("greeter")
            config = {"url": receiver.url, "token": "t-1", "secret": SECRET}
            if old:
                params = message("two words")
                params["message"] |= {"role": "user", "parts": [{"kind": "text", "text": "two words"}]}
                params["configuration"] = {"pushNotificationConfig": config}
                answer = await caller.rpc("message/send", params, **{"A2A-Version": "0.3"})
                task_id = answer["result"]["id"]
            else:
                params = {**message("two words"), "configuration": {"taskPushNotificationConfig": config}}
                task_id = (await caller.rpc("SendMessage", params))["result"]["task"]["id"]
            async with asyncio.timeout(20):
                headers, body = await receiver.heard.get()
            assert verify_webhook(body, headers, [SECRET]).startswith("body_")
            assert headers["X-A2A-Notification-Token"] == "t-1"
            value = json.loads(body)
            task = value if old else value["task"]
            assert (task["id"], task["status"]["state"]) == (
                task_id,
                "completed" if old else "TASK_STATE_COMPLETED",
            )
            assert SECRET.encode() not in body


async def test_a_webhook_configuration_is_stored_listed_and_deleted_without_secret() -> None:
    async for receiver in receiving():
        async with owned({"slow": function("forever")}, **webhook_settings(receiver)) as gateway:
            caller = await gateway.key("slow")
            immediately = {**message("never"), "configuration": {"returnImmediately": True}}
            task_id = (await caller.rpc("SendMessage", immediately))["result"]["task"]["id"]
            created = await caller.rpc(
                "CreateTaskPushNotificationConfig",
                {"taskId": task_id, "url": receiver.url, "secret": [SECRET, f"{SECRET}-2"]},
            )
            config_id = created["result"]["id"]
            named = {"taskId": task_id, "id": config_id}
            got = await caller.rpc("GetTaskPushNotificationConfig", named)
            assert got["result"]["url"] == receiver.url
            listed = await caller.rpc("ListTaskPushNotificationConfigs", {"taskId": task_id})
            assert [one["id"] for one in listed["result"]["configs"]] == [config_id]
            assert SECRET not in json.dumps([created, got, listed])
            await caller.rpc("CancelTask", {"id": task_id})
            async with asyncio.timeout(20):
                headers, body = await receiver.heard.get()
            for secret in (SECRET, f"{SECRET}-2"):
                verify_webhook(body, headers, [secret])
            deleted = await caller.rpc("DeleteTaskPushNotificationConfig", named)
            assert deleted["result"] is None
            listed = await caller.rpc("ListTaskPushNotificationConfigs", {"taskId": task_id})
            assert not listed["result"].get("configs")


@pytest.mark.parametrize(
    "config",
    [
        {"url": "http://169.254.169.254/hook"},
        {"url": "https://10.0.0.1/hook"},
        {"url": "file:///etc/passwd"},
        {"url": "https://example.com/hook", "secret": "short"},
        {"url": "https://example.com/hook", "secret": {"a": 1}},
        {"url": "https://example.com/hook", "secret": ["a-secret-of-this-test"] * 5},
    ],
    ids=lambda config: str(config.get("secret", config["url"]))[:30],
)
async def test_an_invalid_webhook_configuration_is_refused_before_a_task_starts(
    config: dict[str, Any],
) -> None:
    async with owned({"greeter": function("answer")}, webhooks={}) as gateway:
        caller = await gateway.key("greeter")
        params = {**message("two words"), "configuration": {"taskPushNotificationConfig": config}}
        answer = await caller.rpc("SendMessage", params)
        assert answer["error"]["code"] == -32602
        assert "169.254" not in answer["error"]["message"]
        assert (await caller.rpc("ListTasks", {}))["result"]["tasks"] == []


async def test_a_refused_replacement_keeps_the_earlier_webhook_configuration() -> None:
    async for receiver in receiving():
        async with owned({"slow": function("forever")}, **webhook_settings(receiver)) as gateway:
            caller = await gateway.key("slow")
            immediately = {**message("never"), "configuration": {"returnImmediately": True}}
            task_id = (await caller.rpc("SendMessage", immediately))["result"]["task"]["id"]
            config = {"taskId": task_id, "id": "w", "url": receiver.url, "token": "t-1"}
            create = "CreateTaskPushNotificationConfig"
            made = await caller.rpc(create, {**config, "secret": SECRET})
            refused = await caller.rpc(create, {**config, "secret": "short"})
            assert refused["error"]["code"] == -32602
            assert made["result"] == {"taskId": task_id, "id": "w", "url": receiver.url}
            await caller.rpc("CancelTask", {"id": task_id})
            async with asyncio.timeout(20):
                headers, body = await receiver.heard.get()
            verify_webhook(body, headers, [SECRET])
            assert headers["X-A2A-Notification-Token"] == "t-1"


async def test_a_gateway_with_a_wrong_encryption_key_does_not_start(tmp_path: Path) -> None:
    async def opened(key: bytes) -> None:
        webhooks = {"encryption_key": base64.b64encode(key).decode()}
        agents = {"slow": function("forever")}
        async with owned(agents, webhooks=webhooks, store=str(tmp_path / "store")) as gateway:
            caller = await gateway.key("slow")
            config = {"url": "https://93.184.216.34/hook"}
            configured = {"returnImmediately": True, "taskPushNotificationConfig": config}
            await caller.rpc("SendMessage", {**message("never"), "configuration": configured})

    await opened(b"1" * 32)
    with pytest.raises(BadConfiguration, match="encryption_key"):
        await opened(b"2" * 32)
    await opened(b"1" * 32)


async def test_two_gateways_in_one_process_deliver_their_own_events() -> None:
    async for receiver in receiving():
        agents = {"greeter": function("answer")}
        async with (
            owned(agents, **webhook_settings(receiver)) as one,
            owned(agents, **webhook_settings(receiver)) as other,
        ):
            for gateway in (one, other):
                caller = await gateway.key("greeter")
                params = {"configuration": {"taskPushNotificationConfig": {"url": receiver.url}}}
                await caller.rpc("SendMessage", {**message("two words"), **params})
                async with asyncio.timeout(20):
                    await receiver.heard.get()


async def waiting_task(gateway: Owned) -> tuple[Caller, str]:
    """Start a task of an agent that never answers; return its caller and its id."""
    caller = await gateway.key("slow")
    immediately = {**message("never"), "configuration": {"returnImmediately": True}}
    return caller, (await caller.rpc("SendMessage", immediately))["result"]["task"]["id"]


async def test_a_configuration_is_deleted_over_rest_of_0_3() -> None:
    async for receiver in receiving():
        async with owned({"slow": function("forever")}, **webhook_settings(receiver)) as gateway:
            caller, task_id = await waiting_task(gateway)
            old = {"A2A-Version": "0.3"}
            params = {"taskId": task_id, "pushNotificationConfig": {"id": "w", "url": receiver.url}}
            await caller.rpc("tasks/pushNotificationConfig/set", params, **old)
            path = f"/slow/v1/tasks/{task_id}/pushNotificationConfigs/w"
            deleted = await call(gateway.gateway, "DELETE", path, {**caller.credentials, **old})
            assert (deleted.status, deleted.json) == (200, {})
            listed = await caller.rpc("tasks/pushNotificationConfig/list", {"id": task_id}, **old)
            assert listed["result"] == []
            stranger = await call(gateway.gateway, "DELETE", path, old)
            other = await call(
                gateway.gateway, "DELETE", path.replace(task_id, "other"), {**caller.credentials, **old}
            )
            assert (stranger.status, other.status) == (401, 404)


EMPTY: list[dict[str, Any]] = [{}, {"scheme": ""}, {"schemes": []}, {"schemes": [""], "credentials": ""}]


@pytest.mark.parametrize("authentication", EMPTY)
async def test_an_empty_authentication_of_a_configuration_is_absent(authentication: dict[str, Any]) -> None:
    async for receiver in receiving():
        async with owned({"slow": function("forever")}, **webhook_settings(receiver)) as gateway:
            caller, task_id = await waiting_task(gateway)
            config = {"url": receiver.url, "authentication": dict(authentication)}
            nested = {"taskId": task_id, "pushNotificationConfig": config}
            old = {"A2A-Version": "0.3"}
            created = [
                await caller.rpc("CreateTaskPushNotificationConfig", {**config, "taskId": task_id}),
                await caller.rpc("tasks/pushNotificationConfig/set", nested, **old),
            ]
            assert [sorted(one["result"]) for one in created] == [
                ["id", "taskId", "url"],
                ["pushNotificationConfig", "taskId"],
            ]
            path = f"tasks/{task_id}/pushNotificationConfigs"
            parent = {"parent": f"tasks/{task_id}"}
            rest = [
                await caller.at(path, config),
                await caller.at(f"v1/{path}", {**parent, "config": {"pushNotificationConfig": config}}),
            ]
            assert [one.status for one in rest] == [200, 200]
            sent = {"returnImmediately": True, "taskPushNotificationConfig": config}
            task = (await caller.rpc("SendMessage", {**message("also"), "configuration": sent}))["result"]
            stored = await caller.rpc("ListTaskPushNotificationConfigs", {"taskId": task["task"]["id"]})
            assert "authentication" not in stored["result"]["configs"][0]


async def test_credentials_without_a_scheme_are_still_refused() -> None:
    async with owned({"slow": function("forever")}, webhooks={}) as gateway:
        caller, task_id = await waiting_task(gateway)
        config = {
            "taskId": task_id,
            "url": "https://example.com/",
            "authentication": {"credentials": "c"},
        }
        assert (await caller.rpc("CreateTaskPushNotificationConfig", config))["error"]["code"] == -32602
