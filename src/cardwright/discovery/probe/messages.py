"""Checks with one text message, and one streamed, if the user allows messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.discovery.probe.client import BudgetSpent
from cardwright.discovery.probe.declared import declared_for
from cardwright.errors import CardError
from cardwright.validator import violations_of
from cardwright_rules import MESSAGES

if TYPE_CHECKING:
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.report import Outcome
    from cardwright.discovery.probe.wire import OperationResponse, Wire


async def check_messages(context: CheckContext, wire: Wire | None) -> None:
    """Send a text, and a streamed one if streaming is declared, to the first interface that passed its checks."""
    if wire is None or context.card is None:
        context.add(
            "probe/message", "skip", "messages", "no interface passed its checks, or none grants access"
        )
        return
    subject, pointer = str(wire.interface), wire.interface.pointer
    declared = declared_for(context.card, wire.interface)
    if not declared.text:
        context.add("probe/message", "skip", subject, "the card does not accept text", pointer=pointer)
        return
    if not wire.knows("send"):
        seen = "not sent: A2A 0.3 has two incompatible message forms over HTTP+JSON"
        context.add("probe/message", "skip", subject, seen, pointer=pointer)
        return
    try:
        reply = await wire.request("send")
        outcome: Outcome = (
            "pass"
            if _is_task_or_message(reply, wire.version)
            else "warning"
            if reply.form == "error"
            else "error"
        )
        context.add("probe/message", outcome, subject, str(reply), pointer=pointer)
        replies = [reply] if outcome == "pass" else []
        if declared.streaming:
            reply = await wire.request("stream")
            outcome = "pass" if reply.form == "stream" else "error"
            context.add("probe/message-stream", outcome, subject, str(reply), pointer=pointer)
            replies += [reply] if outcome == "pass" else []
        _check_form(context, replies, wire, pointer)
    except BudgetSpent:
        raise
    except CardError as error:
        context.add("probe/message", "error", subject, str(error), pointer=pointer)


def _check_form(context: CheckContext, replies: list[OperationResponse], wire: Wire, pointer: str) -> None:
    """Validate what an agent answered as messages of its version; an answer of another form has its finding already."""
    # The messages of 0.2 are those of 0.3; before, there were others.
    dialect = {"0.2": "a2a-messages-0.3"}.get(wire.version, f"a2a-messages-{wire.version}")
    results = [reply.result for reply in replies if type(reply.result) is dict and reply.result]
    if dialect not in MESSAGES or not results:
        return
    found = [one for result in results for one in violations_of(result, dialect)]
    errors = [one for one in found if one.severity == "error"]
    outcome: Outcome = "error" if errors else "warning" if found else "pass"
    first = next(iter(errors or found), None)
    others = f", and {len(found) - 1} more" if len(found) > 1 else ""
    seen = f"{first.pointer or 'the root'}: {first.message} [{first.rule}]{others}" if first else "valid"
    context.add("probe/message-valid", outcome, str(wire.interface), seen, pointer=pointer)


def _is_task_or_message(reply: OperationResponse, version: str) -> bool:
    """Whether a result is a task or a message."""
    result: Any = reply.result
    if reply.form != "result" or type(result) is not dict:
        return False
    if version == "1.0":
        return type(result.get("task")) is dict or type(result.get("message")) is dict
    return result.get("kind") in ("task", "message") or ("id" in result and "status" in result)
