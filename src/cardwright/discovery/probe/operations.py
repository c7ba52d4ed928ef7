"""Whether extended card, streaming and push are there where the card says so, and only there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.card import Card
from cardwright.discovery.probe.client import Spent
from cardwright.discovery.probe.wire import (
    METHOD_NOT_FOUND,
    NOT_CONFIGURED,
    PUSH_NOT_SUPPORTED,
    UNSUPPORTED,
)
from cardwright.errors import CardError

if TYPE_CHECKING:
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.declared import Declared
    from cardwright.discovery.probe.report import Outcome
    from cardwright.discovery.probe.requests import Operation
    from cardwright.discovery.probe.wire import Said, Wire


async def look_at_operations(desk: CheckContext, wire: Wire, claims: Declared, subject: str) -> None:
    """Ask for the extended card, and for the stream and the push settings of a task that cannot exist."""
    if claims.extended is not None and wire.knows("extended"):
        await _look_at_extended(desk, wire, subject, declared=claims.extended)
    if claims.streaming is not None:
        await _look_at(desk, wire, "subscribe", subject, declared=claims.streaming)
    if claims.push is not None:
        await _look_at(desk, wire, "push", subject, declared=claims.push)


async def _look_at(
    desk: CheckContext, wire: Wire, operation: Operation, subject: str, *, declared: bool
) -> None:
    """Ask about a task that cannot exist what only agents with the capability answer."""
    rule, judge = ("probe/push", _push) if operation == "push" else ("probe/streaming", _streaming)
    try:
        said = await wire.ask(operation)
    except Spent:
        raise
    except CardError as error:
        desk.say(rule, "warning", subject, str(error), pointer=wire.one.pointer)
        return
    outcome = judge(wire, said, declared=declared)
    desk.say(rule, outcome, subject, _told(said, declared), pointer=wire.one.pointer)


def _told(said: Said, declared: bool) -> str:  # noqa: FBT001 - a word of the sentence
    return f"{'declared' if declared else 'not declared'}; asked about a task that cannot exist, {said}"


def _streaming(wire: Wire, said: Said, *, declared: bool) -> Outcome:
    if said.form == "denied" or (wire.rest and said.heard.status == 405):
        return "skip"
    if declared:
        missing = said.code in (UNSUPPORTED, METHOD_NOT_FOUND) or said.form == "other"
        return "error" if missing else "pass"
    if said.code == UNSUPPORTED:
        return "pass"
    # Before 1.0 no number was prescribed: any refusal will do.
    if wire.version != "1.0":
        # a2a-sdk opens a stream over HTTP+JSON before it looks, and ends it without an event.
        silent = said.form == "stream" and not said.heard.body
        return "skip" if silent else "pass" if said.form in ("error", "other") else "error"
    return "error"


def _push(wire: Wire, said: Said, *, declared: bool) -> Outcome:
    if said.form == "denied":
        return "skip"
    if declared:
        missing = said.code in (PUSH_NOT_SUPPORTED, UNSUPPORTED, METHOD_NOT_FOUND) or said.form == "other"
        return "error" if missing else "pass"
    if said.code == PUSH_NOT_SUPPORTED:
        return "pass"
    if wire.version != "1.0":
        return "pass" if said.form in ("error", "other") else "error"
    return "error"


async def _look_at_extended(desk: CheckContext, wire: Wire, subject: str, *, declared: bool) -> None:
    # Where it is not declared, who may ask is told the same as who may not: there is none.
    said = await wire.ask("extended", anonymous=declared)
    pointer = wire.one.pointer
    if not declared:
        desk.say("probe/extended-undeclared", _undeclared(wire, said), subject, str(said), pointer=pointer)
        return
    if said.form == "denied":
        seen = f"one who does not say who is asking gets {said.heard.status}"
        desk.say("probe/extended-card", "pass", subject, seen, pointer=pointer)
    elif said.form == "result":
        seen = "anybody gets it: nobody is asked who is asking"
        desk.say("probe/extended-card", "error", subject, seen, pointer=pointer)
    elif said.code in (NOT_CONFIGURED, UNSUPPORTED, METHOD_NOT_FOUND) or said.form == "other":
        seen = f"it is declared, and not there: {said}"
        desk.say("probe/extended-card", "error", subject, seen, pointer=pointer)
    else:
        desk.say(
            "probe/extended-card", "warning", subject, f"it does not answer 401: {said}", pointer=pointer
        )
    if wire.has_credentials and said.form != "result":
        _say_shown(desk, await wire.ask("extended"), subject, pointer)


def _undeclared(wire: Wire, said: Said) -> Outcome:
    if said.form == "denied":
        return "info"
    if said.form in ("result", "stream"):
        return "error"
    older = (NOT_CONFIGURED, METHOD_NOT_FOUND)
    if said.code == UNSUPPORTED or (wire.version != "1.0" and said.code in older):
        return "pass"
    if wire.version != "1.0" and said.heard.status == 404:
        return "pass"
    return "warning"


def _say_shown(desk: CheckContext, said: Said, subject: str, pointer: str) -> None:
    """Say what the header that was given shows."""
    if said.form != "result":
        seen = f"with the header that was given, {said}"
        desk.say("probe/extended-card", "warning", subject, seen, pointer=pointer)
        return
    try:
        valid = Card.from_document(said.result).valid
    except CardError:
        valid = False
    seen = f"with the header that was given it is {'a valid' if valid else 'no valid'} card"
    desk.say("probe/extended-card", "pass" if valid else "error", subject, seen, pointer=pointer)
