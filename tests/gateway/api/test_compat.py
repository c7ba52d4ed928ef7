"""Routes for compatibility with other gateways of the BeeOS seed, and short URLs of agents."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from cardwright.errors import BadConfiguration
from cardwright_gateway import Gateway
from cardwright_gateway.auth.access_tokens import AccessTokens
from cardwright_gateway.auth.principal import Principal
from cardwright_gateway.database.deployment import Deployment
from cardwright_gateway.settings.config import GatewayConfig
from tests.gateway.api.owner.response_schemas import check_described
from tests.gateway.gateways import BASE, CARD, JSON, rpc
from tests.gateway.tasks.gateways import OWNERS, function, message, owned
from tests.serve.client import CARD_PATH, Reply, call

if TYPE_CHECKING:
    from tests.gateway.tasks.gateways import Caller

EXAMPLE = Path(__file__).parents[3] / "examples/beeos/gateway.yml"
AGENTS = {"greeter": function("answer", invoke=True), "other": function("forever")}
PREFIXES = ["", "/api/v1"]


async def ask(caller: Caller, method: str, path: str, body: Any = None, **headers: str) -> Reply:
    sent = b"" if body is None else json.dumps(body).encode()
    reply = await call(caller.gateway, method, path, {**caller.credentials, **headers}, body=sent)
    check_described(method, path, reply)
    return reply


async def test_the_example_of_settings_has_the_routes_of_the_document(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """BeeOS seed §1, §2, §3 and §5: the URLs, the key in either header, the card, and the plain message."""
    monkeypatch.syspath_prepend(EXAMPLE.parent)
    config = GatewayConfig.from_file(EXAMPLE)
    async with Gateway(config) as running:
        key = running.keys.issue("pulls", "acme", actor="test")[1]
        card = await call(running, "GET", f"/pulls{CARD_PATH}", {"A2A-Version": "1.0"})
        assert card.json["supportedInterfaces"][0]["url"] == "https://a2a.example.com/pulls"
        for credentials in ({"X-Agent-API-Key": key}, {"Authorization": f"Bearer {key}"}):
            sent = await call(
                running,
                "POST",
                "/pulls",
                {**JSON, **credentials, "A2A-Version": "1.0"},
                body=rpc("SendMessage", message("mine")),
            )
            assert "Nothing is open for: mine" in sent.body.decode()
            plain = await call(
                running, "POST", "/pulls/v1/invoke", {**JSON, **credentials}, body=b'{"message": "mine"}'
            )
            assert "Nothing is open for: mine" in plain.body.decode()
        refused = await call(running, "POST", "/pulls", JSON, body=rpc("SendMessage", message("mine")))
        assert refused.status == 401
        assert (await call(running, "GET", "/healthz", {})).status == 200


@pytest.mark.parametrize("prefix", PREFIXES)
async def test_a_task_is_started_read_and_cancelled_by_its_id(prefix: str) -> None:
    async with owned(AGENTS, compat="beeos") as gateway:
        caller, stranger = await gateway.key("other"), await gateway.key("other")
        begun = await ask(caller, "POST", f"{prefix}/tasks", {"message": "two words", "context_id": "c-1"})
        task = begun.json["task"]
        path = f"{prefix}/tasks/{task['id']}"
        read = await ask(caller, "GET", path)
        cancelled = await ask(caller, "POST", f"{path}/cancel")

        assert (begun.status, task["contextId"]) == (200, "c-1")
        assert read.json["id"] == task["id"]
        assert (cancelled.status, cancelled.json["status"]["state"]) == (200, "TASK_STATE_CANCELED")
        for method, hidden in (("GET", path), ("POST", f"{path}/cancel")):
            reply = await ask(stranger, method, hidden)
            assert (reply.status, reply.reason) == (404, "TASK_NOT_FOUND")
        listed = await ask(caller, "GET", "/api/v1/tasks")
        assert [one["id"] for one in listed.json["tasks"]] == [task["id"]]


async def test_a_key_starts_no_task_of_another_agent_even_an_open_one() -> None:
    async with owned({**AGENTS, "open": {**function("answer"), "access": "open"}}, compat="beeos") as gateway:
        caller = await gateway.key("greeter")
        assert (await ask(caller, "POST", "/tasks", {"agent_id": "open", "message": "hi"})).status == 401


@pytest.mark.parametrize("prefix", PREFIXES)
async def test_a_task_has_webhooks(prefix: str) -> None:
    async with owned(AGENTS, compat="beeos", webhooks={}) as gateway:
        caller = await gateway.key("greeter")
        receiver = {"url": "https://receiver.example/hook", "secret": "s" * 32}
        begun = await ask(caller, "POST", f"{prefix}/tasks", {"message": "hi", "webhook": receiver})
        path = f"/tasks/{begun.json['task']['id']}/webhooks"
        added = await ask(caller, "POST", f"{prefix}{path}", {**receiver, "url": "https://other.example/"})
        listed = await ask(caller, "GET", f"/api/v1{path}")

        assert added.status == 200
        assert "secret" not in added.json
        assert {one["url"]: one["signed"] for one in listed.json["webhooks"]} == {
            receiver["url"]: True,
            "https://other.example/": True,
        }


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/tasks", {}, 400),
        ("/tasks", {"message": "x", "contextId": "c"}, 400),
        ("/tasks", {"message": "x", "agent_id": "absent"}, 404),
        ("/tasks", {"message": "x", "agent_id": "other"}, 401),
        ("/tasks/absent/cancel", {}, 404),
        ("/tasks/absent/webhooks", {"url": "https://x.example/"}, 404),
        ("/tasks/absent/webhooks", {"uri": "https://x.example/"}, 400),
    ],
)
async def test_an_invalid_path_method_or_body_is_refused(path: str, body: Any, status: int) -> None:
    async with owned(AGENTS, compat="beeos") as gateway:
        assert (await ask(await gateway.key("greeter"), "POST", path, body)).status == status
        assert (await ask(gateway.anonymous("greeter"), "POST", path, body)).status == 401


async def test_a_user_names_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    async with owned(AGENTS, compat="beeos") as gateway:

        async def user(*_: Any) -> Principal:
            return Principal("user", "user:x")

        monkeypatch.setattr(gateway.gateway.identity, "caller", user)
        monkeypatch.setattr(gateway.gateway.identity, "principal", user)
        caller = gateway.anonymous("greeter")
        unnamed = await ask(caller, "POST", "/tasks", {"message": "hi"})
        named = await ask(caller, "POST", "/tasks", {"message": "hi", "agent_id": "other"})

        assert (unnamed.status, named.status) == (400, 200)
        assert "agent_id" in unnamed.body.decode()


@pytest.mark.parametrize("prefix", PREFIXES)
async def test_an_invocation_is_streamed_unless_json_is_preferred(prefix: str) -> None:
    async with owned(AGENTS, compat="beeos") as gateway:
        caller = await gateway.key("greeter")
        path = f"{prefix}/agents/greeter/invoke"
        stream = await ask(caller, "POST", path, {"message": "hi"})
        plain = await ask(caller, "POST", path, {"message": "hi"}, Accept="application/json")

        assert stream.headers["content-type"] == "text/event-stream"
        assert b"event: reply\n" in stream.body
        assert "reply" in plain.json
        assert (await caller.rpc("ListTasks", {}))["result"]["tasks"] == []


async def test_the_a2a_endpoint_is_also_below_api_v1() -> None:
    async with owned(AGENTS, compat="beeos") as gateway:
        caller = await gateway.key("greeter")
        sent = await call(
            caller.gateway,
            "POST",
            "/api/v1/a2a/greeter",
            {**JSON, **caller.credentials},
            body=rpc("SendMessage", message("hi")),
        )
        task = sent.json["result"]["task"]
        read = await ask(caller, "GET", f"/api/v1/a2a/greeter/tasks/{task['id']}", **{"A2A-Version": "1.0"})
        card = await ask(caller, "GET", f"/api/v1/a2a/greeter{CARD_PATH}")
        unknown = await ask(caller, "GET", "/api/v1/a2a")

        assert read.json["id"] == task["id"]
        assert card.json["name"]
        assert unknown.status == 404


async def token(caller: Caller, fields: dict[str, str], **headers: str) -> Reply:
    headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
    return await call(caller.gateway, "POST", "/oauth/token", headers, body=urlencode(fields).encode())


async def test_client_credentials_give_an_access_token() -> None:
    async with owned(AGENTS, compat="beeos") as gateway:
        caller = await gateway.key("greeter")
        secret = caller.credentials["X-Agent-API-Key"]
        grant = {"grant_type": "client_credentials"}
        reply = await token(caller, {**grant, "client_id": "greeter", "client_secret": secret})
        basic = base64.b64encode(f"greeter:{secret}".encode()).decode()
        again = await token(caller, grant, Authorization=f"Basic {basic}")
        access = reply.json["access_token"]
        headers = {**JSON, "Authorization": f"Bearer {access}"}
        sent = await call(caller.gateway, "POST", "/greeter", headers, body=rpc("SendMessage", message("hi")))

        assert access.startswith("oag_")
        assert secret.removeprefix("bak_") not in access
        assert reply.json == {"access_token": access, "token_type": "Bearer", "expires_in": 3600}
        assert again.status == 200
        assert reply.headers["cache-control"] == "no-store"
        assert "result" in sent.json


def test_an_access_token_ends_after_an_hour_and_belongs_to_one_gateway() -> None:
    now, key = 1_000_000.0, "bak_" + "x" * 43
    deployment = Deployment()
    tokens = AccessTokens(deployment, lambda: now)
    token_ = tokens.issue(key)
    assert AccessTokens(deployment, lambda: now).key_of(token_) == key
    assert AccessTokens(Deployment(), lambda: now).key_of(token_) is None
    assert [tokens.key_of(other) for other in (f"{token_}x", token_[:-4], "oag_" + "x" * 43, key, "")] == [
        None
    ] * 5
    now += 3_601
    assert tokens.key_of(token_) is None


@pytest.mark.parametrize(
    ("fields", "status", "error"),
    [
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, 401, "invalid_client"),
        ({"grant_type": "client_credentials", "client_id": "other"}, 401, "invalid_client"),
        ({"grant_type": "client_credentials", "client_secret": "bak_x"}, 401, "invalid_client"),
        ({"grant_type": "client_credentials", "client_secret": "bak_" + "x" * 43}, 401, "invalid_client"),
    ],
)
async def test_wrong_client_credentials_are_refused(fields: dict[str, str], status: int, error: str) -> None:
    async with owned(AGENTS, compat="beeos") as gateway:
        caller = await gateway.key("greeter")
        secret = caller.credentials["X-Agent-API-Key"]
        reply = await token(
            caller,
            {
                "client_id": "greeter",
                "client_secret": secret,
                **fields,
                **({} if len(fields) > 1 or status == 400 else {"client_id": "no one"}),
            },
        )

        assert (reply.status, reply.json["error"]) == (status, error)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/tasks"),
        ("POST", "/api/v1/a2a/greeter"),
        ("POST", "/agents/greeter/invoke"),
        ("POST", "/oauth/token"),
        ("POST", "/api/v1/tasks/t/cancel"),
    ],
)
async def test_without_the_setting_the_compatibility_routes_are_absent(method: str, path: str) -> None:
    async with owned(AGENTS) as gateway:
        reply = await ask(await gateway.key("greeter"), method, path, {"message": "hi"})
        description = (await call(gateway.gateway, "GET", "/api/v1/openapi.json")).body

    assert reply.status in (404, 405)
    assert b'"beeos"' not in description


async def test_the_description_has_the_routes() -> None:
    async with owned(AGENTS, compat="beeos") as gateway:
        paths = (await call(gateway.gateway, "GET", "/api/v1/openapi.json")).json["paths"]

    assert {
        (method, path) for path, item in paths.items() for method in item if "beeos" in item[method]["tags"]
    } == {
        ("post", "/api/v1/agents/{agentId}/invoke"),
        ("post", "/api/v1/oauth/token"),
        ("post", "/api/v1/tasks"),
        ("get", "/api/v1/tasks/{taskId}"),
        ("post", "/api/v1/tasks/{taskId}/cancel"),
        ("post", "/api/v1/tasks/{taskId}/webhooks"),
    }


async def test_short_urls_are_in_cards_and_lists() -> None:
    async with owned(AGENTS, compat="beeos", short_urls=True) as gateway:
        card = await call(gateway.gateway, "GET", f"/agents/greeter{CARD_PATH}", {"A2A-Version": "1.0"})
        again = await call(gateway.gateway, "GET", f"/greeter{CARD_PATH}", {"A2A-Version": "1.0"})
        listed = await call(gateway.gateway, "GET", "/.well-known/ai-catalog.json")

        urls = {one["url"] for one in card.json["supportedInterfaces"]}
        assert card.body == again.body
        assert {f"{BASE}/greeter", f"{BASE}/greeter/v1/invoke"} == urls
        assert f"{BASE}/greeter/.well-known" in listed.body.decode()
        assert f"{BASE}/agents/" not in card.body.decode() + listed.body.decode()


def test_short_urls_exclude_an_agent_at_the_root() -> None:
    with pytest.raises(BadConfiguration, match="short URLs"):
        GatewayConfig.from_value({"agents": {"a": {"card": CARD}}, "root": "a", "short_urls": True})


def test_an_agent_at_the_root_excludes_the_routes() -> None:
    with pytest.raises(
        BadConfiguration, match="/root: the agent at the root has paths that `compat` has, too"
    ):
        GatewayConfig.from_value(
            {"base_url": BASE, "agents": AGENTS, "owners": OWNERS, "root": "greeter", "compat": "beeos"}
        )


async def test_a_task_that_cannot_be_stored_is_not_started() -> None:
    agents = {"passing": {"url": "https://agent.example", "owner": "acme", "tasks": "pass"}}
    async with owned({**AGENTS, **agents}, compat="beeos") as gateway:
        caller = await gateway.key("passing")
        reply = await ask(caller, "POST", "/tasks", {"message": "two words"})
        assert (reply.status, reply.reason) == (409, "CONFLICT")


async def test_guesses_of_task_ids_are_counted() -> None:
    async with owned(AGENTS, compat="beeos", limits={"requests": 2, "seconds": 60}) as gateway:
        caller = await gateway.key("greeter")
        statuses = [(await ask(caller, "GET", f"/tasks/t-{number}")).status for number in range(3)]
        assert statuses == [404, 404, 429]
