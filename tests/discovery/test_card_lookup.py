"""Finding and fetching one card: candidate URLs, statuses that end the lookup, and errors."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Card, fetch_card
from cardwright.discovery.candidates import candidates, given
from cardwright.errors import AccessDenied, BadResponse, ConnectionDenied, MalformedDocument, UnknownDialect
from cardwright.guard import target_of
from cardwright.signing import Key, KeySet, Policy, new_key, sign
from tests.peers import RecordedRequest, Reply, peer

if TYPE_CHECKING:
    from cardwright.discovery.fetching import FetchedCard

LOOPBACK = ("127.0.0.0/8",)
CARD: dict[str, Any] = {
    "name": "Tide Mill",
    "description": "Says when the mill can grind.",
    "version": "2.0.0",
    "supportedInterfaces": [
        {"url": "https://mill.example.com/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    ],
    "capabilities": {},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [{"id": "tide", "name": "Tide", "description": "Reads the tide table.", "tags": ["sea"]}],
}
BODY = json.dumps(CARD).encode()
JSON = {"Content-Type": "application/json"}
PLACES = ("/.well-known/agent-card.json", "/.well-known/agent.json")


def fetched(path: str = "", /, **answers: Reply) -> tuple[FetchedCard | Exception, list[RecordedRequest]]:
    """Fetch from a peer whose answers go by place: card, older, root_card, root_older; anything else is 404."""
    table = {
        f"{path}{PLACES[0]}": answers.get("card"),
        f"{path}{PLACES[1]}": answers.get("older"),
        **({PLACES[0]: answers.get("root_card"), PLACES[1]: answers.get("root_older")} if path else {}),
    }

    async def scene() -> tuple[FetchedCard | Exception, list[RecordedRequest]]:
        async with peer(lambda request: table.get(request.path) or Reply(404)) as one:
            try:
                return await fetch_card(f"{one.origin}{path}", allow=LOOPBACK), one.requests
            except Exception as error:  # noqa: BLE001 - looked at by the test
                return error, one.requests

    return asyncio.run(scene())


def paths(requests: list[RecordedRequest]) -> list[str]:
    return [one.path for one in requests]


def test_candidate_urls_go_from_path_to_root_and_from_new_to_legacy_name() -> None:
    assert candidates(target_of("https://h.example/a/b/")) == (
        "https://h.example/a/b/.well-known/agent-card.json",
        "https://h.example/a/b/.well-known/agent.json",
        "https://h.example/.well-known/agent-card.json",
        "https://h.example/.well-known/agent.json",
    )


@pytest.mark.parametrize("path", ["/x/card.json", "/.well-known/agent", "/cards?id=7"])
def test_a_direct_card_url_is_the_only_candidate(path: str) -> None:
    assert candidates(target_of(f"https://h.example{path}")) == (f"https://h.example{path}",)


def test_a_bare_host_means_https() -> None:
    assert given(" example.com:8443/x ").url == "https://example.com:8443/x"
    assert given("localhost:8080").host == "localhost"


def test_a_card_says_where_it_came_from() -> None:
    headers = {**JSON, "ETag": '"7"', "Set-Cookie": "a=b", "Cache-Control": "max-age=60"}
    found, requests = fetched(card=Reply(body=BODY, headers=headers))
    assert not isinstance(found, Exception)
    assert found.card.document == CARD
    assert str(found.dialect) == "a2a-1.0"
    assert found.provenance.etag == '"7"'
    assert dict(found.provenance.headers) == {
        "content-type": "application/json",
        "etag": '"7"',
        "cache-control": "max-age=60",
    }
    assert found.provenance.signatures.state == "unsigned"
    assert found.provenance.notes == ()
    assert requests[0].headers["a2a-version"] == "1.0"
    assert requests[0].headers["accept"].startswith("application/json")


def test_a_404_or_web_page_leads_to_the_next_candidate_url() -> None:
    page = Reply(body=b"<html>", headers={"Content-Type": "text/html"})
    found, requests = fetched("/weather", card=page, root_older=Reply(body=BODY, headers=JSON))
    assert not isinstance(found, Exception)
    assert paths(requests) == [f"/weather{PLACES[0]}", f"/weather{PLACES[1]}", *PLACES]
    assert "web page" in found.provenance.tried[0]
    assert "(A2A 0.1 and 0.2)" in found.provenance.notes[0]


@pytest.mark.parametrize("status", [401, 403])
def test_a_401_ends_the_lookup(status: int) -> None:
    headers = {"WWW-Authenticate": 'Bearer realm="secret-realm", Basic realm="x"'}
    error, requests = fetched("/a", card=Reply(status, b"canary", headers), root_card=Reply(body=BODY))
    assert isinstance(error, AccessDenied)
    assert len(requests) == 1
    assert error.schemes == ("bearer", "basic")
    assert "canary" not in str(error)
    assert "secret-realm" not in str(error)


@pytest.mark.parametrize("status", [500, 503, 406, 204])
def test_another_status_ends_the_lookup(status: int) -> None:
    error, requests = fetched(
        "/a", card=Reply(status, headers={"Retry-After": "90"}), root_card=Reply(body=BODY)
    )
    assert isinstance(error, BadResponse)
    assert (error.kind, error.status, error.retry_after) == ("status", status, 90.0)
    assert len(requests) == 1


def test_a_failed_lookup_lists_every_request() -> None:
    error, requests = fetched("/a")
    assert isinstance(error, BadResponse)
    assert error.kind == "not-found"
    assert str(error).count("HTTP 404") == len(requests) == 4


async def test_an_agent_that_refuses_1_0_gets_a_request_for_0_3() -> None:
    def answer(request: RecordedRequest) -> Reply:
        return Reply(body=BODY) if request.headers["a2a-version"] == "0.3" else Reply(400)

    async with peer(answer) as one:
        found = await fetch_card(one.origin, allow=LOOPBACK)
    assert found.provenance.version == "0.3"
    assert "rejected A2A-Version 1.0" in found.provenance.notes[0]


def test_json_that_is_no_card_is_reported() -> None:
    assert isinstance(fetched(card=Reply(body=b'{"a": 1}'))[0], UnknownDialect)
    broken, requests = fetched(card=Reply(body=b'{"name": "a", "name": "b"}'), older=Reply(body=BODY))
    assert isinstance(broken, MalformedDocument)
    assert len(requests) == 1


@pytest.mark.parametrize("body", [BODY[:-9], b'{"name": ', b"", b"null", b"[1]"])
def test_a_broken_card_is_not_replaced_by_that_of_another_agent(body: bytes) -> None:
    """The card at the host's root may be another agent's, which would get this one's token."""
    error, requests = fetched("/weather", card=Reply(body=body, headers=JSON), root_card=Reply(body=BODY))
    assert isinstance(error, (MalformedDocument, UnknownDialect))
    assert len(requests) == 1


