"""Whether an endpoint asks who is asking as the card says (A2A 1.0 §7; RFC 9110 §11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.discovery.card_lookup import challenges
from cardwright.discovery.probe.wire import TASK_NOT_FOUND

if TYPE_CHECKING:
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.declared import Declared
    from cardwright.discovery.probe.report import Outcome
    from cardwright.discovery.probe.wire import Said, Wire


async def look_at_access(
    desk: CheckContext, wire: Wire, claims: Declared, said: Said, subject: str
) -> Said | None:
    """Compare what is demanded with what the card says.

    Args:
        desk: Where to put it down.
        wire: What asks the interface.
        claims: What the card says of it.
        said: What it answered to one who did not say who is asking.
        subject: The interface in words.

    Returns:
        What it answers to the caller, with the given headers where they may go there; None if it still
        does not let the caller in.
    """
    pointer = wire.one.pointer
    if said.form == "denied":
        _say_denied(desk, claims, said, subject, pointer)
    else:
        _say_open(desk, claims, said, subject, pointer)
    if not wire.has_credentials:
        if said.form == "denied":
            told = "without what proves who is asking, nothing more can be looked at there: give --header"
            desk.say("probe/auth-accepted", "skip", subject, told, pointer=pointer)
            return None
        return said
    known = await wire.ask("get")
    if known.form == "denied":
        seen = f"it answers {known.heard.status} to the header that was given, too"
        desk.say("probe/auth-accepted", "warning", subject, seen, pointer=pointer)
        return None
    if said.form == "denied":
        desk.say("probe/auth-accepted", "pass", subject, "the header that was given lets in", pointer=pointer)
    return known


def _say_denied(desk: CheckContext, claims: Declared, said: Said, subject: str, pointer: str) -> None:
    status = said.heard.status
    if claims.demands is False:
        seen = f"it answers {status}, and the card requires nothing"
        # Schemes that are described and not required are a slip; none at all leaves callers helpless.
        outcome: Outcome = "warning" if claims.named else "error"
        desk.say("probe/auth-undeclared", outcome, subject, seen, pointer=pointer)
    elif claims.demands and status == 403:
        seen = "it answers 403, where 401 would say what is missing"
        desk.say("probe/auth-demanded", "warning", subject, seen, pointer=pointer)
    elif claims.demands:
        desk.say("probe/auth-demanded", "pass", subject, "it answers 401", pointer=pointer)
    if status != 401:
        return
    challenged = challenges(said.heard.headers)
    if not challenged:
        seen = "it answers 401 without a WWW-Authenticate that can be read"
        desk.say("probe/auth-challenge", "error", subject, seen, pointer=pointer)
    elif claims.schemes and not claims.schemes & set(challenged):
        seen = (
            f"it asks for {' or '.join(challenged)}, and the card says {' or '.join(sorted(claims.schemes))}"
        )
        desk.say("probe/auth-challenge", "error", subject, seen, pointer=pointer)
    elif claims.demands:
        desk.say(
            "probe/auth-challenge", "pass", subject, f"it asks for {' or '.join(challenged)}", pointer=pointer
        )


def _say_open(desk: CheckContext, claims: Declared, said: Said, subject: str, pointer: str) -> None:
    if claims.demands is None:
        return
    if not claims.demands:
        seen = "it answers one who does not say who is asking"
        desk.say("probe/auth-undeclared", "pass", subject, seen, pointer=pointer)
    elif claims.certificate:
        seen = "the card asks for a certificate of the caller's, which was not looked at"
        desk.say("probe/auth-demanded", "skip", subject, seen, pointer=pointer)
    elif said.form == "other":
        # Told under the binding; what answers is perhaps not the agent.
        desk.say("probe/auth-demanded", "skip", subject, f"it cannot be told: {said}", pointer=pointer)
    elif said.form == "error" and said.code != TASK_NOT_FOUND:
        # Some refuse within JSON-RPC, by a number of their own.
        seen = f"it does not answer 401: {said}"
        desk.say("probe/auth-demanded", "warning", subject, seen, pointer=pointer)
    else:
        seen = f"it answers one who does not say who is asking: {said}"
        desk.say("probe/auth-demanded", "error", subject, seen, pointer=pointer)
