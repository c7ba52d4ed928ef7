"""Owner API: keys, deliveries, instances, audit and files; authentication and errors."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.dates import rfc3339_at
from cardwright_gateway.backends.queue import QueueBackend
from tests.gateway.api.owner.gateways import ADA, BO, KEY, NOW, SECRET, Delivery, Entry, owned
from tests.serve.client import call

if TYPE_CHECKING:
    from cardwright_gateway.auth.principal import Principal
    from tests.serve.client import Reply

READ = ("/agents", "/agents/greeter", "/agents/greeter/keys", "/instances", "/audit",
        "/agents/greeter/tasks/t-1/webhooks/w-1/deliveries")  # fmt: skip
DELIVERIES = "/agents/greeter/tasks/t-1/webhooks/w-1/deliveries"


@pytest.mark.parametrize("path", READ)
async def test_an_anonymous_request_gets_401_with_the_accepted_credentials(path: str) -> None:
    async with owned() as gateway:
        reply = await gateway.ask("GET", path, headers={})

        assert (reply.status, reply.headers["www-authenticate"]) == (401, "Bearer")
        assert reply.headers["cache-control"] == "no-store"


async def test_a_user_without_agents_may_only_read_public_agents() -> None:
    async with owned() as gateway:
        poor = {"Authorization": "Bearer poor"}
        seen = await gateway.ask("GET", "/agents", headers=poor)
        assert seen.status == 200
        assert [agent["id"] for agent in seen.json["agents"]] == ["greeter", "nobodys", "worked"]
        assert (await gateway.ask("GET", "/agents/greeter", headers=poor)).status == 403
        assert (await gateway.ask("POST", "/agents", {"id": "a", "agent": {}}, headers=poor)).status == 403


@pytest.mark.parametrize("path", READ)
async def test_responses_are_not_cached_and_head_has_the_same_header(path: str) -> None:
    async with owned() as gateway:
        got, head = await gateway.ask("GET", path), await gateway.ask("HEAD", path)

        assert got.headers["cache-control"] == "no-store"
        assert (head.status, head.headers, head.body) == (200, got.headers, b"")


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/agents", "GET, POST, HEAD, OPTIONS"),
        ("/agents/greeter", "GET, PUT, PATCH, DELETE, HEAD, OPTIONS"),
        ("/files", "POST, OPTIONS"),
        ("/openapi.json", "GET, HEAD, OPTIONS"),
    ],
)
async def test_a_path_lists_its_allowed_methods(path: str, allowed: str) -> None:
    async with owned() as gateway:
        response = await gateway.ask("OPTIONS", path, headers={})
        refused = await gateway.ask("TRACE", path, headers={})

        assert (response.status, response.headers["allow"]) == (204, allowed)
        assert (refused.status, refused.headers["allow"]) == (405, allowed)


async def test_the_secret_of_a_key_is_returned_only_when_issued_or_rotated() -> None:
    async with owned() as gateway:
        key_request = {
            "name": "partner",
            "expires_at": "2099-01-01T00:00:00Z",
            "quota": {"requests": 5, "seconds": 60},
        }
        issued = await gateway.ask("POST", "/agents/greeter/keys", key_request)
        rotated = await gateway.ask("POST", "/agents/greeter/keys/key_0/rotate")
        listed = await gateway.ask("GET", "/agents/greeter/keys")

        assert (issued.status, issued.json["key"]) == (201, SECRET)
        assert issued.json["quota"] == {"requests": 5, "seconds": 60}
        assert issued.json["expires_at"] == "2099-01-01T00:00:00Z"
        assert rotated.json["key"] == SECRET
        assert rotated.json["id"] == issued.json["id"]
        assert SECRET.encode() not in listed.body
        assert gateway.keys.kept[0].owner_id == "ada"
        assert gateway.keys.actors == ["user:ada", "user:ada"]


async def test_a_revoked_key_stays_in_the_list_and_is_not_rotated() -> None:
    async with owned() as gateway:
        await gateway.ask("POST", "/agents/greeter/keys", {})
        first = await gateway.ask("DELETE", "/agents/greeter/keys/key_0")
        again = await gateway.ask("DELETE", "/agents/greeter/keys/key_0")
        rotated = await gateway.ask("POST", "/agents/greeter/keys/key_0/rotate")
        listed = await gateway.ask("GET", "/agents/greeter/keys")

        assert (first.status, again.status, rotated.status) == (204, 204, 409)
        assert [key["revoked_at"] for key in listed.json["keys"]] == ["2027-01-15T08:00:00Z"]


async def test_a_key_of_one_agent_is_not_found_at_another() -> None:
    async with owned() as gateway:
        await gateway.ask("POST", "/agents/greeter/keys", {})
        for method, path in (("DELETE", ""), ("POST", "/rotate")):
            reply = await gateway.ask(method, f"/agents/hidden/keys/key_0{path}")
            assert (reply.status, reply.json["error"]["details"][0]["reason"]) == (404, "KEY_NOT_FOUND")
        assert gateway.keys.kept[0].revoked_at is None


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"expires_at": "soon"}, "/expires_at"),
        ({"expires_at": "2001-01-01T00:00:00Z"}, "/expires_at"),
        ({"expires_at": "9999-12-31T23:59:59-01:00"}, "/expires_at"),
        ({"quota": {"requests": 5}}, "/quota/seconds"),
        ({"quota": {"requests": -1, "seconds": 1}}, "/quota/requests"),
        ({"name": "a\nb"}, "/name"),
        ({"name": 7}, "/name"),
        ({"nam": "x"}, ""),
    ],
)
async def test_an_invalid_key_request_is_refused_with_its_pointer(
    body: dict[str, object], pointer: str
) -> None:
    async with owned() as gateway:
        reply = await gateway.ask("POST", "/agents/greeter/keys", body)

        assert reply.status == 400
        faults = reply.json["error"]["details"][1]["fieldViolations"]
        assert pointer in [one["field"] for one in faults]
        assert faults[0]["description"] in reply.json["error"]["message"]
        assert not gateway.keys.kept


async def test_keys_are_listed_in_pages() -> None:
    async with owned() as gateway:
        for _ in range(5):
            await gateway.ask("POST", "/agents/greeter/keys", {})
        first = (await gateway.ask("GET", "/agents/greeter/keys?page_size=3")).json
        rest = (await gateway.ask("GET", f"/agents/greeter/keys?page_token={first['next_page_token']}")).json

        assert [key["id"] for key in first["keys"] + rest["keys"]] == [f"key_{n}" for n in range(5)]
        assert "next_page_token" not in rest


async def test_attempts_are_listed_newest_first_in_pages() -> None:
    async with owned() as gateway:
        first = (await gateway.ask("GET", f"{DELIVERIES}?page_size=6")).json
        rest = (await gateway.ask("GET", f"{DELIVERIES}?page_token={first['next_page_token']}")).json

        assert [one["id"] for one in first["deliveries"]] == [f"dlv_{n}" for n in range(9, 3, -1)]
        assert [one["id"] for one in rest["deliveries"]] == [f"dlv_{n}" for n in range(3, -1, -1)]
        assert "next_page_token" not in rest


async def test_no_attempt_is_missing_between_pages_of_maximum_size() -> None:
    async with owned() as gateway:
        assert gateway.webhooks is not None
        gateway.webhooks.rows = [Delivery(f"dlv_{number}") for number in range(450)]
        seen: list[str] = []
        token = ""
        while True:
            page = (await gateway.ask("GET", f"{DELIVERIES}?page_size=200&page_token={token}")).json
            seen += [one["id"] for one in page["deliveries"]]
            if "next_page_token" not in page:
                break
            token = page["next_page_token"]

        assert seen == [f"dlv_{number}" for number in range(450)]


async def test_an_unknown_webhook_is_not_found() -> None:
    async with owned() as gateway:
        assert gateway.webhooks is not None
        gateway.webhooks.rows = []
        assert (await gateway.ask("GET", DELIVERIES)).json == {"deliveries": []}
        absent = await gateway.ask("GET", DELIVERIES.replace("w-1", "w-2"))
        assert (absent.status, absent.json["error"]["details"][0]["reason"]) == (404, "WEBHOOK_NOT_FOUND")


async def test_a_failed_attempt_is_redelivered_with_an_idempotency_key() -> None:
    async with owned() as gateway:
        keyed = {**ADA, "Idempotency-Key": "once"}
        again = await gateway.ask("POST", f"{DELIVERIES}/dlv_3/redeliver", headers=keyed)
        refused = await gateway.ask("POST", f"{DELIVERIES}/dlv_0/redeliver")
        absent = await gateway.ask("POST", f"{DELIVERIES}/dlv_none/redeliver")
        odd = await gateway.ask(
            "POST", f"{DELIVERIES}/dlv_3/redeliver", headers={**ADA, "Idempotency-Key": "a b"}
        )
        twice = await gateway.ask(
            "POST", f"{DELIVERIES}/dlv_3/redeliver", headers=[*keyed.items(), ("Idempotency-Key", "other")]
        )

        assert (again.status, again.json) == (202, {"delivery_id": "dlv_new"})
        assert gateway.webhooks is not None
        assert gateway.webhooks.again == [("dlv_3", "once")]
        assert [one.status for one in (refused, absent, odd, twice)] == [409, 404, 400, 400]


async def test_with_webhooks_disabled_there_are_no_attempts() -> None:
    async with owned() as gateway:
        gateway.webhooks = None

        assert (await gateway.ask("GET", DELIVERIES)).status == 404
        assert (await gateway.ask("POST", f"{DELIVERIES}/dlv_1/redeliver")).status == 404


async def test_an_agent_with_polling_workers_is_online() -> None:
    async with owned() as gateway:
        before = _instance(await gateway.ask("GET", "/instances"), "worked")
        backend = gateway.gateway.agents["worked"].backend
        assert isinstance(backend, QueueBackend)
        await backend.take(0)
        after = _instance(await gateway.ask("GET", "/instances"), "worked")

        assert (before["mode"], before["state"]) == ("pull", "offline")
        assert (after["mode"], after["state"]) == ("pull", "online")
        assert "seen_seconds_ago" not in before
        assert float(str(after["seen_seconds_ago"])) >= 0


def _instance(reply: Reply, agent_id: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = reply.json["instances"]
    return next(one for one in found if one["agent_id"] == agent_id)


async def test_the_audit_of_own_agents_is_listed_newest_first_in_pages() -> None:
    async with owned() as gateway:
        agents = ["greeter", "bos", "hidden", "greeter", "nobodys", "greeter"]
        gateway.audit.rows = [
            Entry(number, agent, {"owner_id": "ada"}) for number, agent in enumerate(agents, 1)
        ]
        first = (await gateway.ask("GET", "/audit?page_size=2")).json
        rest = (await gateway.ask("GET", f"/audit?page_token={first['next_page_token']}")).json
        one = (await gateway.ask("GET", "/audit?agent_id=hidden")).json

        assert [entry["number"] for entry in first["entries"] + rest["entries"]] == [6, 4, 3, 1]
        assert "next_page_token" not in rest
        assert [entry["number"] for entry in one["entries"]] == [3]


async def test_the_audit_hides_entries_of_another_owner_with_the_same_id() -> None:
    async with owned() as gateway:
        gateway.audit.rows = [
            Entry(1, "greeter", {"owner_id": "bo"}),
            Entry(2, "greeter", {"owner_id": "ada"}),
            Entry(3, "greeter", {}),
        ]
        entries = (await gateway.ask("GET", "/audit")).json["entries"]

        assert [entry["number"] for entry in entries] == [2]


async def test_a_file_is_stored_for_a_user_or_the_owner_of_a_key() -> None:
    async with owned() as gateway:
        typed = {"Content-Type": "text/plain; charset=utf-8"}
        user = await gateway.ask("POST", "/files?name=note%20%C3%A4.txt", b"hello", {**ADA, **typed})
        key = await gateway.ask("POST", "/files?agent_id=greeter", b"hello", {**KEY, **typed})

        assert (user.status, key.status) == (201, 201)
        assert user.json["name"] == "note ä.txt"
        assert (user.json["size"], user.json["media_type"]) == (5, "text/plain; charset=utf-8")
        assert gateway.bytes_of("ada") == 10
        assert gateway.bytes_of("bo") == 0


@pytest.mark.parametrize(
    ("path", "headers", "body", "status"),
    [
        ("/files", {}, b"x", 401),
        ("/files?agent=greeter", ADA, b"x", 400),
        ("/files?agent_id=greeter", {}, b"x", 401),
        ("/files?agent_id=absent", KEY, b"x", 404),
        ("/files", ADA, b"", 400),
        ("/files", ADA, b"x" * 101, 413),
        ("/files?name=..%2fpasswd", ADA, b"x", 400),
        ("/files?name=a%0d%0ab", ADA, b"x", 400),
        ("/files?name=a&name=b", ADA, b"x", 400),
        ("/files?name=" + "a" * 256, ADA, b"x", 400),
        ("/files", {**ADA, "Content-Type": "multipart/form-data; boundary=x"}, b"x", 415),
        ("/files", {**ADA, "Content-Type": "no type"}, b"x", 400),
    ],
)
async def test_a_file_that_cannot_be_stored_is_refused(
    path: str, headers: dict[str, str], body: bytes, status: int
) -> None:
    async with owned(files={"max_bytes": 100}) as gateway:
        reply = await gateway.ask("POST", path, body, headers)

        assert reply.status == status
        assert gateway.bytes_of("ada") == 0


async def test_a_key_names_its_agent_itself() -> None:
    async with owned() as gateway:
        reply = await gateway.ask("POST", "/files", b"x", KEY)
        body = {"message": "hello", "attachments": [{"file_id": reply.json["file_id"]}]}
        invoked = await call(gateway, "POST", "/greeter/v1/invoke", KEY, body=json.dumps(body).encode())

        assert (reply.status, invoked.status) == (201, 200)
        assert reply.headers["ratelimit-policy"] == '"calls";q=60;w=60'


async def test_a_key_of_a_former_owner_uploads_nothing() -> None:
    async with owned() as gateway:
        caller = gateway.identity.caller

        async def former(scope: Any) -> Principal:
            return replace(await caller(scope), owner_id="bo")

        gateway.identity.caller = former  # type: ignore[method-assign] # to be one
        reply = await gateway.ask("POST", "/files", b"x", KEY)

        assert (reply.status, reply.reason) == (401, "UNAUTHENTICATED")
        assert reply.headers["www-authenticate"]


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("/agents?page_sise=1", "page_size, page_token"),
        ("/agents/greeter?x=1", "this request has none"),
        ("/audit?agentId=greeter", "agent_id, page_size, page_token"),
    ],
)
async def test_an_unknown_query_parameter_is_refused(path: str, known: str) -> None:
    async with owned() as gateway:
        reply = await gateway.ask("GET", path)

        assert (reply.status, reply.reason) == (400, "BAD_QUERY")
        assert known in reply.json["error"]["message"]


async def test_a_full_file_quota_names_a_fix_and_affects_no_other_owner() -> None:
    async with owned(files={"max_bytes": 1024, "owner_bytes": 2048}) as gateway:
        first = await gateway.ask("POST", "/files", b"x" * 600)
        second = await gateway.ask("POST", "/files", b"x" * 600)
        other = await gateway.ask("POST", "/files", b"x" * 600, BO)

        assert (first.status, second.status, other.status) == (201, 507, 201)
        assert second.reason == "FULL"
        assert "wait" in second.json["error"]["message"]


async def test_the_openapi_description_is_public_and_names_its_server() -> None:
    async with owned() as gateway:
        reply = await gateway.ask("GET", "/openapi.json", headers={})

        assert reply.status == 200
        assert reply.json["servers"] == [{"url": "https://gateway.example.com"}]
        assert "public" in reply.headers["cache-control"]


def test_times_are_in_rfc_3339_format() -> None:
    assert rfc3339_at(NOW) == "2027-01-15T08:00:00Z"
    assert rfc3339_at(None) is None


async def test_the_gateways_own_keys_and_audit_respond_as_the_lists_do() -> None:
    async with owned() as gateway:
        real = replace(gateway, keys=gateway.gateway.keys, audit=gateway.gateway.audit)
        key_request = {"name": "partner", "quota": {"requests": 5, "seconds": 60}}
        issued = (await real.ask("POST", "/agents/greeter/keys", key_request)).json
        rotated = (await real.ask("POST", f"/agents/greeter/keys/{issued['id']}/rotate")).json
        revoked = await real.ask("DELETE", f"/agents/greeter/keys/{issued['id']}")
        listed = (await real.ask("GET", "/agents/greeter/keys")).json["keys"]
        changes = await real.ask("GET", "/audit")
        others = (await real.ask("GET", "/audit", headers=BO)).json["entries"]

        assert issued["key"].startswith("bak_")
        assert issued["key"] != rotated["key"]
        assert issued["quota"] == {"requests": 5, "seconds": 60}
        assert revoked.status == 204
        assert [(key["id"], key["revoked_at"] is None) for key in listed] == [(issued["id"], False)]
        actions = [(entry["action"], entry["actor"]) for entry in changes.json["entries"]]
        assert actions == [(f"key.{done}", "user:ada") for done in ("revoke", "rotate", "issue")]
        assert issued["key"].encode() not in changes.body
        assert others == []


async def test_the_audit_names_the_actor_of_a_redelivery() -> None:
    async with owned() as gateway:
        await gateway.ask("POST", f"{DELIVERIES}/dlv_3/redeliver")

        assert gateway.webhooks is not None
        assert gateway.webhooks.actors == [("user:ada", "ada")]


async def test_keys_of_a_former_owner_are_not_found() -> None:
    async with owned() as gateway:
        gateway.keys.issue("greeter", "bo", actor="", name="before", quota=None, expires_at=None)
        own = (await gateway.ask("POST", "/agents/greeter/keys", {})).json
        listed = (await gateway.ask("GET", "/agents/greeter/keys")).json["keys"]

        assert [key["id"] for key in listed] == [own["id"]]
        assert (await gateway.ask("DELETE", "/agents/greeter/keys/key_0")).status == 404
        assert (await gateway.ask("POST", "/agents/greeter/keys/key_0/rotate")).status == 404


async def test_file_uploads_count_as_calls() -> None:
    async with owned(limits={"requests": 2}) as gateway:
        by_user = [await gateway.ask("POST", "/files", b"x") for _ in range(3)]
        by_key = [await gateway.ask("POST", "/files?agent_id=greeter", b"x", KEY) for _ in range(3)]
        other = await gateway.ask("POST", "/files", b"x", BO)

        assert [one.status for one in (*by_user, *by_key, other)] == [201, 201, 429, 201, 201, 429, 201]
        assert int(by_user[2].headers["retry-after"]) > 0
