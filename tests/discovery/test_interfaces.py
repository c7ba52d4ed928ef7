"""Interface selection: the interfaces of a card, the selected one, and the reasons."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.card import Card
from cardwright.discovery.protocol_support import CALLED, OVER_GRPC, ProtocolSupport
from cardwright.discovery.selection import Selection, select_interface
from cardwright.errors import BadArgument, CardError, NoInterface
from cardwright.view.interfaces import interfaces
from cardwright_rules import DIALECTS
from tests.properties.strategies import JSON, lifelike, mutants
from tests.shared import corpus_index, shared

ALL = ("a2a/1.0", "a2a/0.3", "a2a/0.2", "a2a/0.1", "mcp", "sse", "smtp")
NEWER = {"url": "https://a.example/1", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}


def newer(*interfaces_: dict[str, Any], **fields: Any) -> Card:
    document = {"name": "A", "supportedInterfaces": list(interfaces_), **fields}
    return Card.from_document(document)


def older(**fields: Any) -> Card:
    return Card.from_document({"name": "A", "protocolVersion": "0.3.0", "skills": [], **fields})


def beach(*transports: Any) -> Card:
    document = {"schemaVersion": "1.0", "name": "A", "capabilities": [], "transports": list(transports)}
    return Card.from_document(document)


def chosen(card: Card, *supported: str) -> str:
    return select_interface(card, supported=supported or None).interface.pointer


def test_each_interface_of_a_1_0_card_is_read_with_its_tenant() -> None:
    card = newer(NEWER, {**NEWER, "tenant": "t 1/2"})
    plain, tenanted = interfaces(card)
    assert (plain.version, plain.binding, plain.tenant) == ("1.0", "JSONRPC", None)
    assert (tenanted.tenant, tenanted.pointer) == ("t 1/2", "/supportedInterfaces/1")


def test_an_empty_tenant_is_absent() -> None:
    assert interfaces(newer({**NEWER, "tenant": ""}))[0].tenant is None


def test_a_0_3_card_without_preferred_transport_is_assumed_to_use_jsonrpc() -> None:
    (one,) = interfaces(older(url="https://a.example"))
    assert (one.binding, one.pointer) == ("JSONRPC", "/url")
    assert one.assumptions == ("preferredTransport is missing: read as JSONRPC",)


def test_a_repeated_primary_interface_counts_once() -> None:
    again = [
        {"url": "https://a.example", "transport": "JSONRPC"},
        {"url": "https://a.example", "transport": "GRPC"},
    ]
    card = older(url="https://a.example", preferredTransport="JSONRPC", additionalInterfaces=again)
    assert [one.binding for one in interfaces(card)] == ["JSONRPC", "GRPC"]


def test_rest_is_http_json_and_core_names_are_read_without_case() -> None:
    card = newer({**NEWER, "protocolBinding": "REST"}, {**NEWER, "protocolBinding": "grpc"})
    rest, grpc = interfaces(card)
    assert (rest.binding, rest.assumptions) == ("HTTP+JSON", ('"REST" is read as HTTP+JSON',))
    assert grpc.binding == "GRPC"


def test_the_patch_number_of_an_interface_version_is_ignored() -> None:
    (one,) = interfaces(newer({**NEWER, "protocolVersion": "1.0.1"}))
    assert one.version == "1.0"
    assert "the patch number is ignored" in one.assumptions[0]


def test_a_url_without_interfaces_is_0_3_in_a_1_0_card() -> None:
    card = Card.from_document(
        {"name": "A", "url": "https://a.example", "protocolVersion": "1.0.0", "skills": []}
    )
    (one,) = interfaces(card)
    assert one.version == "0.3"
    assert any("a bare url means A2A 0.3 or older" in text for text in one.assumptions)


def test_a_card_without_a_version_has_the_version_of_its_dialect() -> None:
    card = Card.from_document({"name": "A", "url": "https://a.example", "skills": [], "security": []})
    assert interfaces(card)[0].version == card.dialect.version == "0.2"


def test_a_hybrid_gives_the_interfaces_of_both_halves_once() -> None:
    half = {"url": "https://a.example/0", "protocolBinding": "JSONRPC", "protocolVersion": "0.3"}
    card = newer(NEWER, half, url="https://a.example/0", protocolVersion="0.3.0")
    assert [one.pointer for one in interfaces(card)] == ["/supportedInterfaces/0", "/supportedInterfaces/1"]


def test_a_beach_transport_keeps_its_tool_and_how_mcp_travels() -> None:
    card = beach(
        {"protocol": "mcp", "endpoint": "https://a.example", "transport": "streamable-http", "tool": "ask"}
    )
    (one,) = interfaces(card)
    assert (one.protocol, one.transport, one.tool, one.binding) == ("mcp", "http", "ask", "")


def test_the_first_interface_of_the_newest_common_version_wins() -> None:
    card = newer(
        {**NEWER, "protocolVersion": "0.3"},
        {**NEWER, "url": "https://a.example/2", "protocolBinding": "HTTP+JSON"},
        NEWER,
    )
    assert chosen(card) == "/supportedInterfaces/1"
    assert chosen(card, "a2a/1.0+JSONRPC", "a2a/1.0+HTTP+JSON") == "/supportedInterfaces/1"
    assert chosen(card, "a2a/0.3") == "/supportedInterfaces/0"


def test_a2a_comes_before_mcp_and_mcp_before_others() -> None:
    mail = {"protocol": "smtp", "endpoint": "mailto:a@b.example"}
    mcp = {"protocol": "mcp", "endpoint": "https://a.example/mcp", "tool": "ask"}
    a2a = {"protocol": "a2a", "endpoint": "https://a.example", "version": "1.0"}
    every = ["smtp", "mcp", "a2a"]
    assert chosen(beach(mail, mcp, a2a), *every) == "/transports/2"
    assert chosen(beach(mail, mcp), *every) == "/transports/1"
    assert chosen(beach(mail), *every) == "/transports/0"
    assert chosen(beach(mail, {**mail, "protocol": "sse"}), "sse", "smtp") == "/transports/1"


def test_every_rejected_interface_has_a_reason() -> None:
    grpc = {**NEWER, "protocolBinding": "GRPC"}
    card = newer(grpc, NEWER, {**NEWER, "protocolVersion": "2.0"}, {**NEWER, "url": "/relative"})
    selection = select_interface(card, supported=CALLED)
    assert [(one.interface.pointer[-1], one.reason) for one in selection.rejected] == [
        ("0", "the caller does not support version 1.0 over this binding"),
        ("2", "the caller does not support version 2.0 of this protocol"),
        ("3", "the URL must begin with https:// or http:// and a host"),
    ]
    assert "A2A 2.0" in selection.explanation


def downgrading() -> Card:
    return newer({**NEWER, "protocolBinding": "GRPC"}, {**NEWER, "protocolVersion": "0.3"})


def test_a_downgrade_is_reported() -> None:
    selection = select_interface(downgrading(), supported=CALLED)
    assert (selection.interface.version, selection.downgraded) == ("0.3", True)
    assert "This is a downgrade: the card offers A2A 1.0" in selection.explanation


def test_a_downgrade_that_is_not_allowed_is_no_interface() -> None:
    with pytest.raises(NoInterface, match=r"A2A 0\.3 is older than 1\.0, which both sides support"):
        select_interface(downgrading(), supported=CALLED, downgrade=False)


def test_an_older_version_is_no_downgrade_if_the_caller_supports_no_newer() -> None:
    selection = select_interface(downgrading(), supported=["a2a/0.3"], downgrade=False)
    assert not selection.downgraded


@pytest.mark.parametrize("endpoint", ["stdio://run", "STDIO:run", " stdio://run"])
def test_a_command_is_never_chosen(endpoint: str) -> None:
    for protocol in ("mcp", "a2a", "sse"):
        card = beach({"protocol": protocol, "endpoint": endpoint, "tool": "ask"})
        with pytest.raises(NoInterface, match="only local configuration may"):
            select_interface(card, supported=ALL)


def test_no_interface_lists_what_the_card_and_the_caller_support() -> None:
    card = newer({**NEWER, "protocolBinding": "GRPC"})
    with pytest.raises(NoInterface) as caught:
        select_interface(card, supported=["a2a/1.0+JSONRPC", "mcp"])
    assert str(caught.value) == (
        "no interface of the card is usable. "
        'The card has: A2A 1.0 over GRPC at "https://a.example/1" '
        "(the caller does not support version 1.0 over this binding). "
        "The caller supports: a2a/1.0+JSONRPC, mcp"
    )
    assert caught.value.supported == ("a2a/1.0+JSONRPC", "mcp")


def test_a_card_without_any_interface_says_so() -> None:
    with pytest.raises(NoInterface, match="the card has no interface"):
        select_interface(Card.from_document({"name": "A", "protocol": "mcp", "capabilities": {"tools": {}}}))


def test_no_message_repeats_the_credentials_of_a_url() -> None:
    selection = select_interface(newer({**NEWER, "url": "https://user:secret@a.example"}))
    assert "secret" not in selection.explanation


def test_a_custom_binding_is_chosen_by_its_own_name() -> None:
    card = newer({**NEWER, "protocolBinding": "https://b.example/x+y", "url": "slim://a/b"})
    assert chosen(card, "a2a/1.0+https://b.example/x+y") == "/supportedInterfaces/0"


@pytest.mark.parametrize(
    ("text", "supported"),
    [
        ("a2a", ProtocolSupport("a2a")),
        ("A2A/1.0", ProtocolSupport("a2a", "1.0")),
        ("a2a/0.3.0+rest", ProtocolSupport("a2a", "0.3", "HTTP+JSON")),
        ("mcp/2025-06-18+streamable-http", ProtocolSupport("mcp", "2025-06-18", "http")),
        ("smtp", ProtocolSupport("smtp")),
    ],
)
def test_protocol_support_is_parsed_from_text(text: str, supported: ProtocolSupport) -> None:
    assert ProtocolSupport.from_text(text) == supported


@pytest.mark.parametrize("text", ["", "+x", "a2a/", "a2a+", "a2a/latest", "a b"])
def test_malformed_protocol_support_is_refused(text: str) -> None:
    with pytest.raises(BadArgument, match="supported"):
        ProtocolSupport.from_text(text)


@pytest.mark.parametrize("supported", ["a2a", [], [1]], ids=str)
def test_supported_is_a_list_of_at_least_one_text(supported: Any) -> None:
    with pytest.raises(BadArgument, match="supported"):
        select_interface(newer(NEWER), supported=supported)


def test_protocol_support_is_written_as_it_is_parsed() -> None:
    for supported in (CALLED, OVER_GRPC):
        assert [ProtocolSupport.from_text(str(one)) for one in supported] == list(supported)


def holds(card: Card, supported: tuple[str, ...]) -> Selection | None:
    """Select an interface, and assert the properties of every selection."""
    offered = interfaces(card)
    assert len(set(offered)) == len(offered)
    try:
        selection = select_interface(card, supported=supported)
    except NoInterface as error:
        assert len(error.offered) == len(offered)
        return None
    best = selection.interface
    assert best in offered
    assert not best.url.lower().startswith("stdio:")
    assert any(ProtocolSupport.from_text(text).fits(best) for text in supported)
    assert {one.interface for one in selection.rejected} | {best} == set(offered)
    assert all(one.reason for one in selection.rejected)
    assert selection.explanation.isprintable()
    return selection


SUPPORTED = st.lists(
    st.sampled_from([*ALL, *map(str, CALLED), "a2a", "a2a+GRPC"]), min_size=1, max_size=4
).map(tuple)


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@given(data=st.data(), supported=SUPPORTED)
def test_the_selected_interface_of_any_valid_card_is_supported(
    dialect: str, data: st.DataObject, supported: tuple[str, ...]
) -> None:
    document = data.draw(lifelike(dialect))
    holds(Card.from_document(document, dialect=dialect), supported)


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@given(data=st.data(), supported=SUPPORTED)
def test_the_selected_interface_of_any_invalid_card_is_supported(
    dialect: str, data: st.DataObject, supported: tuple[str, ...]
) -> None:
    document = data.draw(mutants(dialect))
    holds(Card.from_document(document, dialect=dialect), supported)


@given(
    fields=st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ("supportedInterfaces", "url", "preferredTransport", "additionalInterfaces", "transports"), JSON
        ),
    ),
    dialect=st.sampled_from(sorted(DIALECTS)),
)
def test_any_field_values_raise_only_card_errors(fields: dict[str, Any], dialect: str) -> None:
    holds(Card.from_document({"name": "A", **fields}, dialect=dialect), ALL)


def test_the_interfaces_of_every_published_card_can_be_read() -> None:
    shared("corpus", "index.jsonl")
    for row in corpus_index():
        try:
            card = Card.from_bytes(shared("corpus", row["file"]).read_bytes())
        except CardError:
            continue
        holds(card, tuple(map(str, CALLED)))


@pytest.mark.parametrize("name", ["MCP", "mcp", "MCP-STREAMABLE-HTTP"])
def test_an_interface_of_mcp_in_an_a2a_card_is_for_callers_that_support_mcp(name: str) -> None:
    card = older(url="https://a.example/mcp", preferredTransport=name)

    selection = select_interface(card, supported=["mcp"])

    assert selection.interface.protocol == "mcp"
    assert f'"{name}" is no binding of A2A' in selection.explanation
    with pytest.raises(NoInterface):
        select_interface(card, supported=["a2a/0.3"])
