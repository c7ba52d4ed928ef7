"""Rewrite each interface of a card, and collect the routes and notes."""

from __future__ import annotations

from dataclasses import dataclass, field
from json import dumps
from typing import TYPE_CHECKING, Any, Final, cast

from cardwright.conversion.notes import below
from cardwright.guard.target import target_of
from cardwright.view.interfaces import each_interface
from cardwright_gateway.upstream.route import Binding, Upstream
from cardwright_gateway.upstream.urls import is_hostless
from cardwright_runtime.violation import clipped

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.view.interfaces import Interface
    from cardwright_gateway.upstream.urls import Bases

# The fields that identify an interface in a list: A2A 0.3 §5.5.5, A2A 1.0 §4.4.6. Beach transports are the same if
# all fields are equal.
_SAME_BY: Final[dict[str, tuple[str, ...]]] = {
    "supportedInterfaces": ("url", "protocolBinding", "protocolVersion", "tenant"),
    "additionalInterfaces": ("url", "transport"),
}


@dataclass(frozen=True, slots=True)
class Note:
    """One change by rewriting.

    Attributes:
        pointer: The pointer into the upstream card.
        why: What was changed and why, without hosts or URLs.
    """

    pointer: str
    why: str


@dataclass(slots=True)
class Passage:
    """The state of rewriting one card.

    Attributes:
        notes: The changes, in order.
        routes: The first upstream endpoint of each binding and version.
        removed: Whether an unsupported interface was removed.
    """

    card: Card
    bases: Bases
    carries: frozenset[tuple[str, str]]
    notes: list[Note] = field(default_factory=list[Note])
    routes: dict[tuple[str, str], Upstream] = field(default_factory=dict[tuple[str, str], Upstream])
    removed: bool = False
    _interfaces: dict[str, Interface] = field(init=False)

    def __post_init__(self) -> None:
        """Read the interfaces of the card, by pointer."""
        self._interfaces = {interface.pointer: interface for interface in each_interface(self.card)}

    def note(self, pointer: str, why: str) -> None:
        """Note a change at a pointer of the upstream card."""
        self.notes.append(Note(pointer, why))

    def url(self, pointer: str, at: str) -> str | None:
        """Return the rewritten URL of an interface, or None if the interface is removed.

        Args:
            pointer: The pointer of the interface.
            at: The pointer of its URL.
        """
        interface = self._interfaces.get(pointer)
        if interface is not None and self.bases.is_public(interface.url):
            return interface.url
        why = "it is not a valid interface" if interface is None else self._why_not(interface)
        if interface is None or why:
            self._remove(pointer, why)
            return None
        leading = self.bases.lead(interface.url)
        if leading.written is None:
            self._remove(pointer, leading.why)
            return None
        if interface.protocol == "a2a" and self._is_taken(interface, leading.sent):
            self._remove(pointer, "an earlier interface has the same binding and version, at another URL")
            return None
        if leading.why:
            self.note(at, leading.why)
        if leading.sent and interface.protocol == "a2a":
            upstream = Upstream(
                cast("Binding", interface.binding), interface.version, leading.sent, interface.tenant
            )
            self.routes.setdefault((interface.binding, interface.version), upstream)
        return leading.written

    @property
    def older_version(self) -> str:
        """The A2A version of the older fields of the card."""
        older = (
            interface
            for at, interface in self._interfaces.items()
            if at.startswith(("/url", "/additionalInterfaces"))
        )
        return next((interface.version for interface in older), "0.3")

    def listed(self, items: list[Any], place: str, url_field: str = "url") -> list[Any]:
        """Return the rewritten interfaces of a list, without duplicates that rewriting created."""
        rewritten: list[Any] = []
        # By identity: whether the interface was changed.
        seen: dict[str, bool] = {}
        for index, item in enumerate(items):
            at = below("", place, index)
            entry = self._entry(item, at, url_field)
            if entry is None:
                continue
            names = _SAME_BY.get(place) or sorted(entry)
            key = dumps([entry.get(name) for name in names] if place in _SAME_BY else entry, sort_keys=True)
            changed = entry is not item
            if key in seen and (changed or seen[key]):
                self.note(at, "removed: at the gateway it is the same as an earlier interface")
                continue
            seen[key] = changed
            rewritten.append(entry)
        return rewritten

    def _entry(self, item: Any, at: str, url_field: str) -> dict[str, Any] | None:
        if type(item) is not dict:
            self._remove(at, "it is not a valid interface")
            return None
        entry = cast("dict[str, Any]", item)
        if self._stays(at, entry.get(url_field)):
            return entry
        written = self.url(at, below(at, url_field))
        if written is None or written == entry[url_field]:
            return None if written is None else entry
        return {**entry, url_field: written}

    def _is_taken(self, interface: Interface, sent: str) -> bool:
        """Whether an earlier interface with another URL gets these calls: requests identify a tenant, but not a URL."""
        before = self.routes.get((interface.binding, interface.version))
        return bool(sent) and before is not None and target_of(before.url).url != target_of(sent).url

    def _stays(self, at: str, url: Any) -> bool:
        """Whether a Beach transport has no host, so that it does not bypass the gateway."""
        interface = self._interfaces.get(at)
        if interface is None or self.card.dialect.family != "beach" or interface.protocol == "a2a":
            return False
        return url is None or (type(url) is str and is_hostless(url))

    def _why_not(self, interface: Interface) -> str:
        """Return why the gateway does not support an interface; "" if it does."""
        if interface.protocol == "mcp" and self.card.dialect.family == "mcp":
            # The URL in the card of an MCP server becomes the gateway's.
            return (
                ""
                if interface.transport != "stdio"
                else "the gateway does not support the stdio transport of a card"
            )
        if interface.protocol != "a2a":
            return f"the gateway does not support the protocol {clipped(interface.protocol)}"
        if (interface.binding, interface.version) not in self.carries:
            return f"the gateway does not support A2A {clipped(interface.version)} over {clipped(interface.binding)}"
        return "" if interface.url else "it has no URL"

    def _remove(self, pointer: str, why: str) -> None:
        self.removed = True
        self.note(pointer, f"removed: {why}")
