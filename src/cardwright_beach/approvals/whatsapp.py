"""Approvals by WhatsApp: a button payload that carries the approval id (Beach protocol seed, Approval part schemas)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadArgument
from cardwright_beach.approvals.approval_parts import malformed, read_response, utc_now
from cardwright_beach.approvals.tokens import is_writable, writable
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cardwright_beach.parts import Part
    from cardwright_runtime.violation import JsonMapping, JsonObject

# WhatsApp Cloud API, Interactive reply buttons messages: id, title and body. Every writable id fits.
_MAX_ID_CHARACTERS: Final = 256
_MAX_TITLE_CHARACTERS: Final = 20
_MAX_BODY_CHARACTERS: Final = 1024
_PREFIX: Final = "approval:"


def whatsapp_buttons(
    request: Part, *, text: str, granted: str = "Approve", denied: str = "Deny"
) -> JsonObject:
    """Return a message with two buttons for an approval request; the application adds `to` and sends it.

    Args:
        request: An approval-request part.
        text: The question, at most 1,024 characters.
        granted: Title of the approve button, at most 20 characters.
        denied: Title of the deny button, at most 20 characters.

    Raises:
        BadArgument: If the part is not an approval request, its id is not writable, or a text is empty or too long.
    """
    if request.type != "approval-request":
        raise BadArgument("request", f"must be an approval-request part, not {quote(request.type)}")
    approval_id = writable(request.data["approvalId"])
    for name, value, max_length in (
        ("text", text, _MAX_BODY_CHARACTERS),
        ("granted", granted, _MAX_TITLE_CHARACTERS),
        ("denied", denied, _MAX_TITLE_CHARACTERS),
    ):
        if not value.strip() or _length(value) > max_length:
            raise BadArgument(name, f"must have 1 to {max_length:,} characters")
    if granted == denied:
        raise BadArgument("denied", "must differ from the title of the other button")
    buttons = [
        {"type": "reply", "reply": {"id": f"{_PREFIX}{approval_id}:{decision}", "title": title}}
        for decision, title in (("granted", granted), ("denied", denied))
    ]
    return {
        "messaging_product": "whatsapp",
        "type": "interactive",
        "interactive": {"type": "button", "body": {"text": text}, "action": {"buttons": buttons}},
    }


def read_whatsapp(
    message: JsonMapping, *, clock: Callable[[], datetime] = utc_now, decided_by: str | None = None
) -> Part | None:
    """Read a pressed button as an approval-response part for `Approvals.receive`.

    Args:
        message: One of the `messages` of a webhook, with `interactive.button_reply.id` or a template's `button.payload`.
        clock: Returns the current time.
        decided_by: The sender, as authenticated by the application.

    Returns:
        The approval-response part; None if the message is not an approval button.

    Raises:
        ApprovalRefused: `malformed`, if it is an approval button that cannot be read.
    """
    if not isinstance(message, Mapping):
        raise malformed("the message must be a JSON object")
    payload = _at(message, "interactive", "button_reply", "id")
    payload = _at(message, "button", "payload") if payload is None else payload
    if payload is None:
        return None
    if not isinstance(payload, str):
        raise malformed("the button payload must be a string")
    if not payload.startswith(_PREFIX):
        return None
    if len(payload) > _MAX_ID_CHARACTERS:
        raise malformed(f"the button payload has more than {_MAX_ID_CHARACTERS} characters")
    approval_id, _, decision = payload.removeprefix(_PREFIX).rpartition(":")
    if not is_writable(approval_id):
        raise malformed(
            f"invalid button payload {quote(payload)}; expected approval:ID:granted or approval:ID:denied"
        )
    return read_response(approval_id, decision, clock=clock, decided_by=decided_by)


def _at(value: Any, *path: str) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _length(text: str) -> int:
    """Return the length in UTF-16 code units, the longest way to count characters."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
