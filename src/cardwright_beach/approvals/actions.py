"""Approvals in a user interface: an action that submits the approval id (Beach protocol seed, Approval part schemas)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from cardwright_beach.approvals.approval_parts import malformed, read_response, utc_now
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cardwright_beach.approvals.approval_parts import Decision
    from cardwright_beach.parts import Part
    from cardwright_runtime.violation import JsonMapping, JsonObject

# Action name of the buttons in the default approval surface (project decision).
ACTION: Final = "approval.respond"
_VERSION: Final = "v0.9"
# Longer than any id (project decision).
_MAX_ID_CHARACTERS: Final = 1_024


def ui_action(approval_id: str, decision: Decision) -> JsonObject:
    """Return the event of a button that responds to an approval request (A2UI v0.9, an action's `event`).

    >>> ui_action("abc123", "granted")
    {'name': 'approval.respond', 'context': {'approvalId': 'abc123', 'decision': 'granted'}}
    """
    return {"name": ACTION, "context": {"approvalId": approval_id, "decision": decision}}


def read_ui_action(
    message: JsonMapping, *, clock: Callable[[], datetime] = utc_now, decided_by: str | None = None
) -> Part | None:
    """Read a user's action as an approval-response part for `Approvals.receive`.

    Args:
        message: The message of an A2UI v0.9 client, `{"version": "v0.9", "action": {…}}`, or its action or event alone.
        clock: Returns the current time.
        decided_by: The user, as authenticated by the application.

    Returns:
        The approval-response part; None for any other action.

    Raises:
        ApprovalRefused: `malformed`, if it is an approval action that cannot be read.
    """
    if not isinstance(message, Mapping):
        raise malformed("the message must be a JSON object")
    action = message.get("action", message)
    if not isinstance(action, Mapping) or action.get("name") != ACTION:
        return None
    version = message.get("version", _VERSION)
    if version != _VERSION:
        raise malformed(f"/version: unsupported A2UI version {quote(version)}; send {quote(_VERSION)}")
    context = action.get("context")
    if not isinstance(context, Mapping):
        raise malformed(
            f"/action/context is missing; the action {ACTION} needs approvalId and decision there"
        )
    approval_id, decision = context.get("approvalId"), context.get("decision")
    if not isinstance(approval_id, str) or not 0 < len(approval_id) <= _MAX_ID_CHARACTERS:
        raise malformed(
            f"/action/context/approvalId must be a string of 1 to {_MAX_ID_CHARACTERS:,} characters"
        )
    if not isinstance(decision, str):
        raise malformed(f'/action/context/decision must be "granted" or "denied", not {quote(decision)}')
    return read_response(approval_id, decision, clock=clock, decided_by=decided_by)
