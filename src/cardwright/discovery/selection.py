"""`select_interface`: select the interface of an agent that a caller uses, with the reasons.

A2A comes before MCP, and MCP before all others (Beach transport, peer choice). Of A2A the newest version that
both sides support is selected (A2A 1.0 §3.6); of one version the first interface that the card lists (§8.3.2).
So the card's order only decides between interfaces of the same version.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from cardwright.discovery.protocol_support import ProtocolSupport, supported_protocols
from cardwright.errors import ConnectionDenied, NoInterface
from cardwright.extras import is_installed
from cardwright.guard.grpc_target import grpc_target
from cardwright.view.interfaces import CORE_BINDINGS, Interface, interfaces

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.card import Card

# The maximum of interfaces that an explanation lists as passed over (project decision).
_MAX_LISTED: Final = 16
_NAMES: Final = {"a2a": "A2A", "mcp": "MCP"}


@dataclass(frozen=True, slots=True)
class RejectedInterface:
    """An interface that was not selected, and the reason."""

    interface: Interface
    reason: str

    def __str__(self) -> str:
        return f"{self.interface} ({self.reason})"


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected interface of an agent.

    Attributes:
        interface: The interface.
        explanation: Sentences: the choice, its reason, the assumptions, and the interfaces passed over.
        rejected: The other interfaces in the card's order, each with the reason.
        downgraded: Whether the card offers a newer A2A version that the caller supports, but only over bindings
            that the caller does not support.
    """

    interface: Interface
    explanation: str
    rejected: tuple[RejectedInterface, ...] = ()
    downgraded: bool = False


def select_interface(
    card: Card, *, supported: Iterable[ProtocolSupport | str] | None = None, downgrade: bool = True
) -> Selection:
    """Select the interface of an agent for a caller, with the reasons.

    A2A before MCP before others; the newest version of A2A that both support; then the card's order
    (A2A 1.0 §8.3.2). A `stdio://` URL is never selected: no card may start a command.

    Args:
        card: The agent's card of any dialect, valid or not.
        supported: Protocols that the caller supports, such as `["a2a/1.0+JSONRPC", "a2a/0.3", "mcp"]`; without a
            version or a binding, any. The order only decides between protocols other than A2A and MCP. By
            default those of `call_agent`.
        downgrade: Whether to accept an older version of A2A if the newest common version is only offered over
            bindings that the caller does not support. The explanation mentions it and `Selection.downgraded`
            is True; with False it is `NoInterface`.

    >>> from cardwright import Card
    >>> card = Card.from_document({"name": "A", "url": "https://a.example", "protocolVersion": "0.3.0"})
    >>> select_interface(card, supported=["a2a/1.0", "a2a/0.3+JSONRPC"]).interface.version
    '0.3'

    Raises:
        BadArgument: If `supported` is not a list of protocols.
        NoInterface: If no interface matches; the message lists those of the card and the supported protocols.
    """
    protocols = supported_protocols(supported)
    offered = interfaces(card)
    unfit = {index: _unfit(interface, protocols) for index, interface in enumerate(offered)}
    fit = [index for index, reason in unfit.items() if not reason]
    if not fit:
        raise _no_interface(offered, unfit, protocols)
    selected = min(fit, key=lambda index: (*_rank(offered[index], protocols), index))
    best = offered[selected]
    newer = _newer(best, offered, protocols)
    reasons = {
        index: unfit[index] or _reason_later(interface, best)
        for index, interface in enumerate(offered)
        if index != selected
    }
    if newer and not downgrade:
        why = f"A2A {best.version} is older than {newer}, which both sides support; pass downgrade=True to allow it"
        raise _no_interface(offered, {**unfit, **reasons, selected: "older"}, protocols, why)
    rejected = tuple(RejectedInterface(offered[index], reason) for index, reason in reasons.items())
    explanation = _explanation(best, newer, fit, offered, rejected)
    return Selection(best, explanation, rejected, downgraded=bool(newer))


def _unfit(interface: Interface, protocols: tuple[ProtocolSupport, ...]) -> str:
    """Return why a caller cannot use an interface; "" if it can."""
    address = _bad_address(interface)
    if address:
        return address
    of_protocol = [own for own in protocols if own.protocol == interface.protocol]
    if not of_protocol:
        return (
            "the caller does not support this protocol" if interface.protocol else "the protocol is missing"
        )
    of_version = [own for own in of_protocol if own.version in ("", interface.version)]
    if not of_version:
        return f"the caller does not support version {interface.version or '(missing)'} of this protocol"
    if not any(own.fits(interface) for own in of_version):
        if interface.protocol == "a2a" and interface.binding == "GRPC" and not is_installed("grpc"):
            return 'gRPC is not installed; install it with: pip install "cardwright[grpc]"'
        layer = "binding" if interface.protocol == "a2a" else "transport"
        return f"the caller does not support version {interface.version or '(any)'} over this {layer}"
    return ""


