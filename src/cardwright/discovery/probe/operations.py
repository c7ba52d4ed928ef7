"""Checks of extended card, streaming and push notifications against the card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.card import Card
from cardwright.discovery.probe.client import BudgetSpent
from cardwright.discovery.probe.wire import METHOD_NOT_FOUND, NOT_CONFIGURED, PUSH_NOT_SUPPORTED, UNSUPPORTED
from cardwright.errors import CardError

if TYPE_CHECKING:
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.declared import Declared
    from cardwright.discovery.probe.report import Outcome
    from cardwright.discovery.probe.requests import Operation
    from cardwright.discovery.probe.wire import OperationResponse, Wire


async def check_operations(context: CheckContext, wire: Wire, declared: Declared, subject: str) -> None:
    """Request the extended card, and the event stream and push settings of a task that does not exist."""
    if declared.extended is not None and wire.knows("extended"):
        await _check_extended(context, wire, subject, declared=declared.extended)
    if declared.streaming is not None:
        await _check_capability(context, wire, "subscribe", subject, declared=declared.streaming)
    if declared.push is not None:
        await _check_capability(context, wire, "push", subject, declared=declared.push)


async def _check_capability(
    context: CheckContext, wire: Wire, operation: Operation, subject: str, *, declared: bool
) -> None:
    """Send an operation for a task that does not exist; only agents with the capability support it."""
    rule, outcome_of = (
        ("probe/push", _push_outcome) if operation == "push" else ("probe/streaming", _streaming_outcome)
    )
    try:
        reply = await wire.request(operation)
    except BudgetSpent:
        raise
    except CardError as error:
        context.add(rule, "warning", subject, str(error), pointer=wire.interface.pointer)
        return
    outcome = outcome_of(wire, reply, declared=declared)
    if outcome == "pass" and reply.failed:
        # A server error says nothing about the capability.
        outcome = "warning"
    context.add(rule, outcome, subject, _seen(reply, declared), pointer=wire.interface.pointer)


def _seen(reply: OperationResponse, declared: bool) -> str:  # noqa: FBT001 - selects a word of the text
    return f"{'declared' if declared else 'not declared'}; response for an unknown task: {reply}"


def _streaming_outcome(wire: Wire, reply: OperationResponse, *, declared: bool) -> Outcome:
    if reply.form == "denied" or (wire.rest and reply.response.status == 405):
        return "skip"
    if declared:
        missing = reply.code in (UNSUPPORTED, METHOD_NOT_FOUND) or reply.form == "other"
        return "error" if missing else "pass"
    if reply.code == UNSUPPORTED:
        return "pass"
    # Before 1.0 no error code is specified: any error is accepted.
    if wire.version != "1.0":
        # a2a-sdk opens a stream over HTTP+JSON before it checks, and ends it without an event.
        empty_stream = reply.form == "stream" and not reply.response.body
        return "skip" if empty_stream else "pass" if reply.form in ("error", "other") else "error"
    return "error"


def _push_outcome(wire: Wire, reply: OperationResponse, *, declared: bool) -> Outcome:
    if reply.form == "denied":
        return "skip"
    if declared:
        missing = reply.code in (PUSH_NOT_SUPPORTED, UNSUPPORTED, METHOD_NOT_FOUND) or reply.form == "other"
        return "error" if missing else "pass"
    if reply.code == PUSH_NOT_SUPPORTED:
        return "pass"
    if wire.version != "1.0":
        return "pass" if reply.form in ("error", "other") else "error"
    return "error"


async def _check_extended(context: CheckContext, wire: Wire, subject: str, *, declared: bool) -> None:
    # If it is undeclared, credentials make no difference to the expected error.
    reply = await wire.request("extended", anonymous=declared)
    pointer = wire.interface.pointer
    if not declared:
        context.add(
            "probe/extended-undeclared",
            _undeclared_outcome(wire, reply),
            subject,
            str(reply),
            pointer=pointer,
        )
        return
    if reply.form == "denied":
        seen = f"{reply} without credentials"
        context.add("probe/extended-card", "pass", subject, seen, pointer=pointer)
    elif reply.form == "result":
        seen = "the extended card is returned without credentials"
        context.add("probe/extended-card", "error", subject, seen, pointer=pointer)
    elif reply.code in (NOT_CONFIGURED, UNSUPPORTED, METHOD_NOT_FOUND) or reply.form == "other":
        seen = f"declared but not available: {reply}"
        context.add("probe/extended-card", "error", subject, seen, pointer=pointer)
    else:
        context.add(
            "probe/extended-card",
            "warning",
            subject,
            f"expected 401 without credentials, found {reply}",
            pointer=pointer,
        )
    if wire.has_credentials and reply.form != "result":
        _check_authorized(context, await wire.request("extended"), subject, pointer)


def _undeclared_outcome(wire: Wire, reply: OperationResponse) -> Outcome:
    if reply.form == "denied":
        return "info"
    if reply.form in ("result", "stream"):
        return "error"
    older = (NOT_CONFIGURED, METHOD_NOT_FOUND)
    if reply.code == UNSUPPORTED or (wire.version != "1.0" and reply.code in older):
        return "pass"
    if wire.version != "1.0" and reply.response.status == 404:
        return "pass"
    return "warning"


def _check_authorized(context: CheckContext, reply: OperationResponse, subject: str, pointer: str) -> None:
    """Check the extended card that the given header grants access to."""
    if reply.form != "result":
        seen = f"with the given header: {reply}"
        context.add("probe/extended-card", "warning", subject, seen, pointer=pointer)
        return
    try:
        valid = Card.from_document(reply.result).valid
    except CardError:
        valid = False
    seen = f"with the given header: {'a valid' if valid else 'an invalid'} card"
    context.add("probe/extended-card", "pass" if valid else "error", subject, seen, pointer=pointer)
