"""Approvals by WhatsApp: the id in the payload of a button (Beach protocol seed, Approval part schemas)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadArgument
from cardwright_beach.approvals.answers import malformed, read_answer, utc_now
from cardwright_beach.approvals.tokens import is_writable, writable
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cardwright_beach.parts import Part
    from cardwright_runtime.violation import JsonMapping, JsonObject

# WhatsApp Cloud API, Interactive reply buttons messages: id, title and body. The id's holds for any id that is writable.
_ID_CHARACTERS: Final = 256
_TITLE_CHARACTERS: Final = 20
_BODY_CHARACTERS: Final = 1024
_PREFIX: Final = "approval:"


def whatsapp_buttons(
    request: Part, *, text: str, granted: str = "Approve", denied: str = "Deny"
) -> JsonObject:
    """Return the message that asks for an approval by two buttons; the caller adds `to` and sends it.

    Args:
        request: An approval-request part.
        text: The question, at most 1,024 characters.
        granted: The title of the button that approves, at most 20 characters.
        denied: That of the one that denies.

    Raises:
        BadArgument: If the part is none, its id cannot be written, or a text is empty or too long.
    """
    if request.type != "approval-request":
        raise BadArgument("request", f"an approval-request part is expected, not {quote(request.type)}")
    approval_id = writable(request.data["approvalId"])
    for name, given, most in (
        ("text", text, _BODY_CHARACTERS),
        ("granted", granted, _TITLE_CHARACTERS),
        ("denied", denied, _TITLE_CHARACTERS),
    ):
        if not given.strip() or _length(given) > most:
            raise BadArgument(name, f"must have 1 to {most:,} characters")
    if granted == denied:
        raise BadArgument("denied", "must not be the title of the other button, too")
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
    message: JsonMapping,
    *,
    clock: Callable[[], datetime] = utc_now,
    decided_by: str | None = None,
) -> Part | None:
    """Return the answer that a pressed button gives, as an approval-response part for `Approvals.receive`.

    Args:
        message: One of the `messages` of a webhook: `interactive.button_reply.id`, or a template's `button.payload`.
        clock: Says what time it is.
        decided_by: Who the sender is, as far as the application has made sure of it.

    Returns:
        The answer; None where the message is no button of an approval.

    Raises:
        ApprovalRefused: As malformed, if it is one and cannot be read.
    """
    if not isinstance(message, Mapping):
        raise malformed("the message is no JSON object")
    payload = _at(message, "interactive", "button_reply", "id")
    payload = _at(message, "button", "payload") if payload is None else payload
    if payload is None:
        return None
    if not isinstance(payload, str):
        raise malformed("the payload of the button is no text")
    if not payload.startswith(_PREFIX):
        return None
    if len(payload) > _ID_CHARACTERS:
        raise malformed(f"the payload of the button has more than {_ID_CHARACTERS} characters")
    approval_id, _, decision = payload.removeprefix(_PREFIX).rpartition(":")
    if not is_writable(approval_id):
        raise malformed(
            f"{quote(payload)} is no button of an approval: approval:ID:granted is expected, or denied"
        )
    return read_answer(approval_id, decision, clock=clock, decided_by=decided_by)


def _at(value: Any, *path: str) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _length(text: str) -> int:
    """Return how long a text is at most, by whoever counts: in UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
