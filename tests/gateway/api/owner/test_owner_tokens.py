"""Owners added to a running gateway, and their tokens."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import BadArgument
from cardwright_gateway import Gateway
from cardwright_gateway.auth.last_use import LastUse
from cardwright_gateway.auth.owner_tokens import KEPT_SECONDS, MAX_TOKENS, OwnerTokens
from cardwright_gateway.database.agents import AddedAgents
from cardwright_gateway.database.audit import Audit
from cardwright_gateway.database.owners import OwnerDirectory
from cardwright_gateway.database.tables import open_database
from cardwright_gateway.errors import OwnerConflict, SecretsFull, UnknownOwner, UnknownToken
from cardwright_gateway_models.settings.gateway import Owner
from tests.gateway.api.owner.response_schemas import check_described
from tests.gateway.gateways import BASE, CARD
from tests.serve.client import CARD_PATH, Reply, call

if TYPE_CHECKING:
    from pathlib import Path

ADMIN = "a" * 20
OPERATOR = {"Authorization": f"Bearer {ADMIN}"}
AGENT = {"card": CARD, "backend": {"url": "https://agent.example"}}


async def ask(gateway: Gateway, method: str, path: str, body: Any = None, **headers: str) -> Reply:
    sent = b"" if body is None else json.dumps(body).encode()
    reply = await call(gateway, method, f"/api/v1{path}", headers or OPERATOR, body=sent)
    check_described(method, f"/api/v1{path}", reply)
    return reply


def gateway_of(**more: Any) -> Gateway:
    """Return a gateway with an `admin_token` and without an identity provider."""
    return Gateway({"base_url": BASE, "agents": {}, "admin_token": ADMIN, **more})


async def onboarded(gateway: Gateway, owner_id: str = "acme") -> tuple[str, dict[str, str]]:
    """Add an owner with a token, and return the id of the token and its header."""
    added = await ask(gateway, "POST", "/owners", {"id": owner_id, "name": "Acme Ltd"})
    assert added.status == 201, added.body
    issued = await ask(gateway, "POST", f"/owners/{owner_id}/tokens", {"name": "laptop"})
    assert issued.status == 201, issued.body
    return issued.json["id"], {"Authorization": f"Bearer {issued.json['token']}"}


async def test_an_added_owner_works_without_restart_and_identity_provider() -> None:
    async with gateway_of() as gateway:
        _, token = await onboarded(gateway)
        added = await ask(gateway, "POST", "/agents", {"id": "mine", "agent": AGENT}, **token)
        assert added.status == 201, added.body
        issued = await ask(gateway, "POST", "/agents/mine/keys", {"name": "caller"}, **token)
        assert issued.json["key"].startswith("bak_")
        listed = await ask(gateway, "GET", "/agents", **token)
        assert [agent["id"] for agent in listed.json["agents"]] == ["mine"]
        served = await call(
            gateway, "GET", "/agents/mine/.well-known/agent-card.json", {"A2A-Version": "1.0"}
        )
        assert served.json["provider"]["organization"] == "Acme Ltd"


async def test_an_agent_of_an_owner_has_a_queue_for_the_owners_workers() -> None:
    async with gateway_of() as gateway:
        _, token = await onboarded(gateway)
        queue = {"token": "w" * 20, "offline": "wait"}
        agent = {"card": CARD, "backend": {"queue": queue}, "tasks": "pass", "invoke": True}
        added = await ask(gateway, "POST", "/agents", {"id": "worked", "agent": agent}, **token)
        assert added.status == 201, added.body
        assert queue["token"].encode() not in added.body
        key = (await ask(gateway, "POST", "/agents/worked/keys", {}, **token)).json["key"]
        worker, work = {"Authorization": f"Bearer {queue['token']}"}, "/agents/worked/queue"
        assert (await call(gateway, "GET", work, {"Authorization": f"Bearer {key}"})).status == 401
        sent = json.dumps({"message": "two words"}).encode()
        invoking = asyncio.create_task(
            call(gateway, "POST", "/agents/worked/v1/invoke", {"X-Agent-API-Key": key}, body=sent)
        )
        taken = await call(gateway, "GET", f"{work}?wait=5", worker)
        assert taken.json["turn"]["parts"] == [{"text": "two words"}]
        result = json.dumps({"parts": [{"text": "done"}]}).encode()
        ended = await call(gateway, "POST", f"{work}/{taken.json['id']}/result", worker, body=result)
        assert ended.status == 204
        assert (await invoking).json["reply"] == "done"
        gone = await ask(gateway, "DELETE", "/agents/worked", **token)
        assert gone.status == 204
        assert (await call(gateway, "GET", work, worker)).status == 404


async def test_two_owners_do_not_see_each_others_agents_and_tokens() -> None:
    async with gateway_of() as gateway:
        _, acme = await onboarded(gateway)
        _, other = await onboarded(gateway, "other")
        await ask(gateway, "POST", "/agents", {"id": "mine", "agent": AGENT}, **acme)
        assert (await ask(gateway, "GET", "/agents/mine", **other)).status == 404
        assert (await ask(gateway, "GET", "/owners/acme/tokens", **other)).status == 404
        assert (await ask(gateway, "GET", "/owners/acme/tokens", **acme)).status == 200
        assert (await ask(gateway, "GET", "/owners", **acme)).status == 401


async def test_a_revoked_token_is_refused_and_stays_in_the_list() -> None:
    async with gateway_of() as gateway:
        token_id, token = await onboarded(gateway)
        assert (await ask(gateway, "GET", "/agents", **token)).status == 200
        assert (await ask(gateway, "DELETE", f"/owners/acme/tokens/{token_id}")).status == 204
        refused = await ask(gateway, "GET", "/agents", **token)
        assert (refused.status, refused.headers["www-authenticate"]) == (401, 'Bearer realm="owners"')
        assert token["Authorization"][7:].encode() not in refused.body
        listed = (await ask(gateway, "GET", "/owners/acme/tokens")).json["tokens"]
        assert [(one["id"], one["revoked_at"] is None) for one in listed] == [(token_id, False)]
        assert (await ask(gateway, "DELETE", "/owners/acme/tokens/tok_none")).status == 404


async def test_an_owner_without_agents_is_removed_with_its_tokens() -> None:
    async with gateway_of() as gateway:
        _, token = await onboarded(gateway)
        await ask(gateway, "POST", "/agents", {"id": "mine", "agent": AGENT}, **token)
        refused = await ask(gateway, "DELETE", "/owners/acme")
        assert (refused.status, "'mine'" in refused.json["error"]["message"]) == (409, True)
        await ask(gateway, "DELETE", "/agents/mine", **token)
        assert (await ask(gateway, "DELETE", "/owners/acme")).status == 204
        assert (await ask(gateway, "GET", "/owners/acme")).status == 404
        assert (await ask(gateway, "GET", "/agents", **token)).status == 401
        # Tasks, files and tokens belong to the id: no other owner gets it.
        again = await ask(gateway, "POST", "/owners", {"id": "acme", "name": "Another"})
        assert (again.status, "belong" in again.json["error"]["message"]) == (409, True)
        assert (await ask(gateway, "DELETE", "/owners/acme")).status == 404
        assert (await ask(gateway, "GET", "/agents", **token)).status == 401


async def test_a_token_issues_no_token() -> None:
    async with gateway_of() as gateway:
        _, token = await onboarded(gateway)
        refused = await ask(gateway, "POST", "/owners/acme/tokens", {}, **token)
        assert (refused.status, refused.json["error"]["message"]) == (
            403, "only the operator issues tokens of owners; ask for a new one",
        )  # fmt: skip


def test_an_owner_removed_by_another_process_gets_nothing_new(tmp_path: Path) -> None:
    with closing(open_database(str(tmp_path / "gateway.db"))) as database:
        directory = OwnerDirectory({}, database)
        directory.add("acme", "Acme Ltd", actor="test")
        directory.remove("acme", actor="test")
        with pytest.raises(UnknownOwner):
            OwnerTokens(database).issue("acme", actor="test")
        with pytest.raises(UnknownOwner):
            AddedAgents(database).put("a", {"owner": "acme"}, at=1.0, actor="test")
        assert AddedAgents(database).all() == {}
        assert dict(OwnerDirectory({}, database)) == {}


async def test_owners_of_the_file_get_tokens_and_are_removed_in_the_file_alone() -> None:
    async with gateway_of(
        owners={"ada": {"name": "Ada"}}, agents={"greeter": AGENT | {"owner": "ada"}}
    ) as gateway:
        issued = await ask(gateway, "POST", "/owners/ada/tokens", {})
        token = {"Authorization": f"Bearer {issued.json['token']}"}
        listed = await ask(gateway, "GET", "/agents", **token)
        assert [agent["id"] for agent in listed.json["agents"]] == ["greeter"]
        assert (await ask(gateway, "DELETE", "/owners/ada")).status == 409
        assert (await ask(gateway, "POST", "/owners", {"id": "ada", "name": "Ada"})).status == 409
        records = (await ask(gateway, "GET", "/owners?page_size=1")).json
        assert [(one["id"], one["added"]) for one in records["owners"]] == [("ada", False)]


async def test_a_token_calls_the_owners_private_agent_as_a_user_token_does() -> None:
    async with gateway_of() as gateway:
        _, token = await onboarded(gateway)
        _, other = await onboarded(gateway, "other")
        agent = AGENT | {"visibility": "private"}
        await ask(gateway, "POST", "/agents", {"id": "mine", "agent": agent}, **token)
        card = "/agents/mine/extendedAgentCard"
        assert (await call(gateway, "GET", card, {"A2A-Version": "1.0", **token})).status == 200
        assert (await call(gateway, "GET", card, {"A2A-Version": "1.0", **other})).status == 404
        public = f"/agents/mine{CARD_PATH}"
        seen = [await call(gateway, "GET", public, {"A2A-Version": "1.0", **one}) for one in (token, other)]
        assert [one.json["skills"] == AGENT["card"]["skills"] for one in seen] == [True, False]


@pytest.mark.parametrize(
    "headers", [{"X": "y"}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {ADMIN}"}]
)
async def test_without_the_operators_token_no_owner_is_added(headers: dict[str, str]) -> None:
    async with gateway_of() as gateway:
        refused = await ask(gateway, "POST", "/owners", {"id": "acme", "name": "Acme"}, **headers)
        assert (refused.status, refused.headers["www-authenticate"]) == (401, "Bearer")
        assert (await ask(gateway, "GET", "/owners")).json == {"owners": []}


async def test_without_an_operator_token_owners_cannot_be_added_over_http() -> None:
    async with Gateway({"base_url": BASE, "agents": {}}) as gateway:
        refused = await ask(gateway, "POST", "/owners", {"id": "acme", "name": "Acme"}, A="b")
        assert refused.status == 403
        assert "admin_token" in refused.json["error"]["message"]


@pytest.mark.parametrize(
    "body",
    [
        {"id": "-", "name": "x"},
        {"id": "a"},
        {"id": "a", "name": ""},
        {"id": "a", "name": "x", "url": "ftp:x"},
    ],
)
async def test_an_invalid_owner_is_refused_with_its_pointer(body: dict[str, str]) -> None:
    async with gateway_of() as gateway:
        assert (await ask(gateway, "POST", "/owners", body)).status == 400


def test_an_owner_that_another_process_adds_is_known_after_a_refresh(tmp_path: Path) -> None:
    place = tmp_path / "gateway.db"
    with closing(open_database(place)) as here, closing(open_database(place)) as there:
        owners, others = OwnerDirectory({}, here), OwnerDirectory({}, there)
        others.add("acme", "Acme", actor="test")
        assert "acme" not in owners
        owners.refresh()
        assert owners["acme"].name == "Acme"
        with pytest.raises(OwnerConflict, match="choose another id"):
            OwnerDirectory({}, here).add("acme", "Again", actor="test")
        others.remove("acme", actor="test")
        owners.refresh()
        assert len(owners) == 0
        with pytest.raises(UnknownOwner):
            owners.remove("acme", actor="test")
        assert [row.action for row in Audit(here).list()] == ["owner.remove", "owner.add"]


def test_an_owner_of_the_file_hides_an_added_one(tmp_path: Path) -> None:
    with closing(open_database(tmp_path / "gateway.db")) as database:
        OwnerDirectory({}, database).add("ada", "Added", actor="test")
        owners = OwnerDirectory({"ada": Owner(name="Of the file")}, database)
        assert (owners["ada"].name, list(owners), owners.created_at("ada")) == ("Of the file", ["ada"], None)


def test_tokens_expire_and_are_stored_as_digests(tmp_path: Path) -> None:
    now = [1_800_000_000.0]
    place = tmp_path / "gateway.db"
    with closing(open_database(place)) as database:
        tokens = OwnerTokens(database, lambda: now[0])
        record, secret = tokens.issue("acme", actor="test", expires_at=now[0] + 60)
        found = tokens.find_all([record.digest])[record.digest]
        assert found.accepts(record.digest, now[0] + 59)
        assert not found.accepts(record.digest, now[0] + 60)
        with pytest.raises(BadArgument):
            tokens.issue("acme", actor="test", expires_at=now[0])
        with pytest.raises(BadArgument):
            tokens.issue("acme", actor="test", name=secret)
        with pytest.raises(UnknownToken):
            tokens.revoke(record.id, holder="other", actor="test")
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert secret.encode() not in stored


def test_an_owner_has_at_most_the_maximum_of_valid_tokens(tmp_path: Path) -> None:
    now = [1_800_000_000.0]
    with closing(open_database(tmp_path / "gateway.db")) as database:
        tokens = OwnerTokens(database, lambda: now[0])
        first, _ = tokens.issue("acme", actor="test")
        for _ in range(MAX_TOKENS - 1):
            tokens.issue("acme", actor="test", expires_at=now[0] + 60)
        with pytest.raises(SecretsFull, match="maximum of 100 valid tokens; revoke one first"):
            tokens.issue("acme", actor="test")
        tokens.issue("other", actor="test")
        tokens.revoke(first.id, holder="acme", actor="test")
        tokens.issue("acme", actor="test")
        assert len(tokens.list("acme")) == MAX_TOKENS + 1
        now[0] += KEPT_SECONDS + 61
        tokens.issue("acme", actor="test")
        assert len(tokens.list("acme")) == 2


def test_last_use_times_are_batched_and_never_decrease(tmp_path: Path) -> None:
    now = [1_800_000_000.0]
    with closing(open_database(tmp_path / "gateway.db")) as database:
        tokens = OwnerTokens(database)
        record, _ = tokens.issue("acme", actor="test")
        used, slow = LastUse(database, lambda: now[0]), LastUse(database, lambda: now[0] - 10)
        used.note(record.id)
        slow.note(record.id)
        assert tokens.list("acme")[0].last_used_at is None
        used.write()
        slow.write()
        assert tokens.list("acme")[0].last_used_at == now[0]