def test_an_invalid_card_is_returned_with_its_violations() -> None:
    found, _ = fetched(card=Reply(body=b'{"supportedInterfaces": []}'))
    assert not isinstance(found, Exception)
    assert not found.card.valid
    assert found.violations == found.card.violations


async def test_headers_are_sent_to_the_named_origin_only() -> None:
    async with peer(lambda _: Reply(body=BODY)) as other:

        def answer(_: RecordedRequest) -> Reply:
            return Reply(302, headers={"Location": f"{other.origin}/card.json"})

        async with peer(answer) as one:
            await fetch_card(one.origin, allow=LOOPBACK, headers={"Authorization": "Bearer t"})
            first, second = one.requests[0], other.requests[0]
    assert first.headers["authorization"] == "Bearer t"
    assert "authorization" not in second.headers


def test_loopback_is_denied_unless_allowed() -> None:
    with pytest.raises(ConnectionDenied, match=r"^refused: "):
        asyncio.run(fetch_card("http://127.0.0.1:9"))


def test_a_signature_by_a_trusted_key_is_reported() -> None:
    key = Key.from_jwk(new_key("ES256", "mill"))
    body = json.dumps(sign(Card.from_document(CARD), key=key, kid="mill", alg="ES256").document).encode()

    async def scene(keys: KeySet | None) -> FetchedCard:
        async with peer(lambda _: Reply(body=body)) as one:
            return await fetch_card(one.origin, allow=LOOPBACK, keys=keys, policy=Policy())

    known = asyncio.run(scene(KeySet.of([key])))
    assert known.provenance.signatures.state == "verified"
    assert known.provenance.signatures.signed_by == key.thumbprint
    assert asyncio.run(scene(None)).provenance.signatures.state == "unverified"
