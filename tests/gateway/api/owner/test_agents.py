"""Owner API, `/agents`: what owners can read and change."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cardwright_gateway.auth import limiter
from cardwright_gateway.auth.principal import Quota
from cardwright_gateway.database.agents import AddedAgents
from tests.gateway.api.owner.gateways import ADA, BO, FUNCTION, SECRET, owned
from tests.gateway.gateways import CARD

if TYPE_CHECKING:
    from pathlib import Path


NEW_AGENT: dict[str, Any] = {
    "id": "mine",
    "agent": {"card": CARD, "backend": {"url": "https://mine.example"}},
}
# Each for Bo's agent, which is not Ada's.
FOREIGN: tuple[tuple[str, str, Any], ...] = (
    ("GET", "/agents/{}", None),
    ("PUT", "/agents/{}", {"agent": {"card": CARD}}),
    ("PATCH", "/agents/{}", {"visibility": "public"}),
    ("DELETE", "/agents/{}", None),
    ("GET", "/agents/{}/keys", None),
    ("POST", "/agents/{}/keys", {}),
    ("POST", "/agents/{}/keys/key_0/rotate", None),
    ("DELETE", "/agents/{}/keys/key_0", None),
    ("GET", "/agents/{}/tasks/t-1/webhooks/w-1/deliveries", None),
    ("POST", "/agents/{}/tasks/t-1/webhooks/w-1/deliveries/dlv_1/redeliver", None),
    ("GET", "/audit?agent_id={}", None),
    ("POST", "/files?agent_id={}", b"x"),
)


async def test_an_owner_lists_only_its_own_agents() -> None:
    async with owned() as gateway:
        seen = [one["id"] for one in (await gateway.ask("GET", "/agents")).json["agents"]]
        other = [one["id"] for one in (await gateway.ask("GET", "/agents", headers=BO)).json["agents"]]
        instances = (await gateway.ask("GET", "/instances", headers=BO)).json["instances"]

        assert seen == ["greeter", "hidden", "worked"]
        assert other == ["bos"]
        assert [one["agent_id"] for one in instances] == ["bos"]


async def test_all_pages_together_are_the_whole_list() -> None:
    async with owned() as gateway:
        seen: list[str] = []
        token = ""
        while True:
            page = (await gateway.ask("GET", f"/agents?page_size=1&page_token={token}")).json
            seen += [one["id"] for one in page["agents"]]
            if "next_page_token" not in page:
                break
            token = page["next_page_token"]

        assert seen == ["greeter", "hidden", "worked"]


@pytest.mark.parametrize(
    "query",
    ["page_size=0", "page_size=201", "page_size=x", "page_size=%D9%A3", "page_size=1&page_size=1", "page_token=%00",
     "page_token=a2V5cwpncmVldGVy", "page_token=YWdlbnRzCg==", "page_token=" + "A" * 600],
)  # fmt: skip
async def test_an_invalid_page_is_refused(query: str) -> None:
    async with owned() as gateway:
        reply = await gateway.ask("GET", f"/agents?{query}")

        assert (reply.status, reply.reason) == (400, "BAD_QUERY")


@pytest.mark.parametrize(("method", "path", "body"), FOREIGN)
async def test_a_foreign_agent_gets_the_same_bytes_as_an_unknown_one(
    method: str, path: str, body: object
) -> None:
    async with owned() as gateway:
        foreign = await gateway.ask(method, path.format("bos"), body, {"X-Agent-API-Key": "no"} | ADA)
        absent = await gateway.ask(method, path.format("absent"), body, {"X-Agent-API-Key": "no"} | ADA)

        if path.startswith("/files"):
            # Authentication decides who may call it: a user may.
            assert absent.status == 404
        else:
            assert foreign.status == 404
            # One request less is left for the second.
            for reply in (foreign, absent):
                reply.headers.pop("ratelimit", None)
            assert foreign == absent


async def test_an_added_agent_belongs_to_the_owner_that_adds_it() -> None:
    async with owned() as gateway:
        other = {"id": "mine", "agent": {"card": CARD, "owner": "bo"}}
        assert (await gateway.ask("POST", "/agents", other)).status == 400
        reply = await gateway.ask("POST", "/agents", {"id": "mine", "agent": {"card": CARD}})
        assert reply.status == 201
        assert reply.headers["location"].endswith("/api/v1/agents/mine")
        assert gateway.gateway.agents["mine"].config.owner == "ada"
        assert reply.json["added"] is True
        assert (await gateway.ask("GET", "/agents/mine", headers=BO)).status == 404


async def test_the_settings_of_added_agents_have_a_maximum_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are in the memory of every process, and again after each restart."""

    def agent(size: int) -> dict[str, Any]:
        return {"card": {**CARD, "description": "a" * size}}

    async with owned() as gateway:
        one = await gateway.ask("POST", "/agents", {"id": "one", "agent": agent(270_000)})
        assert (one.status, one.reason) == (400, "BAD_ARGUMENT")
        assert b"may have at most 262,144 bytes" in one.body
        monkeypatch.setattr("cardwright_gateway.api.owner.agents.MAX_ADDED_BYTES", 30_000)
        added = [
            (await gateway.ask("POST", "/agents", {"id": name, "agent": agent(10_000)})).status
            for name in "abc"
        ]
        assert added == [201, 201, 507]
        assert (await gateway.ask("PUT", "/agents/a", {"agent": agent(10_100)})).status == 200
        grown = await gateway.ask("PUT", "/agents/a", {"agent": agent(20_000)})
        assert (grown.status, grown.reason) == (507, "FULL")
        assert (await gateway.ask("POST", "/agents", {"id": "c", "agent": agent(10_000)}, BO)).status == 201


