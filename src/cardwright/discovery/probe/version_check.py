"""Whether an endpoint speaks the binding and the version that the card names."""

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
    from cardwright.discovery.probe.wire import Said, Wire


async def look_at_speech(desk: CheckContext, wire: Wire, said: Said, subject: str) -> bool:
    """Look at binding, version and errors.

    Args:
        desk: Where to put it down.
        wire: What asks the interface.
        said: What it answered to the caller who asked for a task that cannot exist.
        subject: The interface in words.

    Returns:
        Whether it speaks what the card says.
    """
    pointer = wire.one.pointer
    if said.form == "other":
        await _look_elsewhere(desk, wire, said, subject)
        return False
    if wire.rest:
        desk.say("probe/interface-binding", "pass", subject, str(said), pointer=pointer)
    else:
        await _look_at_binding(desk, wire, subject)
    if not await _look_at_version(desk, wire, said, subject):
        return False
    if wire.version == "1.0":
        _look_at_details(desk, wire, said, subject)
        refused = await wire.ask("get", named=UNSUPPORTED)
        good = refused.code == VERSION_NOT_SUPPORTED
        seen = f"to A2A-Version {UNSUPPORTED} {refused}"
        desk.say("probe/version-refused", "pass" if good else "error", subject, seen, pointer=pointer)
        await _look_at_no_version(desk, wire, subject)
    return True


async def _look_at_no_version(desk: CheckContext, wire: Wire, subject: str) -> None:
    """Ask as 1.0 does without saying so: that is 0.3, which has neither such a method nor such a place."""
    said = await wire.ask("get", named="")
    if said.code in (TASK_NOT_FOUND, INVALID_PARAMS) or said.form == "result":
        outcome: Outcome = "error"
    else:
        known = said.code in (VERSION_NOT_SUPPORTED, METHOD_NOT_FOUND) or (
            wire.rest and said.heard.status == 404
        )
        outcome = "pass" if known else "warning"
    seen = f"without A2A-Version {said}"
    desk.say("probe/version-empty", outcome, subject, seen, pointer=wire.one.pointer)


async def _look_elsewhere(desk: CheckContext, wire: Wire, said: Said, subject: str) -> None:
    """Say what answers where the binding is not known: HTTP+JSON is elsewhere in another version."""
    pointer, other = wire.one.pointer, OTHER[wire.version]
    if wire.rest and said.heard.status in (404, 405):
        there = await wire.ask("get", version=other)
        if there.form == "error" and there.code == TASK_NOT_FOUND:
            seen = f"the card says A2A {wire.version}; it answers where A2A {other} has its tasks"
            desk.say("probe/interface-version", "error", subject, seen, pointer=pointer)
            return
    desk.say("probe/interface-binding", "error", subject, str(said), pointer=pointer)


async def _look_at_binding(desk: CheckContext, wire: Wire, subject: str) -> None:
    pointer = wire.one.pointer
    said = await wire.ask("unknown")
    seen = f"asked for a method that does not exist, {said}"
    if said.code == METHOD_NOT_FOUND:
        desk.say("probe/interface-binding", "pass", subject, seen, pointer=pointer, spec="JSON-RPC 2.0 §5.1")
    else:
        # It has answered as JSON-RPC before; the number of this error is another matter.
        outcome: Outcome = "warning" if said.form == "error" else "error"
        told = f"{seen}, where {METHOD_NOT_FOUND} is right"
        desk.say("probe/interface-binding", outcome, subject, told, pointer=pointer, spec="JSON-RPC 2.0 §5.1")


async def _look_at_version(desk: CheckContext, wire: Wire, said: Said, subject: str) -> bool:
    """Say whether the names of the declared version are known."""
    pointer = wire.one.pointer
    asked = f"asked for a task that cannot exist as A2A {wire.version} does, {said}"
    if said.code in (TASK_NOT_FOUND, INVALID_PARAMS):
        desk.say("probe/interface-version", "pass", subject, asked, pointer=pointer)
        return True
    if said.code in (METHOD_NOT_FOUND, VERSION_NOT_SUPPORTED):
        other = OTHER[wire.version]
        there = await wire.ask("get", version=other)
        if there.code in (TASK_NOT_FOUND, INVALID_PARAMS):
            seen = f"the card says A2A {wire.version}; it speaks {other} (asked as the card says, {said})"
            desk.say("probe/interface-version", "error", subject, seen, pointer=pointer)
            return False
    # Another error may be the fault of this one method: what else it says is still worth looking at.
    known = said.form == "error" and said.code not in (METHOD_NOT_FOUND, VERSION_NOT_SUPPORTED)
    desk.say("probe/interface-version", "warning" if known else "error", subject, asked, pointer=pointer)
    return known


def _look_at_details(desk: CheckContext, wire: Wire, said: Said, subject: str) -> None:
    pointer = wire.one.pointer
    if not said.details_form:
        seen = f"{said}; its details are no array of objects with @type"
        desk.say("probe/error-details", "error", subject, seen, pointer=pointer)
    elif said.detailed:
        desk.say("probe/error-details", "pass", subject, "the error has an ErrorInfo", pointer=pointer)
    else:
        # A2A 1.0.1: MUST over HTTP+JSON (§11.6), SHOULD over JSON-RPC (§9.5).
        outcome: Outcome = "error" if wire.rest else "warning"
        desk.say("probe/error-details", outcome, subject, "the error has no ErrorInfo", pointer=pointer)
