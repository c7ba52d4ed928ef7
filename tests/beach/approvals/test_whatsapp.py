"""Approvals in WhatsApp button payloads."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.errors import BadArgument
from cardwright_beach.approvals import read_whatsapp, whatsapp_buttons
from cardwright_beach.errors import ApprovalRefused
from cardwright_beach.parts import part
from tests.beach.approvals.test_ledger import ledger, request_part

NOW = datetime(2026, 5, 4, 6, 41, tzinfo=UTC)


def pressed(payload: Any) -> dict[str, Any]:
    reply = {"type": "button_reply", "button_reply": {"id": payload, "title": "Approve"}}
    return {"from": "4915112345678", "id": "wamid.x", "type": "interactive", "interactive": reply}


def template(payload: Any) -> dict[str, Any]:
    return {"from": "4915112345678", "type": "button", "button": {"payload": payload, "text": "Approve"}}


def test_each_of_two_buttons_is_read_as_its_decision() -> None:
    approvals = ledger()
    request = approvals.request(tool_name="t", tool_call_id="c", args={}, handler="h", turn="e", session="s")
    message = whatsapp_buttons(request, text="Book berth N4?", granted="Freigeben", denied="Ablehnen")
    interactive = message["interactive"]
    assert (message["type"], interactive["type"], interactive["body"]) == (
        "interactive",
        "button",
        {"text": "Book berth N4?"},
    )
    replies = [button["reply"] for button in interactive["action"]["buttons"]]
    assert [one["title"] for one in replies] == ["Freigeben", "Ablehnen"]
    for reply, decision in zip(replies, ("granted", "denied"), strict=True):
        for made in (pressed(reply["id"]), template(reply["id"])):
            answer = read_whatsapp(made, clock=lambda: NOW, decided_by="harbour-master")
            assert answer is not None
            assert answer.data == {
                "approvalId": request.data["approvalId"],
                "decision": decision,
                "decidedBy": "harbour-master",
                "decidedAt": "2026-05-04T06:41:00Z",
            }
    denied = read_whatsapp(pressed(replies[1]["id"]))
    assert denied is not None
    assert approvals.receive(denied, session="s").data["decision"] == "denied"


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": ""},
        {"text": " "},
        {"text": "x" * 1_025},
        {"text": "\U0001f6a2" * 513},
        {"granted": "x" * 21},
        {"denied": ""},
        {"granted": "Deny"},
    ],
)
def test_texts_beyond_the_limits_of_whatsapp_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(BadArgument):
        whatsapp_buttons(request_part("abc", "s"), **{"text": "Book?", **wrong})


def test_texts_and_ids_of_maximum_length_are_accepted() -> None:
    message = whatsapp_buttons(request_part("x" * 128, "s"), text="x" * 1_024, granted="x" * 20)
    assert all(len(one["reply"]["id"]) <= 256 for one in message["interactive"]["action"]["buttons"])


def test_another_part_type_or_an_unwritable_id_is_refused() -> None:
    with pytest.raises(BadArgument, match="approval-request"):
        whatsapp_buttons(part("response", text="yes"), text="Book?")
    with pytest.raises(BadArgument, match="approval_id"):
        whatsapp_buttons(request_part("a:b", "s"), text="Book?")


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": "text", "text": {"body": "yes"}},
        pressed("menu:berths"),
        template(""),
        {"interactive": []},
        {"interactive": {"list_reply": {"id": "approval:abc:granted"}}},
    ],
)
def test_another_message_is_ignored(message: dict[str, Any]) -> None:
    assert read_whatsapp(message) is None


@pytest.mark.parametrize(
    "message",
    [
        [], None, pressed("approval:"), pressed("approval:abc"), pressed("approval:abc:maybe"),
        pressed("approval:abc:GRANTED"), pressed("approval::granted"), pressed("approval:a b:granted"),
        pressed("approval:" + "x" * 300 + ":granted"), pressed(7), template({"approval": "abc"}),
    ],
)  # fmt: skip
def test_a_button_that_cannot_be_read_is_malformed(message: Any) -> None:
    with pytest.raises(ApprovalRefused) as refused:
        read_whatsapp(message)
    assert refused.value.kind == "malformed"


JSON = st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.dictionaries(st.text(), inner))


@given(JSON | st.text().map(lambda rest: f"approval:{rest}"))
def test_any_payload_is_a_response_none_or_malformed(payload: Any) -> None:
    for message in (pressed(payload), template(payload)):
        try:
            answer = read_whatsapp(message)
        except ApprovalRefused as refused:
            assert refused.kind == "malformed"
        else:
            assert answer is None or answer.type == "approval-response"