def _bad_address(interface: Interface) -> str:
    if not interface.url:
        return "the URL is missing"
    if interface.url.strip().lower().startswith("stdio:") or interface.transport == "stdio":
        return "a stdio interface starts a command; only local configuration may do that"
    is_a2a = interface.protocol == "a2a"
    if is_a2a and interface.binding == "GRPC":
        try:
            grpc_target(interface.url)
        except ConnectionDenied as error:
            return f"the gRPC address is invalid: {error.reason}"
        return ""
    if interface.protocol != "mcp" and not (is_a2a and interface.binding in CORE_BINDINGS):
        return ""
    try:
        parts = urlsplit(interface.url)
    except ValueError:
        return "the URL is invalid"
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return "the URL must begin with https:// or http:// and a host"
    return ""


def _rank(interface: Interface, protocols: tuple[ProtocolSupport, ...]) -> tuple[int, tuple[int, ...]]:
    """Return the sort key, smallest first: the protocol's rank, and the newest version."""
    if interface.protocol == "a2a":
        return 0, tuple(-number for number in _numbers(interface.version))
    if interface.protocol == "mcp":
        return 1, ()
    return 2 + next(place for place, own in enumerate(protocols) if own.protocol == interface.protocol), ()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split("."))


def _newer(best: Interface, offered: tuple[Interface, ...], protocols: tuple[ProtocolSupport, ...]) -> str:
    """Return the newest version that both sides support, if it is newer than that of the best interface; else ""."""
    if best.protocol != "a2a":
        return ""
    versions = {interface.version for interface in protocols if interface.protocol == "a2a"}
    common = [
        interface.version
        for interface in offered
        if interface.protocol == "a2a" and ("" in versions or interface.version in versions)
    ]
    newest = max(common, key=_numbers)
    return newest if _numbers(newest) > _numbers(best.version) else ""


def _reason_later(interface: Interface, best: Interface) -> str:
    """Return why a usable interface comes after the best one."""
    if interface.protocol != best.protocol:
        return f"{_NAMES.get(best.protocol, best.protocol)} comes first"
    if interface.version != best.version and interface.protocol == "a2a":
        return f"{best.version} is newer"
    return "the card lists it later"


def _explanation(
    best: Interface,
    newer: str,
    fit: list[int],
    offered: tuple[Interface, ...],
    rejected: tuple[RejectedInterface, ...],
) -> str:
    sentences = [f"{best} is selected: {_why(best, fit, offered)}."]
    if newer:
        sentences.append(
            f"This is a downgrade: the card offers A2A {newer}, which the caller supports, but not over a binding that the caller supports."
        )
    sentences += [f"Assumed: {assumption}." for assumption in best.assumptions]
    sentences += [f"Rejected: {one}." for one in rejected[:_MAX_LISTED]]
    if len(rejected) > _MAX_LISTED:
        sentences.append(f"Rejected: {len(rejected) - _MAX_LISTED} more.")
    return " ".join(sentences)


def _why(best: Interface, fit: list[int], offered: tuple[Interface, ...]) -> str:
    if len(offered) == 1:
        return "the card has no other interface"
    if len(fit) == 1:
        return "the caller can use no other interface"
    if best.protocol != "a2a":
        return "no A2A interface is usable, and it is the first of the usable ones"
    a2a = [index for index in fit if offered[index].protocol == "a2a"]
    if len(a2a) == 1:
        return "A2A comes before other protocols"
    if len({offered[index].version for index in a2a}) > 1:
        return (
            "it has the newest version that both sides support, and is the first of that version in the card"
        )
    return "it is the first one in the card that the caller supports"


def _no_interface(
    offered: tuple[Interface, ...],
    reasons: dict[int, str],
    protocols: tuple[ProtocolSupport, ...],
    why: str = "",
) -> NoInterface:
    rejected = [str(RejectedInterface(interface, reasons[index])) for index, interface in enumerate(offered)]
    default = "the card has no interface" if not offered else "no interface of the card is usable"
    return NoInterface(
        why or default, offered=rejected, supported=[str(interface) for interface in protocols]
    )
