"""Each interface that the card names: whether it can be reached, and whether it is what the card says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery.interfaces import CORE_BINDINGS
from cardwright.discovery.probe import sessions
from cardwright.discovery.probe.access import look_at_access
from cardwright.discovery.probe.client import Spent
from cardwright.discovery.probe.declared import claims_of
from cardwright.discovery.probe.operations import look_at_operations
from cardwright.discovery.probe.requests import VERSIONS
from cardwright.discovery.probe.version_check import look_at_speech
from cardwright.discovery.probe.wire import Wire
from cardwright.errors import BadAnswer, CardError, ConnectionDenied, PeerError, PeerTimeout, PeerUnreachable
from cardwright.guard import Target, target_of
from cardwright.hosts import internal
from cardwright_runtime.violation import quote, steps_of

if TYPE_CHECKING:
    from cardwright.discovery.interfaces import Interface
    from cardwright.discovery.probe.context import CheckContext

_MAJOR_MINOR: Final = re.compile(r"\d+\.\d+")
# What a server that speaks HTTP/2 alone does to one who does not: it answers, after all.
_ANSWERED: Final = ("closed the connection", "no HTTP that can be read", "the connection broke", "broke off")


async def look_at_interface(desk: CheckContext, one: Interface) -> Wire | None:
    """Ask an interface everything that changes nothing.

    Returns:
        What asks it, if it is A2A over HTTP, answers as the card says and lets the caller in; else None.
    """
    subject = str(one)
    _look_at_form(desk, one, subject)
    reason = _not_asked(one)
    if reason:
        desk.say("probe/interface-reachable", "skip", subject, reason, pointer=one.pointer)
        return None
    target = _target(desk, one, subject)
    if target is None:
        return None
    try:
        if one.protocol == "mcp":
            await sessions.look_at_session(desk, one, subject, target.url)
        elif one.binding == "GRPC":
            await _look_at_port(desk, one, subject, target)
        else:
            return await _look_at_a2a(desk, one, subject, target)
    except Spent:
        raise
    except CardError as error:
        _say_fault(desk, one, subject, error)
    return None


async def _look_at_a2a(desk: CheckContext, one: Interface, subject: str, target: Target) -> Wire | None:
    wire = Wire(desk.asker, one, desk.new_id, target.url)
    said = await wire.ask("get", anonymous=True)
    _say_reached(desk, one, subject, target)
    if desk.card is None:
        return None
    claims = claims_of(desk.card, one)
    let_in = await look_at_access(desk, wire, claims, said, subject)
    if let_in is None or not await look_at_speech(desk, wire, let_in, subject):
        return None
    await look_at_operations(desk, wire, claims, subject)
    return wire


def _not_asked(one: Interface) -> str:
    """Return why an interface is not asked at all; "" if it is."""
    if one.url.strip().lower().startswith("stdio:") or one.transport == "stdio":
        return "it would start a command here: no card may do that"
    if one.protocol not in ("a2a", "mcp"):
        return f"what speaks {quote(one.protocol)} is not asked"
    if one.protocol == "a2a" and one.binding not in CORE_BINDINGS:
        return f"the binding {quote(one.binding)} is not of A2A itself"
    if one.protocol == "a2a" and one.binding != "GRPC" and one.version not in VERSIONS:
        return f"A2A {quote(one.version)} is not known here"
    if one.protocol == "a2a" and one.binding == "HTTP+JSON" and one.version not in ("1.0", "0.3"):
        return f"A2A {one.version} has no HTTP+JSON"
    return ""


def _target(desk: CheckContext, one: Interface, subject: str) -> Target | None:
    """Return where an interface is; None, and say so, where no caller could reach it."""
    url = one.url.strip()
    if one.binding == "GRPC":
        # Cards name the port of gRPC in every form; what is dialled says nothing of its TLS.
        scheme, mark, rest = url.rpartition("://")
        plain = {"": "http", "grpc": "http", "dns": "http", "grpcs": "https"}.get(scheme.lower(), scheme)
        url = f"{plain}://{rest.lstrip('/') if mark else url}"
    try:
        target = target_of(url)
    except ConnectionDenied as error:
        seen = f"it cannot be dialled: {error.reason}" if url else "it names no URL"
        desk.say("probe/interface-address", "error", subject, seen, pointer=one.pointer)
        return None
    inside = internal(target.host)
    if inside is not None and internal(desk.home.host) is None:
        seen = f"the card names an address that callers cannot reach: it is {inside}"
        desk.say("probe/interface-address", "error", subject, seen, pointer=one.pointer)
        return None
    return target


def _say_fault(desk: CheckContext, one: Interface, subject: str, error: CardError) -> None:
    """Say why nothing came of asking."""
    pointer = one.pointer
    match error:
        case ConnectionDenied(rule="guard/port"):
            desk.say(
                "probe/interface-reachable", "skip", subject, f"not asked: {error.reason}", pointer=pointer
            )
        case ConnectionDenied():
            seen = f"the card names an address that callers cannot reach: {error.reason}"
            desk.say("probe/interface-address", "error", subject, seen, pointer=pointer)
        case BadAnswer():
            desk.say("probe/interface-binding", "error", subject, error.reason, pointer=pointer)
        case PeerUnreachable() if desk.card is not None and claims_of(desk.card, one).certificate:
            # TLS 1.3 refuses a caller without a certificate only when the first answer is read.
            seen = f"{error.reason}: perhaps for want of the certificate that the card asks callers for"
            desk.say("probe/interface-reachable", "skip", subject, seen, pointer=pointer)
        case PeerError() if "TLS" in error.reason:
            desk.say("probe/interface-tls", "error", subject, error.reason, pointer=pointer)
        case PeerError():
            desk.say("probe/interface-reachable", "error", subject, error.reason, pointer=pointer)
        case _:
            desk.say("probe/interface-reachable", "error", subject, str(error), pointer=pointer)


def _say_reached(desk: CheckContext, one: Interface, subject: str, target: Target) -> None:
    desk.say("probe/interface-reachable", "pass", subject, "it answers", pointer=one.pointer)
    if target.scheme == "https":
        seen = "its certificate is trusted"
        desk.say("probe/interface-tls", "pass", subject, seen, pointer=one.pointer)
    elif internal(target.host) is not None:
        seen = "http, on an address that only its own network reaches"
        desk.say("probe/interface-tls", "skip", subject, seen, pointer=one.pointer)
    else:
        desk.say("probe/interface-tls", "error", subject, "it is http, not https", pointer=one.pointer)


def _look_at_form(desk: CheckContext, one: Interface, subject: str) -> None:
    """Look at how a version is written where 1.0 has it: with each interface."""
    if desk.card is None or not one.pointer.startswith("/supportedInterfaces/"):
        return
    value: Any = desk.card.document
    for step in steps_of(one.pointer):
        value = value[int(step)] if type(value) is list else value[step]
    written = value.get("protocolVersion")
    if type(written) is str and _MAJOR_MINOR.fullmatch(written):
        desk.say(
            "probe/version-form", "pass", subject, f"protocolVersion is {quote(written)}", pointer=one.pointer
        )
    elif written is not None:
        desk.say(
            "probe/version-form",
            "warning",
            subject,
            f"protocolVersion is {quote(written)}",
            pointer=one.pointer,
        )


async def _look_at_port(desk: CheckContext, one: Interface, subject: str, target: Target) -> None:
    """Look whether something answers at a port of gRPC; what it speaks is not looked at."""
    seen = "something answers at its port; whether it is gRPC was not looked at"
    try:
        await desk.asker.ask("GET", f"{target.origin}/", {}, anonymous=True)
    except PeerTimeout:
        told = "its port was not heard to answer what is no gRPC"
        desk.say("probe/interface-reachable", "skip", subject, told, pointer=one.pointer)
        return
    except PeerError as error:
        if not isinstance(error, BadAnswer) and not any(words in error.reason for words in _ANSWERED):
            raise
    desk.say("probe/interface-reachable", "pass", subject, seen, pointer=one.pointer)
