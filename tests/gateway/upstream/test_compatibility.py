"""Fixes of agents' responses and callers' requests, so that both conform to A2A."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from a2a.server.tasks import InMemoryPushNotificationConfigStore

from cardwright.errors import BadConfiguration
from cardwright_gateway.a2a.calls import older_query
from cardwright_gateway.a2a_server.memory_store import MemoryTaskStore
from cardwright_gateway.a2a_server.stores import TaskStores
from cardwright_gateway.upstream.errors import MESSAGES
from tests.gateway.a2a_server.endpoints import a2a_endpoint, old_message
from tests.gateway.a2a_server.endpoints import card as backend
from tests.gateway.a2a_server.endpoints import rpc as endpoint_rpc
from tests.gateway.faulty_agents import CARD, card, served
from tests.gateway.gateways import AGENTS, JSON, gateway
from tests.gateway.processes import in_process
from tests.peers import Reply, peer
from tests.serve.client import call

if TYPE_CHECKING:
    from tests.peers import RecordedRequest

OLDER = {"Content-Type": "application/json"}


def passed_on(answer: dict[str, Any], method: str, headers: dict[str, str]) -> Any:
    """Return what a caller receives for a response of an agent."""

    async def run() -> Any:
        def how(request: RecordedRequest) -> Reply:
            return served(card(f"http://{request.headers['host']}") if request.path == CARD else answer)

        async with peer(how) as there, in_process({"tides": {"url": there.origin}}) as running:
            call_body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {}}
            reply = await call(running, "POST", "/agents/tides", headers, body=json.dumps(call_body).encode())
            return json.loads(reply.body)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("method", "headers", "code"), [("message/send", OLDER, -32602), ("SendMessage", JSON, -32600)]
)
def test_invalid_request_of_an_agent_becomes_invalid_params_in_0_3(
    method: str, headers: dict[str, str], code: int
) -> None:
    error = {"code": -32600, "message": "Invalid Request", "data": "message: Field required"}
    result_error = passed_on({"jsonrpc": "2.0", "id": 1, "error": error}, method, headers)["error"]
    messages = {-32602: "Invalid method parameters", -32600: "Request payload validation error"}
    assert result_error == {"code": code, "message": messages[code]}


@pytest.mark.parametrize("code", [-32601, -32602, -32001, -32603])
def test_other_error_codes_of_agents_are_passed_on(code: int) -> None:
    error = {"code": code, "message": "no"}
    result_error = passed_on({"jsonrpc": "2.0", "id": 1, "error": error}, "message/send", OLDER)
    assert result_error["error"] == {"code": code, "message": MESSAGES[code]}


def test_a_missing_result_is_null() -> None:
    answer = {"jsonrpc": "2.0", "id": 1}
    method = "tasks/pushNotificationConfig/delete"
    assert passed_on(answer, method, OLDER) == {"jsonrpc": "2.0", "id": 1, "result": None}


@pytest.mark.parametrize(
    ("path", "query", "read"),
    [
        ("/v1/tasks/t", b"history_length=2", b"historyLength=2"),
        ("/v1/tasks/t", b"a=1&history_length=2", b"a=1&historyLength=2"),
        ("/v1/tasks/t", b"history_length=2&historyLength=3", b"history_length=2&historyLength=3"),
        ("/v1/tasks/t", b"my_history_length=2", b"my_history_length=2"),
        ("/v1/tasks/t", b"", b""),
        ("/tasks/t", b"history_length=2", b"history_length=2"),
    ],
)
def test_history_length_has_two_names_in_0_3(path: str, query: bytes, read: bytes) -> None:
    assert older_query(path, query) == read


async def test_an_upstream_agent_gets_the_standard_name_of_history_length() -> None:
    def how(request: RecordedRequest) -> Reply:
        return served(card(f"http://{request.headers['host']}") if request.path == CARD else {"id": "t"})

    async with peer(how) as there, in_process({"tides": {"url": there.origin}}) as running:
        await call(running, "GET", "/agents/tides/v1/tasks/t?history_length=2")
        assert there.paths[-1] == "/v1/tasks/t?historyLength=2"


async def test_a_message_of_0_3_without_a_role_is_refused_over_rest() -> None:
    async with gateway() as running:
        body = {"message": {"message_id": "m", "content": [{"text": "hello"}]}}
        reply = await running("POST", "/greeter/v1/message:send", OLDER, json.dumps(body).encode())
        status, response = reply.status, json.loads(reply.body)
    assert (status, response["error"]["details"][1]["fieldViolations"][0]["field"]) == (400, "/message/role")


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        ({}, "application/json"),
        ({"Accept": "*/*"}, "application/json"),
        ({"Accept": "application/a2a+json"}, "application/a2a+json"),
    ],
)
async def test_rest_errors_are_json_unless_the_caller_accepts_another_type(
    headers: dict[str, str], kind: str
) -> None:
    async with gateway() as running:
        reply = await running("GET", "/greeter/tasks/none", {"A2A-Version": "1.0", **headers})
    assert (reply.status, reply.headers["content-type"]) == (404, kind)


@pytest.mark.parametrize(
    ("version", "older", "newer"),
    [(None, True, True), ("hybrid", True, True), ("1.0", False, True), ("0.3", True, False)],
)
def test_the_default_card_version_is_a_setting_of_the_operator(
    version: str | None, *, older: bool, newer: bool
) -> None:
    async def run() -> Any:
        agent = {**AGENTS["greeter"], **({"card_version": version} if version else {})}
        async with gateway(agents={"greeter": agent}) as running:
            response = await running("GET", "/greeter/.well-known/agent-card.json")
            named = [
                await running("GET", "/greeter/.well-known/agent-card.json", {"A2A-Version": one})
                for one in ("0.3", "1.0", "0.2")
            ]
            return [one.json for one in (response, *named)]

    response, named, newest, unsupported = asyncio.run(run())
    assert ("protocolVersion" in response, "supportedInterfaces" in response) == (older, newer)
    # A requested version is served, whatever the default.
    assert named["protocolVersion"].startswith("0.3")
    assert "supportedInterfaces" not in named
    assert ("protocolVersion" in newest, "supportedInterfaces" in newest) == (False, True)
    # Of a version that the gateway does not serve, it is the default form.
    assert unsupported == response


def test_an_unknown_card_version_is_refused() -> None:
    async def run() -> None:
        async with gateway(agents={"greeter": {**AGENTS["greeter"], "card_version": "2.0"}}):
            pytest.fail("it was taken")

    with pytest.raises(BadConfiguration, match="card_version"):
        asyncio.run(run())


def test_a_configuration_of_webhooks_is_found_without_its_id_in_0_3() -> None:
    def keeping() -> TaskStores:
        return TaskStores(
            MemoryTaskStore(10, 60.0, time.monotonic), configs=InMemoryPushNotificationConfigStore()
        )

    async def run() -> tuple[Any, Any, Any]:
        async with a2a_endpoint(published=backend(pushNotifications=True), keeping=keeping) as endpoint:
            sent = await endpoint_rpc(endpoint, "message/send", {"message": old_message("ask")})
            task = {"id": sent["result"]["id"]}
            method = "tasks/pushNotificationConfig"
            none = await endpoint_rpc(endpoint, f"{method}/get", task)
            receiver = {
                "taskId": task["id"],
                "pushNotificationConfig": {"id": "a", "url": "https://example.com/a"},
            }
            await endpoint_rpc(endpoint, f"{method}/set", receiver)
            found = await endpoint_rpc(endpoint, f"{method}/get", task)
            newer = await endpoint_rpc(endpoint, "GetTaskPushNotificationConfig", {"taskId": task["id"]})
            return none, found, newer

    none, found, newer = asyncio.run(run())
    assert found["result"]["pushNotificationConfig"]["url"] == "https://example.com/a"
    assert none["error"]["code"] in (-32602, -32001)
    # A2A 1.0 §3.1.8 wants it.
    assert newer["error"]["code"] == -32602
