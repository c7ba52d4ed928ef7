"""Approvals in a user interface: an action that submits the id (Beach protocol seed, Approval part schemas)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from cardwright_beach.approvals.answers import malformed, read_answer, utc_now
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cardwright_beach.approvals.answers import Decision
    from cardwright_beach.parts import Part
    from cardwright_runtime.violation import JsonMapping, JsonObject

# What the buttons of the default approval surface are called (ours).
ACTION: Final = "approval.respond"
_VERSION: Final = "v0.9"
# Longer than any id (ours).
_ID_CHARACTERS: Final = 1_024


def ui_action(approval_id: str, decision: Decision) -> JsonObject:
    """Return the event of a button that answers an approval (A2UI v0.9, an action's `event`).

    >>> ui_action("abc123", "granted")
    {'name': 'approval.respond', 'context': {'approvalId': 'abc123', 'decision': 'granted'}}
    """
    return {"name": ACTION, "context": {"approvalId": approval_id, "decision": decision}}


def read_ui_action(
    message: JsonMapping,
    *,
    clock: Callable[[], datetime] = utc_now,
    decided_by: str | None = None,
) -> Part | None:
    """Return the answer that a user's action gives, as an approval-response part for `Approvals.receive`.

    Args:
        message: What an A2UI v0.9 client sends, `{"version": "v0.9", "action": {…}}`, or the action or event alone.
        clock: Says what time it is.
        decided_by: Who the user is, as far as the application has made sure of it.

    Returns:
        The answer; None where the action is another one.

    Raises:
        ApprovalRefused: As malformed, if it answers an approval and cannot be read.
    """
    if not isinstance(message, Mapping):
        raise malformed("the message is no JSON object")
    action = message.get("action", message)
    if not isinstance(action, Mapping) or action.get("name") != ACTION:
        return None
    version = message.get("version", _VERSION)
    if version != _VERSION:
        raise malformed(f"{quote(version)} is no version of A2UI that is read here: {quote(_VERSION)} is")
    context = action.get("context")
    if not isinstance(context, Mapping):
        raise malformed(f"the action {ACTION} has no context: approvalId and decision are expected there")
    approval_id, decision = context.get("approvalId"), context.get("decision")
    if not isinstance(approval_id, str) or not 0 < len(approval_id) <= _ID_CHARACTERS:
        raise malformed(
            f"/action/context/approvalId: a text of 1 to {_ID_CHARACTERS:,} characters is expected"
        )
    if not isinstance(decision, str):
        raise malformed(f'/action/context/decision: "granted" or "denied" is expected, not {quote(decision)}')
    return read_answer(approval_id, decision, clock=clock, decided_by=decided_by)
