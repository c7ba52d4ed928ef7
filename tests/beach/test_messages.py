"""Envelopes as A2A messages, checked with the types of a2a-sdk for 1.0 and 0.3."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright import PartTypeRegistry
from cardwright.errors import BadArgument, MalformedDocument
from cardwright.view.interfaces import BEACH_EXTENSION_URI
from cardwright_beach.errors import BadEnvelope
from cardwright_beach.messages import from_message, to_message
from cardwright_beach.parts import Part
from cardwright_beach.wire import envelope_violations, read_envelope, to_wire
from tests.beach.envelopes import request, response

json_format = pytest.importorskip("google.protobuf.json_format")
a2a_types = pytest.importorskip("a2a.types")
older = pytest.importorskip("a2a.compat.v0_3.types")

META = {
    "sessionId": "s",
    "eventId": "e",
    "originatorId": "o",
    "conversationState": "complete",
    "timestamp": "2026-05-04T12:00:00Z",
    "finalizedBy": "respond",
}
SURFACE = [
    {"version": "v0.9", "createSurface": {"surfaceId": "f", "catalogId": "https://acme.example/c.json"}}
]
PARTS: dict[str, dict[str, Any]] = {
    "text": {"text": "Hello", "metadata": {"partType": "response", "mergeStrategy": "append"}},
    "empty text": {"text": "", "metadata": {"partType": "response"}},
    "object": {"data": {"a": [1, None, 1.5]}, "metadata": {"partType": "domain-data", "slotKey": "ta.rome"}},
    "strategy": {
        "data": {"value": 1},
        "metadata": {
            "partType": "domain-data",
            "slotKey": "x",
            "mergeStrategy": "deep-merge",
            "dataKind": "k",
        },
    },
    "list": {"data": [1, {"a": []}], "metadata": {"partType": "domain-data"}},
    "null": {"data": None, "metadata": {"partType": "domain-data"}},
    "false": {"data": False, "metadata": {"partType": "domain-data"}},
    "number": {"data": 2**53 - 1, "metadata": {"partType": "domain-data"}},
    "words": {"data": "words", "metadata": {"partType": "domain-data"}},
    "state": {"data": {"booking.stage": "paid"}, "metadata": {"partType": "setState"}},
    "approval": {"data": request()["data"], "metadata": {"partType": "approval-request"}},
    "surface": {
        "data": SURFACE,
        "mediaType": "application/json+a2ui",
        "metadata": {"partType": "a2ui-surface"},
    },
    "own mime type": {
        "data": SURFACE,
        "mediaType": "application/json+a2ui",
        "metadata": {"partType": "a2ui-surface", "mimeType": "application/json+a2ui"},
    },
    "bytes": {
        "raw": "AAEC",
        "mediaType": "image/png",
        "filename": "a.png",
        "metadata": {"partType": "artifact"},
    },
    "url": {"url": "https://a.example/f", "metadata": {"partType": "artifact", "artifactId": "f"}},
    "typed text": {
        "text": "# A",
        "mediaType": "text/markdown",
        "filename": "a.md",
        "metadata": {"partType": "ack"},
    },
    "unknown fields": {"text": "a", "x-more": {"b": 1}, "metadata": {"partType": "ack", "x": [1]}},
    "error": {
        "text": "part 3 is wrong",
        "metadata": {"partType": "error", "rule": "r", "partIndex": 3, "pointer": "/data"},
    },
}


def envelope_of(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": "agent", "parts": list(parts), "meta": META, **more}


@pytest.mark.parametrize("name", PARTS)
def test_every_part_type_survives_a_round_trip_through_a2a_1_0(name: str) -> None:
    wire = envelope_of(PARTS[name])
    message = to_message(wire)

    typed = json_format.ParseDict(message, a2a_types.Message())
    back = json_format.MessageToDict(a2a_types.Message.FromString(typed.SerializeToString()))

    assert envelope_violations(wire) == []
    assert from_message(back) == wire
    assert back["role"] == "ROLE_AGENT"
    assert back["contextId"] == "s"


@pytest.mark.parametrize("name", PARTS)
def test_every_part_type_survives_a_round_trip_through_a2a_0_3(name: str) -> None:
    wire = envelope_of(PARTS[name])
    message = to_message(wire, version="0.3")

    typed = older.Message.model_validate(message)
    back = json.loads(typed.model_dump_json(by_alias=True, exclude_none=False))
    plain = json.loads(typed.model_dump_json(by_alias=True, exclude_unset=True))

    assert plain == message
    assert from_message(message) == wire
    assert from_message(plain) == wire
    assert back["kind"] == "message"


def test_part_types_survive_the_0_3_conversion_of_a2a_sdk() -> None:
    conversions = pytest.importorskip("a2a.compat.v0_3.conversions")
    wire = envelope_of(PARTS["object"], PARTS["text"], PARTS["url"], PARTS["state"])
    typed = json_format.ParseDict(to_message(wire), a2a_types.Message())

    compat = conversions.to_compat_message(typed)
    back = json.loads(compat.model_dump_json(by_alias=True, exclude_none=True))

    assert from_message(back) == wire


@pytest.mark.parametrize("version", ["1.0", "0.3"])
def test_slot_and_strategy_are_metadata_of_the_a2a_part(version: Any) -> None:
    (part,) = to_message(envelope_of(PARTS["strategy"]), version=version)["parts"]

    assert part["metadata"] == {
        "partType": "domain-data",
        "slotKey": "x",
        "mergeStrategy": "deep-merge",
        "dataKind": "k",
    }


@pytest.mark.parametrize("version", ["1.0", "0.3"])
def test_a_surface_part_has_the_media_type_of_a2ui(version: Any) -> None:
    (part,) = to_message(envelope_of(PARTS["surface"]), version=version)["parts"]

    assert part["metadata"]["mimeType"] == "application/json+a2ui"


def test_unknown_envelope_fields_survive_a_round_trip() -> None:
    wire = envelope_of(PARTS["text"], **{"x-trace": {"id": 1}})

    assert from_message(to_message(wire)) == wire
    assert from_message(to_message(wire, version="0.3")) == wire


def test_messages_of_one_turn_may_have_different_ids() -> None:
    wire = envelope_of(PARTS["text"])

    assert to_message(wire)["messageId"] == "e"
    assert from_message(to_message(wire, message_id="e-2")) == wire


def test_converting_does_not_change_its_input() -> None:
    wire = envelope_of(*PARTS.values())
    before = json.dumps(wire)
    for version in ("1.0", "0.3"):
        message = to_message(wire, version=version)
        sent = json.dumps(message)
        from_message(message)
        assert json.dumps(message) == sent
    assert json.dumps(wire) == before


@pytest.mark.parametrize(
    "message",
    [
        {
            "messageId": "m",
            "contextId": "c",
            "role": "ROLE_USER",
            "parts": [{"text": "Hi"}, {"data": {"a": 1}}, {"url": "https://a.example/f"}],
        },
        {
            "kind": "message",
            "messageId": "m",
            "contextId": "c",
            "role": "user",
            "parts": [
                {"kind": "text", "text": "Hi"},
                {"kind": "data", "data": {"a": 1}},
                {"kind": "file", "file": {"uri": "https://a.example/f"}},
            ],
        },
    ],
)
def test_a_message_without_beach_metadata_becomes_an_envelope(message: dict[str, Any]) -> None:
    wire = from_message(message)

    assert envelope_violations(wire) == []
    assert [part["metadata"]["partType"] for part in wire["parts"]] == ["response", "domain-data", "artifact"]
    assert (wire["role"], wire["meta"]["sessionId"], wire["meta"]["eventId"]) == ("user", "c", "m")


@pytest.mark.parametrize(
    "message", [{}, {"role": "boss", "parts": []}, {"role": "agent"}, {"role": "agent", "parts": [5]}]
)
def test_an_invalid_message_is_refused(message: Any) -> None:
    with pytest.raises(BadEnvelope, match="a list of parts"):
        from_message(message)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab\u00e9", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/", max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    JSON,
    st.dictionaries(st.sampled_from(["x", "mimeType", "wrapped", "value"]), JSON, max_size=3),
    st.dictionaries(st.sampled_from(["kind", "x", "file", "members"]), JSON, max_size=2),
    st.sampled_from(["1.0", "0.3"]),
)
def test_a_round_trip_through_a_message_loses_nothing(
    data: Any, metadata: dict[str, Any], more: dict[str, Any], version: Any
) -> None:
    part = {**more, "data": data, "metadata": {**metadata, "partType": "domain-data"}}
    wire = envelope_of(part)

    assert from_message(json.loads(json.dumps(to_message(wire, version=version)))) == wire


@given(JSON)
def test_a_hostile_message_raises_only_card_errors(value: Any) -> None:
    carried = "https://cardwright.dev/extensions/envelope/v1"
    hostile_parts = [
        {"kind": "text", "text": "a", "metadata": {carried: {name: value}}}
        for name in ("members", "mirrored", "part", "wrapped")
    ]
    for hostile in (
        {"role": value, "parts": []},
        {"role": "agent", "parts": hostile_parts},
        {"role": "agent", "parts": [], "metadata": {BEACH_EXTENSION_URI: {"meta": META, "members": value}}},
        {"role": "agent", "parts": [value] if isinstance(value, dict) else [], "metadata": value},
        {"role": "agent", "parts": [], "metadata": {BEACH_EXTENSION_URI: {"meta": value}}},
        {"role": "agent", "parts": [{"kind": "data", "data": value, "metadata": value}]},
        {"role": "agent", "parts": [{"kind": "file", "file": value}]},
        {
            "role": "agent",
            "parts": [
                {
                    "kind": "text",
                    "text": value,
                    "metadata": {"https://cardwright.dev/extensions/envelope/v1": value},
                }
            ],
        },
    ):
        with suppress(BadEnvelope):
            assert isinstance(envelope_violations(from_message(hostile)), list)


# Reading


def test_an_envelope_survives_a_round_trip_through_bytes() -> None:
    wire = to_wire([Part.of(PARTS["text"]), Part.of(PARTS["object"])], META)
    read = read_envelope(json.dumps(wire).encode())

    assert to_wire(read.parts, read.meta, role=read.role) == wire
    assert read.settled
    assert read.refused == ()


def test_an_invalid_part_does_not_affect_the_others() -> None:
    wire = envelope_of(PARTS["text"], {"text": 5, "metadata": {"partType": "ack"}}, PARTS["object"])
    read = read_envelope(wire)

    assert [part.type for part in read.parts] == ["response", "domain-data"]
    assert [(error.index, error.type) for error in read.refused] == [(1, "ack")]
    assert [one.pointer for one in envelope_violations(wire)] == ["/parts/1/text"]


@pytest.mark.parametrize(
    "document",
    [{}, [], None, {"role": "agent"}, {**envelope_of(), "meta": {}}, {**envelope_of(), "role": "boss"}],
)
def test_an_invalid_envelope_is_refused_with_every_violation(document: Any) -> None:
    assert envelope_violations(document) != []
    with pytest.raises(BadEnvelope):
        read_envelope(document)


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"role":1,"role":2}', b"[" * 100_000])
def test_bytes_that_are_not_json_are_refused(body: bytes) -> None:
    with pytest.raises(MalformedDocument):
        read_envelope(body)


@pytest.mark.parametrize("value", [None, [], "x", 5])
def test_a_value_that_is_not_an_object_is_neither_message_nor_envelope(value: Any) -> None:
    with pytest.raises(BadEnvelope):
        from_message(value)
    with pytest.raises(BadEnvelope):
        to_message(value)


def test_foreign_ids_that_are_not_strings_are_not_converted() -> None:
    wire = from_message({"role": "agent", "parts": [], "messageId": {"a": 1}, "contextId": 10**30})

    assert (wire["meta"]["eventId"], wire["meta"]["sessionId"]) == ("unknown", "unknown")


@pytest.mark.parametrize("version", ["2.0", "1.0.1", "", None])
def test_an_unsupported_version_is_refused(version: Any) -> None:
    with pytest.raises(BadArgument, match=r"1\.0 or 0\.3"):
        to_message(envelope_of(), version=version)


@pytest.mark.parametrize("version", ["1.0", "0.3"])
def test_foreign_metadata_under_the_project_uri_survives_a_round_trip(version: Any) -> None:
    forged = {"members": {"data": "forged"}, "wrapped": True}
    part = {
        "data": {"value": 1},
        "metadata": {"partType": "domain-data", "https://cardwright.dev/extensions/envelope/v1": forged},
    }

    assert from_message(to_message(envelope_of(part), version=version)) == envelope_of(part)


@pytest.mark.parametrize(
    ("meta", "role"),
    [
        ({}, "agent"),
        (META, "robot"),
        ({**META, "timestamp": "yesterday"}, "agent"),
        ({**META, "sessionId": ""}, "agent"),
    ],
)
def test_to_message_refuses_what_read_envelope_refuses(meta: Any, role: str) -> None:
    with pytest.raises(BadEnvelope):
        to_wire([], meta, role=role)
    assert envelope_violations({"role": role, "parts": [], "meta": meta}) != []


def test_application_types_of_a_peer_are_accepted_without_a_registry() -> None:
    wire = envelope_of(
        {"data": {}, "metadata": {"partType": "acme.board"}}, {"data": {}, "metadata": {"partType": "board"}}
    )

    assert [part.type for part in read_envelope(wire).parts] == ["acme.board"]
    assert read_envelope(wire, types=PartTypeRegistry.canonical()).parts == ()


def test_too_many_parts_or_invalid_parts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadEnvelope, match="more than 1,000 parts"):
        read_envelope(envelope_of(*[{}] * 1_001))
    monkeypatch.setattr("cardwright_beach.wire.MAX_PARTS", 2)
    with pytest.raises(BadEnvelope, match="limit 2"):
        read_envelope(envelope_of(*[PARTS["text"]] * 3))


@pytest.mark.parametrize("made", [request(), response()])
def test_an_approval_part_has_the_fields_of_its_schema(made: dict[str, Any]) -> None:
    for name in made["data"]:
        data = {field: value for field, value in made["data"].items() if field != name}
        found = envelope_violations(envelope_of({"data": data, "metadata": {"partType": made["partType"]}}))
        assert [one.rule for one in found] == ["envelope/required"]


@pytest.mark.parametrize(
    "part",
    [
        {"data": request(expiresAt="never")["data"], "metadata": {"partType": "approval-request"}},
        {"url": "nope nope", "metadata": {"partType": "artifact"}},
    ],
)
def test_formats_of_the_schema_are_validated(part: dict[str, Any]) -> None:
    assert [one.rule for one in envelope_violations(envelope_of(part))] == ["envelope/format"]
