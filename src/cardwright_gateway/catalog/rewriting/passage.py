"""What a gateway makes of each interface of a card, and what it says of it: filled once, then frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from json import dumps
from typing import TYPE_CHECKING, Any, Final, cast

from cardwright.conversion.notes import below
from cardwright.discovery.interfaces import each_interface
from cardwright_gateway.upstream.route import Binding, Upstream
from cardwright_gateway.upstream.urls import is_hostless, read
from cardwright_runtime.violation import clipped

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.discovery.interfaces import Interface
    from cardwright_gateway.upstream.urls import Bases

# What makes two interfaces of a list the same one: A2A 0.3 §5.5.5, A2A 1.0 §4.4.6. A transport of Beach is
# the same where all of it is.
_SAME_BY: Final[dict[str, tuple[str, ...]]] = {
    "supportedInterfaces": ("url", "protocolBinding", "protocolVersion", "tenant"),
    "additionalInterfaces": ("url", "transport"),
}


@dataclass(frozen=True, slots=True)
class Note:
    """What rewriting did at one place of a card.

    Attributes:
        pointer: Where, in the card as it came.
        why: What was moved, removed or rebased, and why; no host or URL stands in it.
    """

    pointer: str
    why: str


@dataclass(slots=True)
class Passage:
    """One card on its way through.

    Attributes:
        notes: What was done, in the order it was.
        routes: The first upstream of each binding and version.
        removed: Whether an interface went that the gateway does not carry.
    """

    card: Card
    bases: Bases
    carries: frozenset[tuple[str, str]]
    notes: list[Note] = field(default_factory=list[Note])
    routes: dict[tuple[str, str], Upstream] = field(default_factory=dict[tuple[str, str], Upstream])
    removed: bool = False
    _found: dict[str, Interface] = field(init=False)

    def __post_init__(self) -> None:
        """Read every interface where it stands."""
        self._found = {one.pointer: one for one in each_interface(self.card)}

    def note(self, pointer: str, why: str) -> None:
        """Note what was done at a pointer of the card as it came."""
        self.notes.append(Note(pointer, why))

    def url(self, pointer: str, at: str) -> str | None:
        """Return what is written instead of an interface's URL, or None where the interface goes.

        Args:
            pointer: The interface's own pointer.
            at: The pointer of its URL.
        """
        one = self._found.get(pointer)
        if one is not None and self.bases.is_public(one.url):
            return one.url
        why = "it is no interface" if one is None else self._why_not(one)
        if one is None or why:
            self._goes(pointer, why)
            return None
        leading = self.bases.lead(one.url)
        if leading.written is None:
            self._goes(pointer, leading.why)
            return None
        if one.protocol == "a2a" and self._is_taken(one, leading.sent):
            self._goes(
                pointer, "calls of its binding and version go to an interface before it, at another URL"
            )
            return None
        if leading.why:
            self.note(at, leading.why)
        if leading.sent and one.protocol == "a2a":
            upstream = Upstream(cast("Binding", one.binding), one.version, leading.sent, one.tenant)
            self.routes.setdefault((one.binding, one.version), upstream)
        return leading.written

    @property
    def older_version(self) -> str:
        """The version that the older members of an A2A card are read as."""
        older = (one for at, one in self._found.items() if at.startswith(("/url", "/additionalInterfaces")))
        return next((one.version for one in older), "0.3")

    def listed(self, items: list[Any], place: str, member: str = "url") -> list[Any]:
        """Return the interfaces of a list as the gateway serves them, none twice that it made equal."""
        kept: list[Any] = []
        # By what makes each what it is: whether it was changed on the way.
        seen: dict[str, bool] = {}
        for index, item in enumerate(items):
            at = below("", place, index)
            entry = self._entry(item, at, member)
            if entry is None:
                continue
            names = _SAME_BY.get(place) or sorted(entry)
            key = dumps([entry.get(name) for name in names] if place in _SAME_BY else entry, sort_keys=True)
            changed = entry is not item
            if key in seen and (changed or seen[key]):
                self.note(at, "at the gateway it is the same as an interface before it: it stands there once")
                continue
            seen[key] = changed
            kept.append(entry)
        return kept

    def _entry(self, item: Any, at: str, member: str) -> dict[str, Any] | None:
        if type(item) is not dict:
            self._goes(at, "it is no interface")
            return None
        entry = cast("dict[str, Any]", item)
        if self._stays(at, entry.get(member)):
            return entry
        written = self.url(at, below(at, member))
        if written is None or written == entry[member]:
            return None if written is None else entry
        return {**entry, member: written}

    def _is_taken(self, one: Interface, sent: str) -> bool:
        """Whether calls of an interface would go elsewhere: what a request says tells tenants apart, but no URLs."""
        before = self.routes.get((one.binding, one.version))
        return bool(sent) and before is not None and read(before.url).url != read(sent).url

    def _stays(self, at: str, url: Any) -> bool:
        """Whether a transport of Beach leads to no host, and so past no gateway."""
        one = self._found.get(at)
        if one is None or self.card.dialect.family != "beach" or one.protocol == "a2a":
            return False
        return url is None or (type(url) is str and is_hostless(url))

    def _why_not(self, one: Interface) -> str:
        """Return why the gateway carries no such interface, or nothing."""
        if one.protocol == "mcp" and self.card.dialect.family == "mcp":
            # The one URL of a card made from an MCP server: the gateway is where that is reached.
            return "" if one.transport != "stdio" else "a program on the agent's own machine is not carried"
        if one.protocol != "a2a":
            return f"the gateway carries no interface of the protocol {clipped(one.protocol)}"
        if (one.binding, one.version) not in self.carries:
            return f"the gateway does not carry A2A {clipped(one.version)} over {clipped(one.binding)}"
        return "" if one.url else "it says no URL"

    def _goes(self, pointer: str, why: str) -> None:
        self.removed = True
        self.note(pointer, f"removed: {why}")
