"""Views per audience, and the extended card."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardwright import Card, well_known_agent_card
from cardwright.conversion.extensions import SCHEMAS_URI
from cardwright.serve import ApiKeys, BadSettings, BadViews, Caller, Views
from cardwright.serve.extended import METHODS
from cardwright_runtime.engine import load
from tests.serve.cards import both, example, newer
from tests.serve.client import CARD_PATH, Reply, ask

FRIEND, OWNER = "friend-key-0123456789", "owner-key-0123456789"
KEYS = ApiKeys.of({FRIEND: Caller("f"), OWNER: Caller("o", "owner")})
VIEWS = Views(
    fields={"/skills/*/tags/0": "public", "/capabilities/streaming": "owner"},
    skills={"order": "authenticated", "audit": "owner"},
)
APP = well_known_agent_card(both(), views=VIEWS, authenticate=KEYS, rpc_path="/rpc")


def as_(key: str | None, **headers: str) -> dict[str, str]:
    return {**({"X-API-Key": key} if key else {}), **headers}


def ids(reply: Reply) -> list[str]:
    return [skill["id"] for skill in reply.json["skills"]]


@pytest.mark.parametrize("version", ["", "1.0", "0.3"])
@pytest.mark.parametrize(
    ("key", "seen"), [(None, ["stock"]), (FRIEND, ["stock", "order"]), (OWNER, ["stock", "order", "audit"])]
)
def test_each_audience_sees_its_skills_in_every_dialect(
    key: str | None, seen: list[str], version: str
) -> None:
    reply = ask(APP, headers=as_(key, **{"A2A-Version": version}))
    assert ids(reply) == seen
    assert Card.from_bytes(reply.body).valid
    assert ("streaming" in reply.json["capabilities"]) == (key == OWNER)
    assert reply.json["securitySchemes"]["key"]
    for accept in ("application/yaml", "text/html"):
        body = ask(APP, headers=as_(key, Accept=accept)).body
        assert (b"Shows who took what" in body) == (key == OWNER)
        assert (b"Orders seeds" in body) == (key is not None)


def test_a_restricted_card_is_private_and_varies_by_authorization() -> None:
    public, private = ask(APP), ask(APP, headers=as_(FRIEND))
    assert public.headers["cache-control"] == "max-age=3600"
    assert private.headers["cache-control"] == "private, no-store"
    for reply in (public, private):
        assert "X-API-Key" in reply.headers["vary"].split(", ")


def test_if_modified_since_applies_to_the_public_view_only() -> None:
    card = example("beach-1.0")
    views = Views(skills={card.document["capabilities"][0]["id"]: "owner"})
    app = well_known_agent_card(card, views=views, authenticate=KEYS)
    written = ask(app).headers["last-modified"]
    assert ask(app, headers={"If-Modified-Since": written}).status == 304
    private = ask(app, headers=as_(OWNER, **{"If-Modified-Since": written}))
    assert (private.status, "last-modified" in private.headers) == (200, False)


def test_a_response_for_one_caller_is_never_given_to_another() -> None:
    order = [None, OWNER, FRIEND, None, OWNER, None, FRIEND, None]
    assert [len(ids(ask(APP, headers=as_(key)))) for key in order] == [1, 3, 2, 1, 3, 1, 2, 1]


def test_invalid_credentials_get_401_with_a_challenge() -> None:
    for headers in (as_("guessed"), [("X-API-Key", FRIEND), ("X-API-Key", FRIEND)]):
        reply = ask(APP, headers=headers)
        assert (reply.status, reply.reason) == (401, "UNAUTHENTICATED")
        assert reply.headers["www-authenticate"].startswith("ApiKey ")
        assert b"guessed" not in reply.body


def test_a_fully_hidden_card_requires_authentication() -> None:
    app = well_known_agent_card(newer(), views=Views(fields={"": "authenticated"}), authenticate=KEYS)
    assert ask(app).status == 401
    assert ask(app, headers=as_(FRIEND)).status == 200
    assert ask(app, url="/.well-known/ai-catalog.json").json["entries"] == []
    secret = well_known_agent_card(newer(), views=Views(fields={"": "owner"}), authenticate=KEYS)
    assert (ask(secret).status, ask(secret, headers=as_(FRIEND)).status) == (401, 404)


def test_a_hidden_card_looks_like_a_missing_one() -> None:
    cards = {"open": newer(), "ghost": newer(name="Ghost")}
    views = {"ghost": Views(fields={"": "owner"})}
    app = well_known_agent_card(
        cards, views=views, authenticate=KEYS, openapi_path="/openapi.json", index_path="/", rpc_path="/rpc"
    )
    for path in ("/.well-known/agent-card.json", "/.well-known/agent.json", "/v1/card", "/rpc"):
        for method in ("GET", "HEAD", "OPTIONS", "POST", "DELETE"):
            for key in (None, "guessed", FRIEND):
                there = ask(app, method, f"/ghost{path}", as_(key))
                absent = ask(app, method, f"/absent{path}", as_(key))
                assert (there.status, there.headers, there.body) == (
                    absent.status,
                    absent.headers,
                    absent.body,
                )
    for key in (None, "guessed", FRIEND):
        there, absent = (
            ask(app, url=f"{CARD_PATH}?id={one}", headers=as_(key)) for one in ("ghost", "absent")
        )
        assert (there.status, there.headers, there.body) == (absent.status, absent.headers, absent.body)
    assert ask(app, url=f"/ghost{CARD_PATH}", headers=as_(OWNER)).json["name"] == "Ghost"
    assert ask(app, url=f"{CARD_PATH}?id=ghost", headers=as_(OWNER)).json["name"] == "Ghost"
    for url in ("/openapi.json", "/", "/.well-known/ai-catalog.json"):
        assert b"ghost" not in ask(app, url=url).body.lower()


@pytest.mark.parametrize(
    "pointer", ["/securitySchemes/portal/description", "/additionalInterfaces", "/skills/0/security"]
)
def test_a_hybrid_hides_a_skill_in_both_halves(pointer: str) -> None:
    card = example("a2a-hybrid")
    if pointer == "/additionalInterfaces":
        interface = {"url": card.document["url"], "transport": "JSONRPC"}
        card = Card.from_document({**card.document, "additionalInterfaces": [interface]})
    with pytest.raises(BadViews, match=r"twice|not in the card"):
        well_known_agent_card(card, views=Views(fields={pointer: "owner"}), authenticate=KEYS)


def test_a_view_by_index_does_not_apply_to_another_element() -> None:
    cards = [newer(), newer(skills=newer().document["skills"][::-1])]
    given = iter(cards)
    views = Views(fields={"/skills/2": "owner"})
    app = well_known_agent_card(lambda: next(given), views=views, authenticate=KEYS)
    with pytest.raises(BadViews, match="the item there has changed"):
        app.reload()
    assert ids(ask(app)) == ["stock", "order"]


def test_a_failing_authenticator_authenticates_no_caller(caplog: pytest.LogCaptureFixture) -> None:
    def broken(scope: Any) -> Caller | None:
        raise ZeroDivisionError(scope["method"])

    app = well_known_agent_card(newer(), views=Views(skills={"audit": "owner"}), authenticate=broken)
    assert (ask(app).status, ask(app).reason) == (503, "NOT_READY")
    assert "authenticate raised an exception" in caplog.text


def test_a_hidden_skill_is_hidden_in_extensions_too() -> None:
    extensions = [
        {"uri": SCHEMAS_URI, "params": {"skills": {"audit": {"inputSchema": {"title": "AuditSecret"}}}}},
        {
            "uri": "https://cardwright.dev/extensions/carried/v1",
            "params": {"from": "a2a-0.3", "members": {"x": "AuditSecret"}},
        },
    ]
    card = newer(capabilities={"extensions": extensions})
    app = well_known_agent_card(card, views=Views(skills={"audit": "owner"}), authenticate=KEYS)
    assert b"AuditSecret" not in ask(app).body
    assert b"AuditSecret" in ask(app, headers=as_(OWNER)).body


def test_capabilities_of_a_beach_card_are_hidden_like_skills() -> None:
    card = example("beach-1.0")
    first = card.document["capabilities"][0]["id"]
    views = Views(skills={first: "owner"})
    app = well_known_agent_card(card, default="as-written", views=views, authenticate=KEYS)
    assert first not in [one["id"] for one in ask(app).json["capabilities"]]
    assert first not in ids(ask(app, headers={"A2A-Version": "1.0"}))
    assert first in [one["id"] for one in ask(app, headers=as_(OWNER)).json["capabilities"]]


def test_two_elements_of_one_array_are_hidden_at_once() -> None:
    views = Views(fields={"/skills/0": "owner", "/skills/1": "owner", "/skills/2/tags": "public"})
    app = well_known_agent_card(newer(), views=views, authenticate=KEYS)
    assert ids(ask(app)) == ["audit"]


@pytest.mark.parametrize(
    ("views", "message"),
    [
        (Views(fields={"/nothing": "owner"}), r"refer to \"?/nothing.* not in the card"),
        (Views(fields={"/skills/7": "owner"}), "not in the card"),
        (Views(skills={"reset": "owner"}), "the skill .* not in the card"),
        (Views(fields={"/name": "owner"}), "invalid card.*/name"),
        (Views(fields={"/skills": "owner"}), "invalid card"),
        (Views(fields={"/skills/*": "authenticated"}), "invalid card"),
        (
            Views(fields={"/securitySchemes": "owner", "/securityRequirements": "owner"}),
            "how to authenticate",
        ),
        (Views(fields={"/securityRequirements": "owner"}), "how to authenticate"),
    ],
)
def test_views_that_do_not_fit_the_card_are_refused(views: Views, message: str) -> None:
    with pytest.raises(BadViews, match=message):
        well_known_agent_card(newer(), views=views, authenticate=KEYS)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {"fields": []},
        {"skills": {"a": 1}},
        {"skills": {"a": "friends"}},
        {"member": {}},
        {"fields": {"x": "owner"}},
    ],
)
def test_views_of_another_shape_are_refused(value: Any) -> None:
    with pytest.raises(BadViews):
        Views.from_document(value)


def test_views_are_data() -> None:
    document = {"fields": {"/provider": "owner"}, "skills": {"audit": "authenticated"}}
    views = Views.from_document(json.loads(json.dumps(document)))
    assert (views.fields, views.skills) == (document["fields"], document["skills"])


def test_views_without_an_authenticator_are_refused() -> None:
    with pytest.raises(BadSettings, match="views need authenticate"):
        well_known_agent_card(newer(), views=Views(skills={"audit": "owner"}))


EXTENDED = {"/extendedAgentCard": "1.0", "/v1/card": "0.3", "/agent/authenticatedExtendedCard": "0.3"}


@pytest.mark.parametrize(("path", "version"), EXTENDED.items())
def test_the_extended_card_requires_authentication_in_each_version(path: str, version: str) -> None:
    refused = ask(APP, url=path)
    assert refused.status == 401
    assert "www-authenticate" in refused.headers
    reply = ask(APP, url=path, headers=as_(FRIEND))
    assert ids(reply) == ["stock", "order"]
    assert reply.headers["cache-control"] == "private, no-store"
    assert "X-API-Key" in reply.headers["vary"]
    assert str(Card.from_bytes(reply.body).dialect) == f"a2a-{version}"
    assert Card.from_bytes(reply.body).valid
    assert ids(ask(APP, url=path, headers=as_(OWNER))) == ["stock", "order", "audit"]


def test_an_agent_that_declares_no_extended_card_has_none() -> None:
    app = well_known_agent_card(newer(capabilities={}), authenticate=KEYS, rpc_path="/rpc")
    reply = ask(app, url="/extendedAgentCard", headers=as_(FRIEND))
    assert (reply.status, reply.reason) == (400, "UNSUPPORTED_OPERATION")
    assert rpc(app, "GetExtendedAgentCard").json["error"]["code"] == -32004


def test_a_declared_but_unconfigured_extended_card_is_reported() -> None:
    app = well_known_agent_card(newer(), rpc_path="/rpc")
    assert ask(app, url="/extendedAgentCard").reason == "EXTENDED_AGENT_CARD_NOT_CONFIGURED"
    assert rpc(app, "GetExtendedAgentCard").json["error"]["code"] == -32007


def rpc(app: Any, method: str, key: str | None = FRIEND, call_id: Any = 1, **headers: str) -> Reply:
    body = json.dumps({"jsonrpc": "2.0", "id": call_id, "method": method}).encode()
    fields = as_(key, **{"Content-Type": "application/json", **headers})
    return ask(app, "POST", "/rpc", fields, body=body)


@pytest.mark.parametrize(("method", "version"), METHODS.items())
@pytest.mark.parametrize("call_id", [1, "a", None, 1.5])
def test_the_extended_card_is_returned_over_json_rpc(method: str, version: str, call_id: Any) -> None:
    reply = rpc(APP, method, call_id=call_id)
    assert reply.status == 200
    assert (reply.json["jsonrpc"], reply.json["id"]) == ("2.0", call_id)
    card = Card.from_document(reply.json["result"])
    assert (str(card.dialect), card.valid) == (f"a2a-{version}", True)
    assert [skill["id"] for skill in card.document["skills"]] == ["stock", "order"]
    assert reply.headers["cache-control"] == "private, no-store"


def test_the_openapi_document_lists_the_methods_of_calls() -> None:
    call = load("cardwright.serve", "openapi.json")["call"]

    assert call["request"]["properties"]["method"]["enum"] == list(METHODS)


def test_a_version_header_wins_over_the_version_of_the_method() -> None:
    card = Card.from_document(rpc(APP, "GetExtendedAgentCard", **{"A2A-Version": "0.3"}).json["result"])
    assert str(card.dialect) == "a2a-0.3"
    assert rpc(APP, "GetExtendedAgentCard", **{"A2A-Version": "9.0"}).json["error"]["code"] == -32009


def test_a_call_without_credentials_gets_401() -> None:
    for key in (None, "guessed"):
        reply = rpc(APP, "GetExtendedAgentCard", key)
        assert reply.status == 401
        assert "www-authenticate" in reply.headers
        assert reply.json["error"]["data"][0]["reason"] == "UNAUTHENTICATED"
        assert reply.json["id"] == 1


def test_each_call_has_its_own_body() -> None:
    app = well_known_agent_card(newer(), rpc_path="/rpc")
    assert [rpc(app, "GetExtendedAgentCard", call_id=one).json["id"] for one in (1, "b", 3)] == [1, "b", 3]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700), (b"{", -32700), (b"[]", -32600), (b"3", -32600), (b"null", -32600),
        (b'{"jsonrpc":"2.0","id":1}', -32600), (b'{"jsonrpc":"1.0","id":1,"method":"x"}', -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"GetExtendedAgentCard"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"GetExtendedAgentCard"}', -32600),
        (b'{"jsonrpc":"2.0","method":"GetExtendedAgentCard"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"SendMessage"}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"GetExtendedAgentCard","id":2}', -32700),
        (b"[" * 100_000, -32700), (b"\xff\xfe", -32700),
    ],
)  # fmt: skip
def test_a_malformed_json_rpc_call_gets_an_error(body: bytes, code: int) -> None:
    reply = ask(APP, "POST", "/rpc", as_(OWNER, **{"Content-Type": "application/json"}), body=body)
    expected = 413 if len(body) > 65_536 else 200
    assert reply.status == expected
    assert reply.json["error"]["code"] == (code if expected == 200 else -32600)


def test_a_call_of_another_media_type_or_method_is_refused() -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"GetExtendedAgentCard"}'
    assert ask(APP, "POST", "/rpc", as_(OWNER), body=body, typed=False).json["error"]["code"] == -32600
    got = ask(APP, "GET", "/rpc")
    assert (got.status, got.headers["allow"]) == (405, "POST, OPTIONS")


def test_an_rpc_path_is_served_only_if_configured() -> None:
    app = well_known_agent_card(newer(), authenticate=KEYS)
    assert ask(app, "POST", "/rpc").status == 404
    assert CARD_PATH in app.publication.routes