async def test_an_added_agent_is_changed_and_removed_by_its_owner() -> None:
    async with owned() as gateway:
        await gateway.ask("POST", "/agents", NEW_AGENT)
        renamed = {"agent": {**NEW_AGENT["agent"], "card": {**CARD, "name": "Renamed"}}}
        changed = await gateway.ask("PUT", "/agents/mine", renamed)
        private = await gateway.ask("PATCH", "/agents/mine", {"visibility": "private"})
        gone = await gateway.ask("DELETE", "/agents/mine")

        assert changed.json["name"] == "Renamed"
        assert (private.json["visibility"], private.json["name"]) == ("private", "Renamed")
        assert (gone.status, gone.body) == (204, b"")
        assert "mine" not in gateway.gateway.agents
        assert (await gateway.ask("GET", "/agents/mine")).status == 404


@pytest.mark.parametrize(
    ("method", "body"),
    [("PUT", {"agent": {"card": CARD}}), ("PATCH", {"visibility": "private"}), ("DELETE", None)],
)
async def test_an_agent_of_the_file_cannot_be_changed_over_the_api(method: str, body: object) -> None:
    async with owned() as gateway:
        before = gateway.gateway.agents["greeter"]
        reply = await gateway.ask(method, "/agents/greeter", body)

        assert (reply.status, reply.reason) == (409, "CONFLICT")
        assert "configuration file" in reply.json["error"]["message"]
        assert gateway.gateway.agents["greeter"] is before


@pytest.mark.parametrize(
    "setting",
    [{"command": "sh"}, {"card": CARD, "backend": FUNCTION}, {"card": "/etc/passwd"}, {}, {"unknown": 1},
     {"url": "https://a.example", "bearer": "${HOME}"}, {"card": CARD, "backend": {"queue": {"token": "${HOME}"}}},
     {"card": CARD, "visibility": "private", "access": "open"}],
)  # fmt: skip
async def test_settings_reserved_for_the_file_are_refused(setting: dict[str, object]) -> None:
    async with owned() as gateway:
        reply = await gateway.ask("POST", "/agents", {"id": "mine", "agent": setting})

        assert reply.status == 400
        assert reply.json["error"]["details"][1]["fieldViolations"][0]["field"] == "/agent"
        assert "mine" not in gateway.gateway.agents


@pytest.mark.parametrize("taken", ["greeter", "bos", "nobodys"])
async def test_an_id_in_use_stays_with_its_owner(taken: str) -> None:
    async with owned() as gateway:
        before = gateway.gateway.agents[taken]
        reply = await gateway.ask("POST", "/agents", {"id": taken, "agent": {"card": CARD}})

        assert reply.status == 409
        assert gateway.gateway.agents[taken] is before


async def test_one_of_two_owners_that_add_the_same_id_concurrently_wins() -> None:
    async with owned() as gateway:
        replies = await asyncio.gather(
            gateway.ask("POST", "/agents", NEW_AGENT, ADA), gateway.ask("POST", "/agents", NEW_AGENT, BO)
        )

        assert sorted(reply.status for reply in replies) == [201, 409]
        winner = "ada" if replies[0].status == 201 else "bo"
        assert gateway.gateway.agents["mine"].config.owner == winner


