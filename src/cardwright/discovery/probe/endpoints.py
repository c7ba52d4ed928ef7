"""Checks of each interface of the card: reachability, TLS, binding, version, capabilities."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery.probe import sessions
from cardwright.discovery.probe.access import check_access
from cardwright.discovery.probe.client import BudgetSpent
from cardwright.discovery.probe.declared import declared_for
from cardwright.discovery.probe.operations import check_operations
from cardwright.discovery.probe.requests import VERSIONS
from cardwright.discovery.probe.version_check import check_protocol
from cardwright.discovery.probe.wire import Wire
from cardwright.errors import BadResponse, CardError, ConnectionDenied, PeerError, PeerUnreachable
from cardwright.extras import is_installed
from cardwright.guard import Target, target_of
from cardwright.guard.grpc_target import grpc_target
from cardwright.hosts import internal
from cardwright.view.interfaces import CORE_BINDINGS
from cardwright_runtime.violation import quote, steps_of

if TYPE_CHECKING:
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.view.interfaces import Interface

_MAJOR_MINOR: Final = re.compile(r"\d+\.\d+")


async def check_interface(context: CheckContext, interface: Interface) -> Wire | None:
    """Run all checks of an interface that change nothing.

    Returns:
        The client of the interface, if it is A2A, matches the card and grants access; else None.
    """
    subject = str(interface)
    _check_form(context, interface, subject)
    reason = _skip_reason(interface)
    if reason:
        context.add("probe/interface-reachable", "skip", subject, reason, pointer=interface.pointer)
        return None
    target = _target(context, interface, subject)
    if target is None:
        return None
    try:
        if interface.protocol == "mcp":
            await sessions.check_session(context, interface, subject, target.url)
        else:
            return await _check_a2a(context, interface, subject, target)
    except BudgetSpent:
        raise
    except CardError as error:
        _add_fault(context, interface, subject, error)
    return None


async def _check_a2a(
    context: CheckContext, interface: Interface, subject: str, target: Target
) -> Wire | None:
    wire = _wire(context, interface, target)
    reply = await wire.request("get", anonymous=True)
    _add_reached(context, interface, subject, target)
    if context.card is None:
        return None
    declared = declared_for(context.card, interface)
    authorized = await check_access(context, wire, declared, reply, subject)
    if authorized is None or not await check_protocol(context, wire, authorized, subject):
        return None
    await check_operations(context, wire, declared, subject)
    return wire


def _wire(context: CheckContext, interface: Interface, target: Target) -> Wire:
    """Return the client of an interface."""
    if interface.binding != "GRPC":
        return Wire(context.client, interface, context.new_id, target.url)
    # It imports gRPC, which an extra installs.
    from cardwright.discovery.probe.grpc_wire import GrpcWire

    return GrpcWire(context.client, interface, context.new_id, target.url)


def _skip_reason(interface: Interface) -> str:
    """Return the reason why an interface is not checked; "" if it is."""
    if interface.url.strip().lower().startswith("stdio:") or interface.transport == "stdio":
        return "not checked: a stdio interface would start a command on this machine"
    if interface.protocol not in ("a2a", "mcp"):
        return f"not checked: the probe does not support the protocol {quote(interface.protocol)}"
    if interface.protocol == "a2a" and interface.binding not in CORE_BINDINGS:
        return f"not checked: {quote(interface.binding)} is not a core binding of A2A"
    if interface.protocol == "a2a" and interface.version not in VERSIONS:
        return f"not checked: the probe does not support A2A {quote(interface.version)}"
    if (
        interface.protocol == "a2a"
        and interface.binding != "JSONRPC"
        and interface.version not in ("1.0", "0.3")
    ):
        return f"not checked: A2A {interface.version} has no {interface.binding} binding"
    if interface.binding == "GRPC" and not is_installed("grpc"):
        return 'not checked: gRPC is not installed; install it with: pip install "cardwright[grpc]"'
    return ""


def _target(context: CheckContext, interface: Interface, subject: str) -> Target | None:
    """Return the address of an interface; report and return None if no caller can reach it."""
    url = interface.url.strip()
    try:
        target = _of_grpc(url) if interface.binding == "GRPC" else target_of(url)
    except ConnectionDenied as error:
        seen = f"invalid URL: {error.reason}" if url else "the interface has no URL"
        context.add("probe/interface-address", "error", subject, seen, pointer=interface.pointer)
        return None
    inside = internal(target.host)
    if inside is not None and internal(context.home.host) is None:
        seen = f"callers cannot reach the address in the card: it is {inside}"
        context.add("probe/interface-address", "error", subject, seen, pointer=interface.pointer)
        return None
    return target


def _of_grpc(url: str) -> Target:
    """Return the target of a gRPC address; without a scheme, a host that is public has TLS (`GrpcTarget.at`)."""
    parsed = grpc_target(url)
    tls = parsed.tls if parsed.tls is not None else internal(parsed.target.host) is None
    return replace(parsed.target, scheme="https" if tls else "http")


def _add_fault(context: CheckContext, interface: Interface, subject: str, error: CardError) -> None:
    """Report why an interface did not respond correctly."""
    pointer = interface.pointer
    match error:
        case ConnectionDenied(rule="guard/port"):
            context.add(
                "probe/interface-reachable", "skip", subject, f"not checked: {error.reason}", pointer=pointer
            )
        case ConnectionDenied():
            seen = f"callers cannot reach the address in the card: {error.reason}"
            context.add("probe/interface-address", "error", subject, seen, pointer=pointer)
        case BadResponse():
            context.add("probe/interface-binding", "error", subject, error.reason, pointer=pointer)
        case PeerUnreachable() if (
            context.card is not None and declared_for(context.card, interface).certificate
        ):
            # With TLS 1.3 a missing client certificate is rejected only when the first response is read.
            seen = f"{error.reason}; the interface may require a client certificate, as the card declares"
            context.add("probe/interface-reachable", "skip", subject, seen, pointer=pointer)
        case PeerError() if "TLS" in error.reason:
            context.add("probe/interface-tls", "error", subject, error.reason, pointer=pointer)
        case PeerError():
            context.add("probe/interface-reachable", "error", subject, error.reason, pointer=pointer)
        case _:
            context.add("probe/interface-reachable", "error", subject, str(error), pointer=pointer)


def _add_reached(context: CheckContext, interface: Interface, subject: str, target: Target) -> None:
    context.add(
        "probe/interface-reachable", "pass", subject, "the interface responds", pointer=interface.pointer
    )
    if target.scheme == "https":
        seen = "the certificate is trusted"
        context.add("probe/interface-tls", "pass", subject, seen, pointer=interface.pointer)
    elif internal(target.host) is not None:
        seen = "http, on an address of a private network"
        context.add("probe/interface-tls", "skip", subject, seen, pointer=interface.pointer)
    else:
        context.add(
            "probe/interface-tls", "error", subject, "the URL uses http, not https", pointer=interface.pointer
        )


def _check_form(context: CheckContext, interface: Interface, subject: str) -> None:
    """Check the form of protocolVersion, which A2A 1.0 has in each interface."""
    if context.card is None or not interface.pointer.startswith("/supportedInterfaces/"):
        return
    value: Any = context.card.document
    for step in steps_of(interface.pointer):
        value = value[int(step)] if type(value) is list else value[step]
    version = value.get("protocolVersion")
    if type(version) is str and _MAJOR_MINOR.fullmatch(version):
        context.add(
            "probe/version-form",
            "pass",
            subject,
            f"protocolVersion is {quote(version)}",
            pointer=interface.pointer,
        )
    elif version is not None:
        context.add(
            "probe/version-form",
            "warning",
            subject,
            f"protocolVersion is {quote(version)}",
            pointer=interface.pointer,
        )
