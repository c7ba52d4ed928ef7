"""Owner API: overrides of agents in the configuration file, where the file allows them."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import BadConfiguration
from cardwright_gateway import Gateway, GatewayConfig
from cardwright_gateway.database.audit import Audit
from tests.gateway.api.owner.response_schemas import check_described
from tests.gateway.gateways import BASE, CARD
from tests.gateway.tasks.gateways import OWNERS, function
from tests.serve.client import Reply, call

if TYPE_CHECKING:
    from pathlib import Path

ALL = ["visibility", "limits"]


def config(store: Path, allowed: list[str] = ALL, **more: Any) -> GatewayConfig:
    greeter = {"card": CARD, **function("answer", concurrency=10, owner_may_change=allowed), **more}
    settings = {
        "base_url": BASE,
        "owners": {**OWNERS, "other": {"name": "Other"}},
        "store": str(store / "gateway.db"),
    }
    return GatewayConfig.from_value({**settings, "agents": {"greeter": greeter}})


async def patched(gateway: Gateway, changes: dict[str, Any]) -> Reply:
    """Change the agent as its owner."""
    _, token = gateway.accounts.tokens.issue("acme", actor="test")
    headers = {"Authorization": f"Bearer {token}"}
    path = "/api/v1/agents/greeter"
    reply = await call(gateway, "PATCH", path, headers, body=json.dumps(changes).encode())
    check_described("PATCH", path, reply)
    return reply


async def is_listed(gateway: Gateway) -> bool:
    catalogue = await call(gateway, "GET", "/.well-known/ai-catalog.json")
    return "greeter" in catalogue.body.decode()


async def test_an_owner_hides_an_agent_of_the_file_and_shows_it_again(tmp_path: Path) -> None:
    async with Gateway(config(tmp_path)) as gateway:
        assert await is_listed(gateway)
        hidden = await patched(gateway, {"visibility": "private"})
        assert (hidden.status, hidden.json["overrides"]) == (200, {"visibility": "private"})
        assert not await is_listed(gateway)
        shown = await patched(gateway, {"visibility": None})
        assert (shown.json["visibility"], shown.json["overrides"]) == ("public", {})
        assert await is_listed(gateway)
        rows = Audit(gateway.registry.store.database).list("greeter")
        assert [row.detail["visibility"] for row in rows if row.action == "agent.override"] == [
            None,
            "private",
        ]


async def test_limits_are_lowered_and_never_above_those_of_the_file(tmp_path: Path) -> None:
    async with Gateway(config(tmp_path)) as gateway:
        changed = await patched(gateway, {"concurrency": 2, "timeout_seconds": 5})
        assert (changed.json["concurrency"], changed.json["timeout_seconds"]) == (2, 5)
        assert gateway.agents["greeter"].config.concurrency == 2
        above = await patched(gateway, {"concurrency": 11})
        assert above.status == 400
        assert above.json["error"]["details"][1]["fieldViolations"][0]["field"] == "/concurrency"
        assert "11 is more than the configuration file's concurrency, 10" in above.json["error"]["message"]
        assert gateway.agents["greeter"].config.concurrency == 2


@pytest.mark.parametrize(
    ("allowed", "changes", "needed"),
    [
        ([], {"visibility": "private"}, "visibility"),
        (["limits"], {"visibility": "private"}, "visibility"),
        (["visibility"], {"concurrency": 1}, "limits"),
        ([], {"visibility": "private", "timeout_seconds": 1}, "visibility and limits"),
    ],
)
async def test_a_change_that_the_file_forbids_is_refused_with_the_setting(
    tmp_path: Path, allowed: list[str], changes: dict[str, Any], needed: str
) -> None:
    async with Gateway(config(tmp_path, allowed)) as gateway:
        reply = await patched(gateway, changes)
        assert (reply.status, reply.reason) == (409, "CONFLICT")
        assert f"adds {needed} to the agent's owner_may_change" in reply.json["error"]["message"]
        assert gateway.agents["greeter"].config.visibility == "public"


async def test_an_open_agent_cannot_become_private(tmp_path: Path) -> None:
    async with Gateway(config(tmp_path, access="open")) as gateway:
        reply = await patched(gateway, {"visibility": "private"})
        assert reply.status == 400
        assert "A private agent requires keys" in reply.json["error"]["message"]
        assert (await patched(gateway, {"visibility": "unlisted"})).status == 200


async def test_overrides_survive_a_restart_while_the_file_allows_them(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def seen(allowed: list[str] = ALL, **more: Any) -> tuple[str, int]:
        async with Gateway(config(tmp_path, allowed, **more)) as gateway:
            now = gateway.agents["greeter"].config
            return now.visibility, now.concurrency

    async with Gateway(config(tmp_path)) as gateway:
        assert (await patched(gateway, {"visibility": "unlisted", "concurrency": 5})).status == 200
    statuses = [await seen(), await seen(concurrency=3)]
    with caplog.at_level(logging.WARNING, "cardwright_gateway"):
        statuses.append(await seen(["limits"]))
    statuses.append(await seen(owner="other"))
    assert statuses == [("unlisted", 5), ("unlisted", 3), ("public", 5), ("public", 10)]
    assert "the owner's visibility is not applied: owner_may_change does not have 'visibility'" in caplog.text


async def test_a_change_of_the_file_keeps_what_the_owner_changed(tmp_path: Path) -> None:
    async with Gateway(config(tmp_path)) as gateway:
        await patched(gateway, {"concurrency": 5})
        agents = {
            limit: config(tmp_path, ALL, concurrency=limit, description=f"{limit} at once").agents
            for limit in (8, 4)
        }
        await gateway.directory.reload(agents[8])
        assert gateway.agents["greeter"].config.concurrency == 5
        await gateway.directory.reload(agents[4])
        assert gateway.agents["greeter"].config.concurrency == 4
        assert (await patched(gateway, {"concurrency": 5})).status == 400
        with pytest.raises(BadConfiguration):
            await gateway.directory.reload(
                {**agents[8], "broken": config(tmp_path, ALL, card="missing.json").agents["greeter"]}
            )
        assert gateway.agents["greeter"].config.concurrency == 4


async def test_another_process_applies_an_override(tmp_path: Path) -> None:
    async with Gateway(config(tmp_path)) as gateway, Gateway(config(tmp_path, ALL)) as other:
        await patched(gateway, {"visibility": "private", "concurrency": 2})
        await other.accounts.refresh()
        await other.directory.follow_overrides()
        now = other.agents["greeter"]
        assert (now.config.visibility, now.config.concurrency) == ("private", 2)
        await other.directory.follow_overrides()
        assert other.agents["greeter"] is now
        await patched(other, {"visibility": None, "concurrency": None})
        await gateway.accounts.refresh()
        await gateway.directory.follow_overrides()
        assert await is_listed(gateway)


async def test_limits_of_an_added_agent_are_changed_in_its_settings(tmp_path: Path) -> None:
    async with Gateway(config(tmp_path)) as gateway:
        _, token = gateway.accounts.tokens.issue("acme", actor="test")
        headers = {"Authorization": f"Bearer {token}"}
        agent = {"card": CARD, "backend": {"url": "https://agent.example"}}
        body = json.dumps({"id": "mine", "agent": agent}).encode()
        assert (await call(gateway, "POST", "/api/v1/agents", headers, body=body)).status == 201
        replies = [
            await call(gateway, "PATCH", "/api/v1/agents/mine", headers, body=json.dumps(changes).encode())
            for changes in ({"concurrency": 3}, {"concurrency": None}, {"concurrency": 99_999})
        ]
        assert [reply.status for reply in replies] == [200, 200, 400]
        assert [reply.json["concurrency"] for reply in replies[:2]] == [3, 256]
        assert replies[0].json["overrides"] == {}
        assert replies[0].json["owner_may_change"] == ALL
