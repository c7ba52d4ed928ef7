"""`select_interface`: which of an agent's interfaces a caller talks to, and why.

A2A comes before MCP, and MCP before all others (Beach transport, peer choice). Of A2A the newest version that
both sides speak is taken (A2A 1.0 §3.6); among those of one version the first that the card lists
(§8.3.2). So the card's order decides only where the version does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from cardwright.discovery.interfaces import CORE_BINDINGS, Interface, interfaces
from cardwright.discovery.protocol_support import ProtocolSupport, all_spoken
from cardwright.errors import NoInterface

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.card import Card

# An explanation names at most so many of what was passed over (ours).
_TOLD: Final = 16
_NAMES: Final = {"a2a": "A2A", "mcp": "MCP"}


@dataclass(frozen=True, slots=True)
class PassedOver:
    """An interface that was not chosen, and why."""

    interface: Interface
    reason: str

    def __str__(self) -> str:
        return f"{self.interface} ({self.reason})"


@dataclass(frozen=True, slots=True)
class Selection:
    """The interface that a caller should talk to.

    Attributes:
        interface: Where and how.
        explanation: Sentences: what was chosen, why, what was assumed, and what was passed over.
        passed_over: The other interfaces in the card's order, each with its reason.
        downgraded: Whether the card offers a newer version of A2A that the caller speaks, too, but not
            in a way in which the caller speaks it.
    """

    interface: Interface
    explanation: str
    passed_over: tuple[PassedOver, ...] = ()
    downgraded: bool = False


def select_interface(
    card: Card, *, supported: Iterable[ProtocolSupport | str] | None = None, downgrade: bool = True
) -> Selection:
    """Return the interface of an agent that a caller should talk to, with the reasons.

    A2A before MCP before others; the newest version of A2A that both speak; then the card's order
    (A2A 1.0 §8.3.2). What a `stdio://` URL names is never chosen: no card may start a command.

    Args:
        card: The agent's card of any dialect, valid or not; it is not changed.
        supported: What the caller speaks, such as `["a2a/1.0+JSONRPC", "a2a/0.3", "mcp"]`; without a
            version or a binding, any. Its order decides between protocols other than A2A and MCP alone.
            Not given: what `call_agent` speaks.
        downgrade: Whether an older version of A2A will do where the card offers a newer one that the
            caller speaks, but only in a way that it does not. The explanation tells it, and
            `Selection.downgraded` says it; with False it is `NoInterface`.

    >>> from cardwright import Card
    >>> card = Card.from_document({"name": "A", "url": "https://a.example", "protocolVersion": "0.3.0"})
    >>> select_interface(card, supported=["a2a/1.0", "a2a/0.3+JSONRPC"]).interface.version
    '0.3'

    Raises:
        BadArgument: If `supported` is no list of what can be spoken.
        NoInterface: If none fits; the message lists what the card has and what the caller speaks.
    """
    spoken = all_spoken(supported)
    offered = interfaces(card)
    unfit = {index: _unfit(one, spoken) for index, one in enumerate(offered)}
    fit = [index for index, reason in unfit.items() if not reason]
    if not fit:
        raise _none(offered, unfit, spoken)
    chosen = min(fit, key=lambda index: (*_rank(offered[index], spoken), index))
    best = offered[chosen]
    newer = _newer(best, offered, spoken)
    reasons = {
        index: unfit[index] or _later(one, best) for index, one in enumerate(offered) if index != chosen
    }
    if newer and not downgrade:
        why = f"A2A {best.version} is older than the {newer} that both speak, and no downgrade is allowed"
        raise _none(offered, {**unfit, **reasons, chosen: "older"}, spoken, why)
    passed_over = tuple(PassedOver(offered[index], reason) for index, reason in reasons.items())
    told = _explained(best, newer, fit, offered, passed_over)
    return Selection(best, told, passed_over, downgraded=bool(newer))


def _unfit(one: Interface, spoken: tuple[ProtocolSupport, ...]) -> str:
    """Return why a caller cannot talk to an interface; "" where it can."""
    address = _bad_address(one)
    if address:
        return address
    of_protocol = [mine for mine in spoken if mine.protocol == one.protocol]
    if not of_protocol:
        return "the caller does not speak this protocol" if one.protocol else "it names no protocol"
    of_version = [mine for mine in of_protocol if mine.version in ("", one.version)]
    if not of_version:
        return f"the caller speaks no version {one.version or 'that is not named'} of it"
    if not any(mine.fits(one) for mine in of_version):
        how = "binding" if one.protocol == "a2a" else "transport"
        return f"the caller does not speak version {one.version or 'any'} over this {how}"
    return ""


def _bad_address(one: Interface) -> str:
    if not one.url:
        return "it names no URL"
    if one.url.strip().lower().startswith("stdio:") or one.transport == "stdio":
        return "it would start a command here, which only local configuration may"
    over_http = one.protocol == "mcp" or (
        one.protocol == "a2a" and one.binding in CORE_BINDINGS and one.binding != "GRPC"
    )
    if not over_http:
        return ""
    try:
        parts = urlsplit(one.url)
    except ValueError:
        return "its URL cannot be read"
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return "its URL has to begin with https:// or http:// and a host"
    return ""


def _rank(one: Interface, spoken: tuple[ProtocolSupport, ...]) -> tuple[int, tuple[int, ...]]:
    """Return what a smaller value of is better: the protocol's place, and the version's from the newest."""
    if one.protocol == "a2a":
        return 0, tuple(-number for number in _numbers(one.version))
    if one.protocol == "mcp":
        return 1, ()
    return 2 + next(place for place, mine in enumerate(spoken) if mine.protocol == one.protocol), ()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split("."))


def _newer(best: Interface, offered: tuple[Interface, ...], spoken: tuple[ProtocolSupport, ...]) -> str:
    """Return the newest version that both sides speak, where it is newer than that of the best interface."""
    if best.protocol != "a2a":
        return ""
    mine = {one.version for one in spoken if one.protocol == "a2a"}
    both = [one.version for one in offered if one.protocol == "a2a" and ("" in mine or one.version in mine)]
    newest = max(both, key=_numbers)
    return newest if _numbers(newest) > _numbers(best.version) else ""


def _later(one: Interface, best: Interface) -> str:
    """Return why an interface that would do comes after the best one."""
    if one.protocol != best.protocol:
        return f"{_NAMES.get(best.protocol, best.protocol)} comes first"
    if one.version != best.version and one.protocol == "a2a":
        return f"{best.version} is newer"
    return "the card lists it later"


def _explained(
    best: Interface,
    newer: str,
    fit: list[int],
    offered: tuple[Interface, ...],
    passed_over: tuple[PassedOver, ...],
) -> str:
    told = [f"{best} is chosen: {_why(best, fit, offered)}."]
    if newer:
        told.append(
            f"This is a downgrade: the card offers A2A {newer}, which the caller speaks, "
            "but in no way in which the caller speaks it."
        )
    told += [f"Assumed: {assumption}." for assumption in best.assumptions]
    told += [f"Passed over: {one}." for one in passed_over[:_TOLD]]
    if len(passed_over) > _TOLD:
        told.append(f"Passed over: {len(passed_over) - _TOLD} more.")
    return " ".join(told)


def _why(best: Interface, fit: list[int], offered: tuple[Interface, ...]) -> str:
    if len(offered) == 1:
        return "the card names no other"
    if len(fit) == 1:
        return "no other is one that the caller can use"
    if best.protocol != "a2a":
        return "no A2A interface can be used, and it comes first of those that can"
    alike = [index for index in fit if offered[index].protocol == "a2a"]
    if len(alike) == 1:
        return "A2A comes before other protocols"
    if len({offered[index].version for index in alike}) > 1:
        return "it is the newest version that both speak, and the first of it in the card"
    return "it is the first in the card that the caller speaks"


def _none(
    offered: tuple[Interface, ...],
    reasons: dict[int, str],
    spoken: tuple[ProtocolSupport, ...],
    why: str = "",
) -> NoInterface:
    told = [str(PassedOver(one, reasons[index])) for index, one in enumerate(offered)]
    default = "the card names no interface" if not offered else "no interface of the card can be used"
    return NoInterface(why or default, offered=told, supported=[str(one) for one in spoken])