@pytest.mark.parametrize("guess", [{}, {"bearer": "wrong"}, {"bearer": "token-of-ada"}])
async def test_a_url_may_be_used_by_two_owners_and_no_response_reveals_it(guess: dict[str, str]) -> None:
    async with owned() as gateway:
        url = "https://shared.example/agent"
        hers = {"id": "hers", "agent": {"url": url, "bearer": "token-of-ada"}}
        assert (await gateway.ask("POST", "/agents", hers)).status == 201
        reply = await gateway.ask("POST", "/agents", {"id": "his", "agent": {"url": url, **guess}}, BO)
        assert reply.status == 201

        registry = gateway.gateway.registry
        sent = {peer.url: registry._settings.of(peer.record).headers for peer in registry.all()}  # pyright: ignore[reportPrivateUsage]
        bearer = guess.get("bearer")
        assert sent[f"{url}#hers"] == {"Authorization": "Bearer token-of-ada"}
        assert sent[f"{url}#his"] == ({"Authorization": f"Bearer {bearer}"} if bearer else {})
        # Removing one leaves the other.
        await gateway.ask("DELETE", "/agents/his", headers=BO)
        assert [peer.url for peer in registry.all()] == [f"{url}#hers"]


async def test_keys_of_a_removed_agent_do_not_open_the_next_one_with_its_id() -> None:
    async with owned() as gateway:
        await gateway.ask("POST", "/agents", NEW_AGENT)
        await gateway.ask("POST", "/agents/mine/keys", {})
        await gateway.ask("DELETE", "/agents/mine")
        assert [key.revoked_at is not None for key in gateway.keys.kept] == [True]

        gateway.keys.issue("mine", "ada", actor="", name="left over", quota=None, expires_at=None)
        await gateway.ask("POST", "/agents", NEW_AGENT, BO)
        assert all(key.revoked_at is not None for key in gateway.keys.kept)


@pytest.mark.parametrize(("name", "value"), [("concurrency", 100_000), ("timeout_seconds", 3600)])
async def test_agent_limits_cannot_exceed_those_of_the_gateway(name: str, value: int) -> None:
    async with owned() as gateway:
        agent = {**NEW_AGENT["agent"], name: value}
        refused = await gateway.ask("POST", "/agents", {"id": "mine", "agent": agent})

        assert (refused.status, refused.reason) == (400, "BAD_ARGUMENT")
        assert f"more than the gateway's {name}" in refused.json["error"]["message"]
        assert (await gateway.ask("POST", "/agents", NEW_AGENT)).status == 201
        assert (await gateway.ask("PUT", "/agents/mine", {"agent": agent})).status == 400
        smaller = {"agent": {**NEW_AGENT["agent"], name: 2}}
        assert (await gateway.ask("PUT", "/agents/mine", smaller)).status == 200


async def test_upstream_credentials_of_an_agent_are_not_returned() -> None:
    async with owned() as gateway:
        config = {
            "url": "https://agent.example.com/secret-place",
            "bearer": SECRET,
            "headers": {"X-Own": SECRET},
        }
        added = await gateway.ask("POST", "/agents", {"id": "mine", "agent": config})
        responses = added.body + (await gateway.ask("GET", "/agents/mine")).body

        assert added.status == 201
        assert SECRET.encode() not in responses
        assert b"secret-place" not in responses


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "PARSE_ERROR"),
        (b"{", "PARSE_ERROR"),
        (b'{"id":"a","id":"b","agent":{}}', "PARSE_ERROR"),
        (b'{"id":"a","agent":' + b'{"a":' * 2_000 + b"1" + b"}" * 2_001, "PARSE_ERROR"),
        (b"[]", "BAD_ARGUMENT"),
        (b'{"id":1,"agent":[]}', "BAD_ARGUMENT"),
        (b'{"id":"../../etc","agent":{}}', "BAD_ARGUMENT"),
        (b'{"id":"a","agent":{},"more":1}', "BAD_ARGUMENT"),
        (b'{"id":"\\ud800","agent":{}}', "PARSE_ERROR"),
    ],
)
async def test_an_invalid_body_is_refused_with_a_reason(body: bytes, reason: str) -> None:
    async with owned() as gateway:
        reply = await gateway.ask("POST", "/agents", body)

        assert (reply.status, reply.reason) == (400, reason)


async def test_a_too_large_body_is_refused() -> None:
    async with owned(max_body_bytes=65_536) as gateway:
        reply = await gateway.ask("POST", "/agents", b" " * 70_000)

        assert (reply.status, reply.reason) == (413, "BODY_TOO_LARGE")


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded"])
async def test_a_body_that_an_html_form_can_send_is_refused(media_type: str) -> None:
    async with owned() as gateway:
        reply = await gateway.ask("POST", "/agents", NEW_AGENT, {**ADA, "Content-Type": media_type})

        assert reply.status == 415
        assert "mine" not in gateway.gateway.agents


