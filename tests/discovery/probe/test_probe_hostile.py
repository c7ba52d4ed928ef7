"""Hostile cards and responses: a probe reads them as far as possible and raises only CardErrors."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright import Card
from cardwright.dialect import KNOWN
from cardwright.discovery.probe.client import HttpResponse, first_event
from cardwright.discovery.probe.declared import declared_for
from cardwright.discovery.probe.wire import jsonrpc_response, rest_response
from cardwright.guard import Headers
from cardwright.view.interfaces import Interface
from tests.discovery.probe.agents import JSON, Agent, card, faults, older, outcomes, probed
from tests.peers import RecordedRequest, Reply

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-40000, 40000) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    "authentication", "capabilities", "defaultInputModes", "security", "securityRequirements",
    "securitySchemes", "supportsAuthenticatedExtendedCard",
)  # fmt: skip
ANSWERED = ("jsonrpc", "error", "result", "code", "data", "details", "type", "message", "supportedVersions")


@given(st.dictionaries(st.sampled_from(FIELDS), VALUES), st.sampled_from(["a2a-0.1", "a2a-0.3", "a2a-1.0"]))
def test_any_card_is_probed_as_far_as_possible(document: dict[str, Any], dialect: str) -> None:
    read = Card(document, KNOWN[dialect], ())

    declared_for(read, Interface("a2a", "JSONRPC", "1.0", "https://a.example"))


@given(
    st.sampled_from([200, 400, 401, 404, 500]),
    st.sampled_from(["application/json", "text/event-stream", "application/problem+json", ""]),
    st.dictionaries(st.sampled_from(ANSWERED), VALUES) | VALUES,
    st.sampled_from(["1.0", "0.3"]),
)
def test_any_response_is_reported_without_quoting_it(
    status: int, kind: str, value: Any, version: str
) -> None:
    heard = HttpResponse(status, Headers([("content-type", kind)]), json.dumps(value).encode())

    for response in (jsonrpc_response(heard, version), rest_response(heard, version)):
        assert str(response).isascii()


@given(st.binary(max_size=64))
def test_any_event_stream_is_read(body: bytes) -> None:
    assert isinstance(first_event(body), bytes)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        (b'data: {"a": 1}\n\n', b'{"a": 1}'),
        (b'event: x\r\ndata: {"a":\r\ndata: 1}\r\n\r\n', b'{"a":\n1}'),
        (b": waiting\n\ndata:1\n\ndata:2\n\n", b"1"),
        (b"data: not yet whole\n", b""),
    ],
    ids=["one", "lines", "comment-first", "unfinished"],
)
def test_the_first_event_is_the_first_complete_one(text: bytes, data: bytes) -> None:
    assert first_event(text) == data


@pytest.mark.parametrize(
    "reply",
    [
        Reply(200, b"", {}),
        Reply(200, b"\xff\xfe", JSON),
        Reply(200, b"[" * 5000, JSON),
        Reply(200, b"x" * 300_000, JSON),
        Reply(200, b"{}", {**JSON, "Content-Encoding": "br"}),
        Reply(500, b"<html>", {"Content-Type": "text/html"}),
        Reply(204),
    ],
    ids=["empty", "no-utf-8", "deep", "huge", "coded", "page", "nothing"],
)
def test_an_endpoint_that_answers_nonsense_is_no_json_rpc(reply: Reply) -> None:
    report = probed(Agent(override=lambda request: reply if request.path == "/rpc" else None))

    assert faults(report) == [("error", "probe/interface-binding")]


def before_0_3(version: str) -> Any:
    """A card of A2A 0.1 or 0.2."""

    def document(origin: str) -> dict[str, Any]:
        card_document = older(origin)
        if version == "0.2":
            return {**card_document, "protocolVersion": "0.2.6"}
        del card_document["protocolVersion"], card_document["preferredTransport"]
        # Only 0.1 has null for what is not there.
        return {**card_document, "documentationUrl": None}

    return document


@pytest.mark.parametrize(
    ("version", "push"), [("0.1", "tasks/pushNotification/get"), ("0.2", "tasks/pushNotificationConfig/get")]
)
def test_versions_before_0_3_get_their_own_methods_and_no_version_header(version: str, push: str) -> None:
    agent = Agent(before_0_3(version))

    report = probed(agent)

    calls = [request for request in agent.requests if request.path == "/rpc"]
    assert report.card is not None
    assert str(report.card.dialect) == f"a2a-{version}"
    # A card of 0.1 should say whether it needs credentials.
    assert faults(report) == ([("warning", "probe/card-valid")] if version == "0.1" else [])
    assert outcomes(report, "probe/interface-version") == ["pass"]
    assert push in {json.loads(request.body)["method"] for request in calls}
    assert not any("a2a-version" in request.headers for request in calls)


def test_a_card_with_fields_of_a_wrong_type_is_probed_as_far_as_possible() -> None:
    def document(origin: str) -> dict[str, Any]:
        wrong = {
            "capabilities": [],
            "securitySchemes": 7,
            "securityRequirements": "x",
            "defaultInputModes": {},
        }
        return {
            **card(origin),
            **wrong,
            "supportedInterfaces": [*card(origin)["supportedInterfaces"], {"url": 5}],
        }

    def override(request: RecordedRequest) -> Reply | None:
        # The valid agent cannot read such a card itself.
        return Reply(404) if request.path == "/rpc" else None

    report = probed(Agent(document, override))

    assert ("error", "probe/card-valid") in faults(report)
    assert ("error", "probe/interface-binding") in faults(report)
