"""One small message, and one streamed, where the user lets them be sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.discovery.probe.client import Spent
from cardwright.discovery.probe.declared import claims_of
from cardwright.errors import CardError

if TYPE_CHECKING:
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.report import Outcome
    from cardwright.discovery.probe.wire import Said, Wire


async def look_at_messages(desk: CheckContext, wire: Wire | None) -> None:
    """Send a text, and a streamed one where streaming is declared, to the first interface that is in order."""
    if wire is None or desk.card is None:
        desk.say("probe/message", "skip", "messages", "no interface is in order, or none lets the caller in")
        return
    subject, pointer = str(wire.one), wire.one.pointer
    claims = claims_of(desk.card, wire.one)
    if not claims.text:
        desk.say("probe/message", "skip", subject, "the card takes no text", pointer=pointer)
        return
    if not wire.knows("send"):
        seen = "A2A 0.3 over HTTP+JSON has two forms of messages: none is sent"
        desk.say("probe/message", "skip", subject, seen, pointer=pointer)
        return
    try:
        said = await wire.ask("send")
        outcome: Outcome = (
            "pass" if _is_answer(said, wire.version) else "warning" if said.form == "error" else "error"
        )
        desk.say("probe/message", outcome, subject, str(said), pointer=pointer)
        if claims.streaming:
            said = await wire.ask("stream")
            outcome = "pass" if said.form == "stream" else "error"
            desk.say("probe/message-stream", outcome, subject, str(said), pointer=pointer)
    except Spent:
        raise
    except CardError as error:
        desk.say("probe/message", "error", subject, str(error), pointer=pointer)


def _is_answer(said: Said, version: str) -> bool:
    """Whether a result is a task or a message."""
    result: Any = said.result
    if said.form != "result" or type(result) is not dict:
        return False
    if version == "1.0":
        return type(result.get("task")) is dict or type(result.get("message")) is dict
    return result.get("kind") in ("task", "message") or ("id" in result and "status" in result)
