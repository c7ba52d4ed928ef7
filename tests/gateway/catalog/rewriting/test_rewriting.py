"""Rewriting of cards: no internal host remains, and calls reach their upstream."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.card import Card
from cardwright.dialect import detect
from cardwright.errors import CardError
from cardwright.hosts import internal
from cardwright.rewrite import BadBaseURL
from cardwright.serve.routes import CARD_PATH
from cardwright.view.interfaces import BEACH_EXTENSION_URI, interfaces
from cardwright_gateway.catalog.rewriting import Note, Rewriting, Upstream, rewritten
from cardwright_rules import DIALECTS
from tests.gateway.catalog.rewriting.cards import BACKENDS, INNER, PUBLIC, exposed, planted
from tests.serve.cards import DIALECTS as EXAMPLES
from tests.serve.cards import example
from tests.shared import corpus_index, shared

BACKEND = "http://10.1.2.3:8000"
ANY = st.sampled_from(sorted(DIALECTS))


def older(**fields: Any) -> Card:
    base = {"name": "A", "protocolVersion": "0.3.0", "url": f"{BACKEND}/a2a", "skills": []}
    return Card.from_document({**base, **fields})


def newer(*interfaces: dict[str, Any], **fields: Any) -> Card:
    return Card.from_document({"name": "A", "supportedInterfaces": list(interfaces), **fields})


def one(url: str, binding: str = "JSONRPC", version: str = "1.0", **more: Any) -> dict[str, Any]:
    return {"url": url, "protocolBinding": binding, "protocolVersion": version, **more}


def beach(*transports: dict[str, Any], **fields: Any) -> Card:
    base = {"schemaVersion": "1.0", "name": "A", "capabilities": [], "transports": list(transports)}
    return Card.from_document({**base, **fields})


def made(card: Card, backend: str = BACKEND, public: str = PUBLIC) -> Rewriting:
    result = rewritten(card, public, backend)
    if result.card is card:
        return result
    return replace(result, card=card.of_parts(result.card.document, str(result.card.dialect)))


def sent(url: str, backend: str = BACKEND) -> list[str]:
    return [route.url for route in made(newer(one(url)), backend).routes]


def errors(card: Card) -> set[str]:
    return {violation.rule for violation in card.violations if violation.severity == "error"}


@given(ANY.flatmap(lambda name: st.tuples(st.just(name), planted(name))), st.sampled_from(BACKENDS))
def test_no_internal_host_and_no_backend_survives(named: tuple[str, dict[str, Any]], backend: str) -> None:
    card = Card.from_document(named[1], dialect=named[0])
    result = made(card, backend)
    for at, text in exposed(result.card.document):
        assert not INNER.search(text), at
        if "agent.example.org" in backend and not at.startswith(("/icon", "/documentation", "/provider")):
            assert "agent.example.org" not in text.lower(), at
    for route in result.routes:
        host = urlsplit(route.url).hostname or ""
        at_backend = urlsplit(route.url)[:2] == urlsplit(backend)[:2]
        assert at_backend or host == urlsplit(backend).hostname or internal(host) is None


@given(ANY.flatmap(lambda name: st.tuples(st.just(name), planted(name))), st.sampled_from(BACKENDS))
def test_rewriting_is_idempotent_and_does_not_change_its_input(
    named: tuple[str, dict[str, Any]], backend: str
) -> None:
    card = Card.from_document(named[1], dialect=named[0])
    before = deepcopy(card.document)
    once = made(card, backend)
    twice = made(once.card, backend)
    assert card.document == before
    assert twice.card is once.card
    assert (twice.routes, twice.notes, twice.usable) == ((), (), once.usable)


@given(ANY.flatmap(lambda name: st.tuples(st.just(name), planted(name))))
def test_a_valid_card_that_stays_usable_stays_valid(named: tuple[str, dict[str, Any]]) -> None:
    card = Card.from_document(named[1], dialect=named[0])
    result = made(card)
    if card.valid and result.usable:
        assert errors(result.card) == set()
        assert str(detect(result.card.document)) == str(result.card.dialect) or named[0] != "a2a-hybrid"


@given(ANY.flatmap(lambda name: st.tuples(st.just(name), planted(name))))
def test_notes_point_into_the_upstream_card_and_name_no_host(named: tuple[str, dict[str, Any]]) -> None:
    card = Card.from_document(named[1], dialect=named[0])
    for note in made(card).notes:
        assert note.pointer.split("/")[1] in card.document
        assert not INNER.search(note.why)


def test_a_hybrid_without_url_that_loses_its_0_3_half_has_a_valid_pointer() -> None:
    older = {
        "preferredTransport": "JSONRPC",
        "additionalInterfaces": [{"url": 1}],
        "protocolVersion": "0.3.0",
    }
    card = Card.from_document({**example("a2a-1.0").document, **older}, dialect="a2a-hybrid")
    pointers = [note.pointer for note in made(card).notes if "older half" in note.why]
    assert pointers in (["/preferredTransport"], ["/additionalInterfaces"], ["/protocolVersion"])


def test_real_cards_have_the_gateways_url_or_a_reason_why_not() -> None:
    shared("corpus")
    seen = 0
    for row in corpus_index():
        try:
            card = Card.from_bytes(shared("corpus", row["file"]).read_bytes())
        except CardError:
            continue
        seen += 1
        result = made(card)
        for at, text in exposed(result.card.document):
            host = urlsplit(text).hostname if "://" in text else None
            assert host is None or internal(host) is None, (row["file"], at)
        assert result.card.valid or not card.valid or not result.usable, row["file"]
        assert made(result.card).card is result.card, row["file"]
        assert result.usable or result.notes or not interfaces(card), row["file"]
    assert seen > 250


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_stays_valid_and_has_the_gateways_url(name: str) -> None:
    card = example(name)
    result = made(card)
    assert result.usable is (name != "a2a-0.1")
    assert result.card.valid is result.usable
    assert bool(result.routes) is (name not in ("a2a-0.1", "mcp-2024-11-05"))


def test_the_example_of_the_seed_is_rewritten_as_described() -> None:
    document = {
        "name": "my_agent",
        "protocol": "a2a",
        "skills": [],
        "url": "http://internal-agent:8001/a2a",
        "agentCard": {"url": "http://internal-agent:8001/.well-known/agent.json"},
    }
    public = "http://superx.local:4000/agents/my_agent"
    result = made(Card.from_document(document), "http://internal-agent:8001", public)
    assert result.card.document == {**document, "url": public, "agentCard": {"url": f"{public}{CARD_PATH}"}}
    assert result.routes == (Upstream("JSONRPC", "0.3", "http://internal-agent:8001/a2a"),)


def test_every_shape_of_a_hybrid_has_the_gateways_url() -> None:
    # agentgateway#2251: a 1.0 card "missing URL"; elsewhere a hybrid keeps the backend's url.
    card = older(
        supportedInterfaces=[one(f"{BACKEND}/a2a", tenant="t"), one(f"{BACKEND}/a2a", version="0.3")],
        additionalInterfaces=[{"url": f"{BACKEND}/rest", "transport": "HTTP+JSON"}],
    )
    result = made(card)
    document = result.card.document
    assert [item["url"] for item in document["supportedInterfaces"]] == [PUBLIC, PUBLIC]
    assert document["supportedInterfaces"][0]["tenant"] == "t"
    assert document["url"] == PUBLIC
    assert {(item["url"], item["transport"]) for item in document["additionalInterfaces"]} == {
        (PUBLIC, "JSONRPC"),
        (PUBLIC, "HTTP+JSON"),
    }
    assert result.routes == (
        Upstream("JSONRPC", "1.0", f"{BACKEND}/a2a", "t"),
        Upstream("JSONRPC", "0.3", f"{BACKEND}/a2a"),
        Upstream("HTTP+JSON", "0.3", f"{BACKEND}/rest"),
    )


def test_no_path_is_doubled_where_the_agents_path_is_the_gateways() -> None:
    # agentgateway#1760: /agents/travel/agents/travel.
    result = made(newer(one(f"{BACKEND}/agents/travel")))
    assert result.card.document["supportedInterfaces"][0]["url"] == PUBLIC
    assert result.routes[0].url == f"{BACKEND}/agents/travel"


def test_all_other_fields_of_a_card_are_kept() -> None:
    # SuperX's own code keeps 13 fields and forces protocolVersion 0.3.0.
    card = older(protocolVersion="0.2.6", shadow={"a": [1]}, homepage="https://example.com", protocol="a2a")
    document = made(card).card.document
    assert document == {**card.document, "url": PUBLIC}


@pytest.mark.parametrize(
    "url",
    [
        PUBLIC,
        f"{PUBLIC}/",
        f"{PUBLIC}/v1?x=1",
        "https://GW.EXAMPLE/agents/travel",
        "https://gw.example:443/agents/tr%61vel",
    ],
)
def test_a_url_below_the_public_base_url_stays_as_written(url: str) -> None:
    card = newer(one(url))
    assert made(card) == Rewriting(card, (), (), usable=True)


@pytest.mark.parametrize(
    "url",
    [
        "https://gw.example/agents/travelling",
        "https://gw.example/agents/trave",
        "https://gw.example/agents/Travel",
        "https://gw.example:8443/agents/travel",
        "http://gw.example/agents/travel",
        "https://gw.example//agents/travel",
    ],
)
def test_a_url_that_only_resembles_the_public_base_url_is_rewritten(url: str) -> None:
    assert made(newer(one(url))).card.document["supportedInterfaces"] == [one(PUBLIC)]


@pytest.mark.parametrize(
    "url",
    [
        PUBLIC,
        "http://gw.example/agents/travel/x",
        "https://gw.example//agents/travel",
        "https://gw.example./agents/travel",
        "http://10.0.0.1/x/..%2fagents/travel",
    ],
)
def test_no_call_is_sent_to_the_gateway_itself(url: str) -> None:
    assert sent(url, "https://gw.example/own") == []


@pytest.mark.parametrize(
    ("url", "to"),
    [
        (f"{BACKEND}/a2a", f"{BACKEND}/a2a"),
        (f"{BACKEND}/a2a/?x=1#y", f"{BACKEND}/a2a/?x=1"),
        ("http://localhost:9999/", f"{BACKEND}/"),
        ("http://LOCALHOST:9999/a/b?c=d", f"{BACKEND}/a/b?c=d"),
        ("http://[::]:8080", f"{BACKEND}/"),
        ("http://[::1]:8080/rpc/", f"{BACKEND}/rpc/"),
        ("http://0.0.0.0/rpc", f"{BACKEND}/rpc"),
        ("http://169.254.169.254/a2a", f"{BACKEND}/a2a"),
        ("https://billing.svc.cluster.local/a2a", f"{BACKEND}/a2a"),
        ("https://xn--agnt-epa.example/a2a", "https://xn--agnt-epa.example/a2a"),
        ("https://Agents.Example.com:8443/a2a", "https://Agents.Example.com:8443/a2a"),
    ],
)
def test_calls_go_to_the_backend_if_the_host_is_internal(url: str, to: str) -> None:
    assert sent(url) == [to]


@pytest.mark.parametrize(
    ("backend", "reference", "to"),
    [
        ("http://10.1.2.3:8000", "/api/a2a", "http://10.1.2.3:8000/api/a2a"),
        ("http://10.1.2.3:8000/team", "/api/a2a", "http://10.1.2.3:8000/api/a2a"),
        ("http://10.1.2.3:8000/team", "./a2a", "http://10.1.2.3:8000/team/a2a"),
        ("http://10.1.2.3:8000/team/", "./a2a/", "http://10.1.2.3:8000/team/a2a/"),
        ("http://10.1.2.3:8000/a/b", "../c?d=e", "http://10.1.2.3:8000/a/c?d=e"),
        ("http://10.1.2.3:8000/t/.well-known/agent-card.json", "./a2a", "http://10.1.2.3:8000/t/a2a"),
    ],
)
def test_a_relative_url_is_resolved_by_segments(backend: str, reference: str, to: str) -> None:
    assert sent(reference, backend) == [to]


@pytest.mark.parametrize(
    "url",
    [
        "../x", "/../x", "//10.0.0.7/x", "/\\10.0.0.7/x", "localhost:8080", "example.com/a2a", "not-a-url", "",
        "http://10.0.0.7/\r\nX: y", "http://user:secret@10.0.0.7/", "http://agent.example\\@10.0.0.7/",
        "https://gw.example/a/../b", "https://gw.example/%2e%2e/b", "https://gw.example/a%2fb",
        "https://gw.example/%0d%0aX", "http://gw.example/%252e%252e/", "https://gw.example/%zz",
        "http://0x7f.1/", "http://10.0.0.7:99999/", "https://agént.example/", "local://x", "https:///x",
    ],
)  # fmt: skip
def test_an_interface_with_an_ambiguous_url_is_removed_and_not_quoted(url: str) -> None:
    result = made(newer(one(url), one(f"{BACKEND}/a2a", "HTTP+JSON")))
    assert len(result.card.document["supportedInterfaces"]) == 1
    assert [route.binding for route in result.routes] == ["HTTP+JSON"]
    assert result.notes[0].pointer == "/supportedInterfaces/0"
    assert "secret" not in result.notes[0].why


@pytest.mark.parametrize(
    "url",
    [
        "https://bedrock.example/runtimes/arn%3Aaws%3Aagent%2Fweather/invocations",
        "https://x.example/a%5Cb",
        "https://x.example/%252e%252e/",
        "https://x.example/%zz",
    ],
)
def test_the_url_of_an_agent_is_sent_as_it_is(url: str) -> None:
    """Only the agent's host knows what the escapes mean (RFC 3986 §2.2), of its card's URLs and of the configured one."""
    assert sent(url) == [url]
    assert [route.url for route in made(newer(one(url)), backend=url).routes] == [url]


@pytest.mark.parametrize(
    ("binding", "version"),
    [
        ("GRPC", "1.0"),
        ("slimrpc", "1.0"),
        ("https://example.com/ws", "1.0"),
        ("HTTP+JSON", "0.2"),
        ("JSONRPC", "2.0"),
    ],
)
def test_an_unsupported_interface_is_removed_even_at_a_public_host(binding: str, version: str) -> None:
    result = made(newer(one("https://x.example/a", binding, version), one(BACKEND)))
    assert result.card.document["supportedInterfaces"] == [one(PUBLIC)]
    assert result.notes[0] == Note(
        "/supportedInterfaces/0", f"removed: the gateway does not support A2A {version} over {binding}"
    )


@pytest.mark.parametrize("binding", ["REST", "http+json", "HTTP+JSON"])
def test_a_binding_is_compared_without_case_and_stays_as_written(binding: str) -> None:
    result = made(newer(one(BACKEND, binding)))
    assert result.routes[0].binding == "HTTP+JSON"
    assert result.card.document["supportedInterfaces"] == [one(PUBLIC, binding)]


def test_an_additional_interface_replaces_an_unsupported_main_one() -> None:
    card = older(
        url="grpc://10.1.2.3:50051",
        preferredTransport="GRPC",
        additionalInterfaces=[
            {"url": "grpc://10.1.2.3:50051", "transport": "GRPC"},
            {"url": f"{BACKEND}/rest", "transport": "HTTP+JSON"},
        ],
    )
    document = made(card).card.document
    assert (document["url"], document["preferredTransport"]) == (PUBLIC, "HTTP+JSON")
    assert document["additionalInterfaces"] == [{"url": PUBLIC, "transport": "HTTP+JSON"}]


def test_interfaces_equal_after_rewriting_are_listed_once() -> None:
    same = f"{BACKEND}/1"
    result = made(newer(one(same), one(f"{same}#x"), one(same, tenant="t")))
    assert result.card.document["supportedInterfaces"] == [one(PUBLIC), one(PUBLIC, tenant="t")]
    assert [route.url for route in result.routes] == [f"{BACKEND}/1"]


def test_an_interface_shadowed_by_an_earlier_one_is_removed() -> None:
    there = [one(f"{BACKEND}/1"), one(f"{BACKEND}/2", tenant="t"), one(f"{BACKEND}/2", version="0.3")]
    result = made(newer(*there))
    kept = [one(PUBLIC), one(PUBLIC, version="0.3")]
    assert result.card.document["supportedInterfaces"] == kept
    assert [route.url for route in result.routes] == [f"{BACKEND}/1", f"{BACKEND}/2"]
    assert [note.pointer for note in result.notes if "at another URL" in note.why] == [
        "/supportedInterfaces/1"
    ]


@pytest.mark.parametrize("base", ["https://gw.example", "https://gw.example/", "https://gw.example/agents"])
@pytest.mark.parametrize(
    "url",
    [
        "https://gw.example/agents/other",
        "https://gw.example/agents/travelling",
        "http://gw.example/agents",
        "https://gw.example//agents/other/rpc",
    ],
)
def test_an_interface_at_the_gateway_itself_is_not_forwarded(base: str, url: str) -> None:
    result = rewritten(newer(one(url), one(f"{BACKEND}/a2a")), PUBLIC, BACKEND, base=base)
    assert result.card.document["supportedInterfaces"] == [one(PUBLIC)]
    assert [route.url for route in result.routes] == [f"{BACKEND}/a2a"]
    assert any("would loop" in note.why for note in result.notes)
    alone = rewritten(newer(one(url)), PUBLIC, BACKEND, base=base)
    assert (alone.usable, alone.routes) == (False, ())


def test_an_alias_of_the_gateway_is_recognised_and_its_neighbours_are_not() -> None:
    alias, beside = one("https://gw.example/gw/travel"), one("https://gw.example/gwen/a2a", version="0.3")
    card = newer(alias, beside, one(f"{PUBLIC}/below", "HTTP+JSON"))
    result = rewritten(card, PUBLIC, BACKEND, base="https://gw.example/gw")
    kept = [one(PUBLIC, version="0.3"), one(f"{PUBLIC}/below", "HTTP+JSON")]
    assert result.card.document["supportedInterfaces"] == kept
    assert [route.url for route in result.routes] == ["https://gw.example/gwen/a2a"]


def test_an_agent_whose_configured_origin_is_the_gateway_is_not_forwarded() -> None:
    card = newer(one("http://localhost:9/agents/other"))
    result = rewritten(card, PUBLIC, "https://gw.example/inner", base="https://gw.example/agents")
    assert (result.usable, result.routes) == (False, ())


def test_no_jku_at_an_internal_host_remains_in_any_place() -> None:
    inner, outer = {"jku": "http://keys.internal/jwks", "kid": "k"}, {"jku": "https://keys.example/jwks"}
    extension = {"uri": "https://ext.example", "params": {"keys": [outer, inner]}}
    card = older(**inner, capabilities={"extensions": [extension]}, **{"x-keys": {"deep": [[inner]]}})
    before = deepcopy(card.document)
    result = made(card)
    document = result.card.document
    assert (document.get("jku"), document["kid"], document["x-keys"]) == (
        None,
        "k",
        {"deep": [[{"kid": "k"}]]},
    )
    assert document["capabilities"]["extensions"][0]["params"] == {"keys": [outer, {"kid": "k"}]}
    assert {note.pointer for note in result.notes if note.pointer.endswith("jku")} == {
        "/jku", "/x-keys/deep/0/0/jku", "/capabilities/extensions/0/params/keys/1/jku",
    }  # fmt: skip
    assert card.document == before


@pytest.mark.parametrize(
    ("card", "dialect"),
    [
        (older(supportedInterfaces=[one(f"{BACKEND}/g", "GRPC")]), "a2a-0.3"),
        (older(protocolVersion="1.0", supportedInterfaces=[one(f"{BACKEND}/g", "GRPC")]), "a2a-0.3"),
        (older(supportedInterfaces={"a2a": f"{BACKEND}/a2a"}), "a2a-0.3"),
        (older(preferredTransport="GRPC", supportedInterfaces=[one(BACKEND)]), "a2a-1.0"),
        (older(url="", supportedInterfaces=[one(BACKEND)]), "a2a-1.0"),
    ],
)
def test_a_hybrid_without_one_of_its_halves_is_a_card_of_the_other(card: Card, dialect: str) -> None:
    assert str(card.dialect) == "a2a-hybrid"
    result = made(card)
    assert str(result.card.dialect) == str(detect(result.card.document)) == dialect
    assert result.usable


def test_security_requirements_are_kept_when_a_half_is_removed() -> None:
    card = older(preferredTransport="GRPC", security=[{"k": ["r"]}], supportedInterfaces=[one(BACKEND)])
    document = made(card).card.document
    assert document["securityRequirements"] == [{"schemes": {"k": {"list": ["r"]}}}]
    assert "security" not in document


@pytest.mark.parametrize(
    "card",
    [
        older(url="slim://slim:46357/x", preferredTransport="slim"),
        newer(one(f"{BACKEND}/g", "GRPC")),
        newer(),
        beach({"protocol": "mcp", "endpoint": "http://10.0.0.7/mcp"}),
        Card.from_document({"name": "A", "protocol": "mcp", "url": "stdio://agent"}),
    ],
)
def test_a_card_without_a_supported_interface_is_unusable(card: Card) -> None:
    result = made(card)
    assert not result.usable
    assert result.routes == ()


def test_a_beach_card_loses_urls_that_bypass_the_gateway() -> None:
    a2a = {"protocol": "a2a", "version": "1.0", "endpoint": f"{BACKEND}/a2a", "auth": {"type": "none"}}
    card = beach(
        {"protocol": "smtp", "endpoint": "mailto:agent@example.com"},
        {"protocol": "smtp", "endpoint": "mailto:agent@localhost"},
        {"protocol": "whatsapp", "endpoint": "tel:+15550100"},
        {"protocol": "cron"},
        a2a,
        {"protocol": "sse", "endpoint": "https://x.example/events"},
        {"protocol": "mcp", "endpoint": "stdio://agent"},
        {"protocol": "webhook", "endpoint": "localhost:80"},
    )
    result = made(card)
    assert result.card.document["transports"] == [
        {"protocol": "smtp", "endpoint": "mailto:agent@example.com"},
        {"protocol": "whatsapp", "endpoint": "tel:+15550100"},
        {"protocol": "cron"},
        {**a2a, "endpoint": PUBLIC},
    ]
    assert result.routes == (Upstream("JSONRPC", "1.0", f"{BACKEND}/a2a"),)


def test_the_beach_extension_loses_transports_that_bypass_the_gateway() -> None:
    kept = [{"protocol": "smtp", "endpoint": "mailto:agent@example.com"}, {"protocol": "cron"}]
    places = (f"{BACKEND}/mcp", "http://localhost/a2a", "mail.corp.internal:25")
    transports = [*kept, *({"protocol": "mcp", "endpoint": place} for place in places)]
    extension = {"uri": BEACH_EXTENSION_URI, "params": {"id": "a", "transports": transports}}
    result = made(newer(one(BACKEND), capabilities={"extensions": [extension, "other"]}))
    served = {**extension, "params": {"id": "a", "transports": kept}}
    assert result.card.document["capabilities"] == {"extensions": [served, "other"]}
    assert "/capabilities/extensions/0/params/transports" in [note.pointer for note in result.notes]


def test_a_card_of_an_mcp_server_takes_no_a2a_calls() -> None:
    card = Card.from_document({"name": "A", "protocol": "mcp", "url": f"{BACKEND}/mcp"})
    result = made(card)
    assert result.card.document["url"] == PUBLIC
    assert (result.usable, result.routes) == (True, ())


def test_signatures_and_their_references_to_internal_hosts_are_removed() -> None:
    card = newer(
        one(BACKEND),
        signatures=[{"protected": "x", "signature": "y", "header": {"jku": "http://10.0.0.7/keys"}}],
        iconUrl="http://localhost:3000/icon.png",
        documentationUrl="https://docs.example.com/",
        provider={"organization": "O", "url": "http://intranet/"},
        securitySchemes={
            "o": {"openIdConnectSecurityScheme": {"openIdConnectUrl": "https://10.0.0.7/.well-known/openid"}}
        },
    )
    document = made(card).card.document
    assert "signatures" not in document
    assert "iconUrl" not in document
    assert document["documentationUrl"] == "https://docs.example.com/"
    assert document["provider"] == {"organization": "O", "url": "https://gw.example"}
    assert document["securitySchemes"] == card.document["securitySchemes"]


def test_a_provider_that_needs_no_url_loses_an_internal_one() -> None:
    card = beach({"protocol": "a2a", "endpoint": BACKEND}, provider={"name": "O", "url": "http://intranet/"})
    assert made(card).card.document["provider"] == {"name": "O"}


@pytest.mark.parametrize("at", ["top", "metadata", "text"])
def test_a_card_url_inside_a_card_is_the_gateways(at: str) -> None:
    url = f"{BACKEND}/.well-known/agent.json"
    named: dict[str, Any] = {"agentCard": url if at == "text" else {"url": url, "x": 1}}
    document = made(older(**({"metadata": named} if at == "metadata" else named))).card.document
    found = (document["metadata"] if at == "metadata" else document)["agentCard"]
    expected = f"{PUBLIC}{CARD_PATH}"
    assert found == (expected if at == "text" else {"url": expected, "x": 1})


@pytest.mark.parametrize(
    ("public", "backend"),
    [
        ("gw.example/agents/travel", BACKEND),
        ("https://user@gw.example/", BACKEND),
        ("https://gw.example/?x=1", BACKEND),
        (PUBLIC, "10.1.2.3:8000"),
        (PUBLIC, "http://user:secret@10.1.2.3/"),
    ],
)
def test_an_invalid_base_url_is_refused_without_being_quoted(public: str, backend: str) -> None:
    with pytest.raises(BadBaseURL) as caught:
        made(older(), backend, public)
    assert "secret" not in str(caught.value)


def test_a_trailing_slash_of_the_public_base_url_is_ignored() -> None:
    assert made(older(), public=f"{PUBLIC}/").card.document["url"] == PUBLIC
