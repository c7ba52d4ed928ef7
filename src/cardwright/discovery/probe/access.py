"""Checks of authentication against the card (A2A 1.0 §7; RFC 9110 §11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.discovery.card_lookup import challenges
from cardwright.discovery.probe.wire import TASK_NOT_FOUND

if TYPE_CHECKING:
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.declared import Declared
    from cardwright.discovery.probe.report import Outcome
    from cardwright.discovery.probe.wire import OperationResponse, Wire


async def check_access(
    context: CheckContext, wire: Wire, declared: Declared, reply: OperationResponse, subject: str
) -> OperationResponse | None:
    """Check the required authentication against the card.

    Args:
        context: Collects the results.
        wire: The client of the interface.
        declared: What the card declares.
        reply: The response to a request without credentials.
        subject: The interface, as text.

    Returns:
        The response to a request with the given headers, if they may be sent to this origin; None if access is
        still denied.
    """
    pointer = wire.interface.pointer
    if reply.form == "denied":
        _check_denied(context, declared, reply, subject, pointer)
    else:
        _check_open(context, declared, reply, subject, pointer)
    if not wire.has_credentials:
        if reply.form == "denied":
            seen = "further checks need credentials; pass them with --header"
            context.add("probe/auth-accepted", "skip", subject, seen, pointer=pointer)
            return None
        return reply
    authorized = await wire.request("get")
    if authorized.form == "denied":
        seen = f"{authorized} with the given header, too"
        context.add("probe/auth-accepted", "warning", subject, seen, pointer=pointer)
        return None
    if reply.form == "denied":
        context.add(
            "probe/auth-accepted",
            "pass",
            subject,
            "the agent accepts the header given with --header",
            pointer=pointer,
        )
    return authorized


def _check_denied(
    context: CheckContext, declared: Declared, reply: OperationResponse, subject: str, pointer: str
) -> None:
    status = reply.response.status
    if declared.auth_required is False:
        seen = f"{reply}, but the card requires no credentials"
        # Declared but not required schemes are a slip; without any scheme callers cannot know what to send.
        outcome: Outcome = "warning" if declared.has_schemes else "error"
        context.add("probe/auth-undeclared", outcome, subject, seen, pointer=pointer)
    elif declared.auth_required and status == 403:
        seen = f"{reply} without credentials; 401 would tell the caller to authenticate"
        context.add("probe/auth-demanded", "warning", subject, seen, pointer=pointer)
    elif declared.auth_required:
        context.add("probe/auth-demanded", "pass", subject, f"{reply} without credentials", pointer=pointer)
    if status != 401:
        return
    challenged = challenges(reply.response.headers)
    if not challenged:
        seen = f"{reply} without a valid WWW-Authenticate header"
        context.add("probe/auth-challenge", "error", subject, seen, pointer=pointer)
    elif declared.schemes and not declared.schemes & set(challenged):
        seen = f"WWW-Authenticate asks for {' or '.join(challenged)}, the card for {' or '.join(sorted(declared.schemes))}"
        context.add("probe/auth-challenge", "error", subject, seen, pointer=pointer)
    elif declared.auth_required:
        seen = f"WWW-Authenticate asks for {' or '.join(challenged)}"
        context.add("probe/auth-challenge", "pass", subject, seen, pointer=pointer)


def _check_open(
    context: CheckContext, declared: Declared, reply: OperationResponse, subject: str, pointer: str
) -> None:
    if declared.auth_required is None:
        return
    if not declared.auth_required:
        seen = "a request without credentials is accepted"
        context.add("probe/auth-undeclared", "pass", subject, seen, pointer=pointer)
    elif declared.certificate:
        seen = "the card requires a client certificate; the probe does not check it"
        context.add("probe/auth-demanded", "skip", subject, seen, pointer=pointer)
    elif reply.form == "other":
        # Reported under the binding; the response may come from another server.
        context.add("probe/auth-demanded", "skip", subject, f"unknown: {reply}", pointer=pointer)
    elif reply.form == "error" and reply.code != TASK_NOT_FOUND:
        # Some servers reject within JSON-RPC, with a code of their own.
        seen = f"expected 401 without credentials, found {reply}"
        context.add("probe/auth-demanded", "warning", subject, seen, pointer=pointer)
    else:
        seen = f"a request without credentials is accepted: {reply}"
        context.add("probe/auth-demanded", "error", subject, seen, pointer=pointer)
