"""Approvals in user interface actions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from cardwright_beach.approvals import actions, read_ui_action, ui_action
from cardwright_beach.errors import ApprovalRefused
from cardwright_beach.surfaces.approval import approval_surface
from tests.beach.approvals.test_ledger import request_part

NOW = datetime(2026, 5, 4, 6, 41, tzinfo=UTC)


def sent(event: Any, **changes: Any) -> dict[str, Any]:
    action = {
        **event,
        "surfaceId": "approval-abc",
        "sourceComponentId": "approve",
        "timestamp": "2026-05-04T06:40:59Z",
    }
    return {"version": "v0.9", "action": action, **changes}


@pytest.mark.parametrize("decision", ["granted", "denied"])
def test_a_button_event_is_read_as_its_decision(decision: Any) -> None:
    event = ui_action("abc", decision)
    for message in (sent(event), event, sent(event)["action"]):
        answer = read_ui_action(message, clock=lambda: NOW, decided_by="harbour-master")
        assert answer is not None
        assert answer.data == {
            "approvalId": "abc",
            "decision": decision,
            "decidedBy": "harbour-master",
            "decidedAt": "2026-05-04T06:41:00Z",
        }


def test_the_buttons_of_the_approval_surface_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "ACTION", "harbour.answer")
    data = request_part("abc", "s").data
    components = approval_surface(data)[1]["updateComponents"]["components"]
    events = [one["action"]["event"] for one in components if "action" in one]
    assert events == [ui_action("abc", "granted"), ui_action("abc", "denied")]


@pytest.mark.parametrize("message", [{}, sent({"name": "submit"}), {"action": []}, {"version": "v0.9"}])
def test_another_action_is_ignored(message: dict[str, Any]) -> None:
    assert read_ui_action(message) is None


@pytest.mark.parametrize(
    "message",
    [
        [],
        None,
        {"name": "approval.respond"},
        {"name": "approval.respond", "context": []},
        {"name": "approval.respond", "context": {"decision": "granted"}},
        {"name": "approval.respond", "context": {"approvalId": "", "decision": "granted"}},
        {"name": "approval.respond", "context": {"approvalId": "x" * 1_025, "decision": "granted"}},
        {"name": "approval.respond", "context": {"approvalId": {"path": "/id"}, "decision": "granted"}},
        {"name": "approval.respond", "context": {"approvalId": "\ud800", "decision": "granted"}},
        {"name": "approval.respond", "context": {"approvalId": "abc"}},
        {"name": "approval.respond", "context": {"approvalId": "abc", "decision": True}},
        sent(ui_action("abc", "granted"), version="v0.8"),
        sent(ui_action("abc", "maybe")),  # type: ignore[arg-type] # what a client sends
    ],
)
def test_an_unreadable_response_is_malformed(message: Any) -> None:
    with pytest.raises(ApprovalRefused) as refused:
        read_ui_action(message)
    assert refused.value.kind == "malformed"
