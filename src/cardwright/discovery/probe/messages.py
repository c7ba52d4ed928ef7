"""Checks with one text message, and one streamed, if the user allows messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.discovery.probe.client import BudgetSpent
from cardwright.discovery.probe.declared import declared_for
from cardwright.errors import CardError

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
        if declared.streaming:
            reply = await wire.request("stream")
            outcome = "pass" if reply.form == "stream" else "error"
            context.add("probe/message-stream", outcome, subject, str(reply), pointer=pointer)
    except BudgetSpent:
        raise
    except CardError as error:
        context.add("probe/message", "error", subject, str(error), pointer=pointer)


def _is_task_or_message(reply: OperationResponse, version: str) -> bool:
    """Whether a result is a task or a message."""
    result: Any = reply.result
    if reply.form != "result" or type(result) is not dict:
        return False
    if version == "1.0":
        return type(result.get("task")) is dict or type(result.get("message")) is dict
    return result.get("kind") in ("task", "message") or ("id" in result and "status" in result)
