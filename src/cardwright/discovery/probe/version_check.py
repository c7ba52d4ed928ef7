"""Checks of the binding and the A2A version of an interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.discovery.probe.caching import UNSUPPORTED
from cardwright.discovery.probe.requests import OTHER
from cardwright.discovery.probe.wire import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    TASK_NOT_FOUND,
    VERSION_NOT_SUPPORTED,
)

if TYPE_CHECKING:
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.report import Outcome
    from cardwright.discovery.probe.wire import OperationResponse, Wire


async def check_protocol(context: CheckContext, wire: Wire, reply: OperationResponse, subject: str) -> bool:
    """Check binding, version and error format.

    Args:
        context: Collects the results.
        wire: The client of the interface.
        reply: The response to a request for a task that does not exist.
        subject: The interface, as text.

    Returns:
        Whether the interface supports what the card declares.
    """
    pointer = wire.interface.pointer
    if reply.form == "other":
        await _check_elsewhere(context, wire, reply, subject)
        return False
    if wire.rest:
        context.add("probe/interface-binding", "pass", subject, str(reply), pointer=pointer)
    else:
        await _check_binding(context, wire, subject)
    if not await _check_version(context, wire, reply, subject):
        return False
    if wire.version == "1.0":
        _check_details(context, wire, reply, subject)
    if wire.version == "1.0" and not wire.grpc:
        # A service of gRPC has its version in its name.
        unsupported = await wire.request("get", header_version=UNSUPPORTED)
        rejected = unsupported.code == VERSION_NOT_SUPPORTED
        seen = f"response to A2A-Version {UNSUPPORTED}: {unsupported}"
        context.add("probe/version-refused", "pass" if rejected else "error", subject, seen, pointer=pointer)
        await _check_no_version(context, wire, subject)
    return True


async def _check_no_version(context: CheckContext, wire: Wire, subject: str) -> None:
    """Send a 1.0 request without A2A-Version: that means 0.3, which has no such method and no such path."""
    reply = await wire.request("get", header_version="")
    if reply.code in (TASK_NOT_FOUND, INVALID_PARAMS) or reply.form == "result":
        outcome: Outcome = "error"
    else:
        known = reply.code in (VERSION_NOT_SUPPORTED, METHOD_NOT_FOUND) or (
            wire.rest and reply.response.status == 404
        )
        outcome = "pass" if known else "warning"
    seen = f"response without A2A-Version: {reply}"
    context.add("probe/version-empty", outcome, subject, seen, pointer=wire.interface.pointer)


async def _check_elsewhere(context: CheckContext, wire: Wire, reply: OperationResponse, subject: str) -> None:
    """Report a response of no known form; over HTTP+JSON, try the paths of another version."""
    pointer, other = wire.interface.pointer, OTHER[wire.version]
    if wire.rest and reply.response.status in (404, 405):
        other_response = await wire.request("get", version=other)
        if other_response.form == "error" and other_response.code == TASK_NOT_FOUND:
            seen = f"the card declares A2A {wire.version}; the interface uses the paths of A2A {other}"
            context.add("probe/interface-version", "error", subject, seen, pointer=pointer)
            return
    context.add("probe/interface-binding", "error", subject, str(reply), pointer=pointer)


async def _check_binding(context: CheckContext, wire: Wire, subject: str) -> None:
    pointer = wire.interface.pointer
    reply = await wire.request("unknown")
    seen = f"response to an unknown method: {reply}"
    if reply.code == METHOD_NOT_FOUND:
        context.add(
            "probe/interface-binding", "pass", subject, seen, pointer=pointer, spec="JSON-RPC 2.0 §5.1"
        )
    else:
        # Earlier it responded as JSON-RPC; another code for this error is a lesser fault.
        outcome: Outcome = "warning" if reply.form == "error" else "error"
        seen = f"{seen}; expected {METHOD_NOT_FOUND} (method not found)"
        context.add(
            "probe/interface-binding", outcome, subject, seen, pointer=pointer, spec="JSON-RPC 2.0 §5.1"
        )


async def _check_version(context: CheckContext, wire: Wire, reply: OperationResponse, subject: str) -> bool:
    """Check that the interface knows the operations of the declared version."""
    pointer = wire.interface.pointer
    seen = f"response to A2A {wire.version} for an unknown task: {reply}"
    if reply.code in (TASK_NOT_FOUND, INVALID_PARAMS):
        context.add("probe/interface-version", "pass", subject, seen, pointer=pointer)
        return True
    if reply.code in (METHOD_NOT_FOUND, VERSION_NOT_SUPPORTED):
        other = OTHER[wire.version]
        other_response = await wire.request("get", version=other)
        if other_response.code in (TASK_NOT_FOUND, INVALID_PARAMS):
            seen = f"the card declares A2A {wire.version}; the interface supports {other} ({reply})"
            context.add("probe/interface-version", "error", subject, seen, pointer=pointer)
            return False
    # Another error may concern only this method: further checks are still useful.
    known = reply.form == "error" and reply.code not in (METHOD_NOT_FOUND, VERSION_NOT_SUPPORTED)
    context.add("probe/interface-version", "warning" if known else "error", subject, seen, pointer=pointer)
    return known


def _check_details(context: CheckContext, wire: Wire, reply: OperationResponse, subject: str) -> None:
    pointer = wire.interface.pointer
    if not reply.details_form:
        seen = f"{reply}; the error details are not an array of objects with @type"
        context.add("probe/error-details", "error", subject, seen, pointer=pointer)
    elif reply.detailed:
        context.add("probe/error-details", "pass", subject, "the error has an ErrorInfo", pointer=pointer)
    else:
        # A2A 1.0.1: MUST over HTTP+JSON (§11.6), SHOULD over JSON-RPC (§9.5).
        outcome: Outcome = "error" if wire.rest else "warning"
        context.add("probe/error-details", outcome, subject, "the error has no ErrorInfo", pointer=pointer)