@pytest.mark.parametrize(
    "path",
    ["/agents/%2e%2e", "/agents/..%2fbos", "/agents/bos%00", "/agents/%FF", "/agents//keys", "/agents/a;b/%2e%2e/keys",
     "/agents/greeter/keys/..%5c..", "/agents/%252e%252e", "/nothing", "/api/v1/agents", "", "/", "/agents/" + "a" * 3_000],
)  # fmt: skip
async def test_an_unknown_path_is_404(path: str) -> None:
    async with owned() as gateway:
        assert (await gateway.ask("GET", path)).status == 404


async def test_a_concurrent_change_by_another_replica_is_a_conflict(tmp_path: Path) -> None:
    store = str(tmp_path / "store")

    async with owned(store=store, webhooks={"enabled": False}) as gateway:
        await gateway.ask("POST", "/agents", NEW_AGENT)
        # As another replica with the same database does.
        added = AddedAgents(gateway.gateway.registry.store.database)
        kept = added.one("mine")
        assert kept is not None
        bos = {**kept.settings, "owner": "bo"}
        bos_at = added.put("mine", bos, before=kept.changed_at, at=time.time(), actor="user:bo")
        key, _ = gateway.keys.issue("mine", "bo", actor="", name="bo's", quota=None, expires_at=None)
        refused = await gateway.ask("DELETE", "/agents/mine")
        assert (refused.status, refused.reason) == (409, "CONFLICT")
        assert "meanwhile" in refused.json["error"]["message"]
        assert key.revoked_at is None
        assert added.changed() == {"mine": bos_at}
        assert (await gateway.ask("GET", "/agents/mine")).status == 404
        assert (await gateway.ask("GET", "/agents/mine", headers=BO)).status == 200


async def test_an_id_added_at_another_replica_is_a_conflict(tmp_path: Path) -> None:
    async with owned(store=str(tmp_path / "store"), webhooks={"enabled": False}) as gateway:
        added = AddedAgents(gateway.gateway.registry.store.database)
        at = added.put("mine", {**NEW_AGENT["agent"], "owner": "bo"}, at=time.time(), actor="user:bo")
        reply = await gateway.ask("POST", "/agents", NEW_AGENT)
        assert (reply.status, reply.reason) == (409, "CONFLICT")
        assert added.changed() == {"mine": at}
        assert gateway.gateway.agents["mine"].config.owner == "bo"


async def test_one_of_two_concurrent_visibility_changes_is_a_conflict() -> None:
    async with owned() as gateway:
        await gateway.ask("POST", "/agents", NEW_AGENT)
        statuses = [
            reply.status
            for reply in await asyncio.gather(
                gateway.ask("PATCH", "/agents/mine", {"visibility": "private"}),
                gateway.ask("PATCH", "/agents/mine", {"visibility": "unlisted"}),
            )
        ]
        assert sorted(statuses) == [200, 409]


async def test_the_next_owner_of_an_id_sees_nothing_of_the_former_one() -> None:
    async with owned() as fakes:
        gateway = replace(fakes, audit=fakes.gateway.audit)
        await gateway.ask("POST", "/agents", NEW_AGENT)
        await gateway.ask("PATCH", "/agents/mine", {"visibility": "unlisted"})
        await gateway.ask("DELETE", "/agents/mine")
        await gateway.ask("POST", "/agents", NEW_AGENT, BO)
        entries = (await gateway.ask("GET", "/audit?agent_id=mine", headers=BO)).json["entries"]
        assert [(entry["action"], entry["actor"]) for entry in entries] == [("agent.add", "user:bo")]
        # The operator sees all of them.
        assert len(gateway.gateway.audit.list("mine")) == 4
        # And the former owner sees its own entries when it owns the id again.
        await gateway.ask("DELETE", "/agents/mine", headers=BO)
        await gateway.ask("POST", "/agents", NEW_AGENT)
        entries = (await gateway.ask("GET", "/audit?agent_id=mine")).json["entries"]
        assert [entry["action"] for entry in entries] == [
            "agent.add", "agent.remove", "agent.update", "agent.add",
        ]  # fmt: skip
        assert {entry["actor"] for entry in entries} == {"user:ada"}


async def test_changes_of_an_owner_are_rate_limited_and_reads_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limiter, "_CHANGE_QUOTA", Quota(requests=3, seconds=60))

    async with owned() as gateway:
        statuses = [
            (await gateway.ask("PATCH", "/agents/greeter", {"visibility": "unlisted"})).status
            for _ in range(5)
        ]
        assert statuses[3:] == [429, 429]
        refused = await gateway.ask("PATCH", "/agents/greeter", {"visibility": "public"})
        assert int(refused.headers["retry-after"]) > 0
        assert (await gateway.ask("GET", "/agents")).status == 200
        assert (await gateway.ask("DELETE", "/agents/nobody", headers=BO)).status == 404
