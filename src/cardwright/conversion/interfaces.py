"""Where an agent is reached: `url` and its companions of A2A 0.x, `supportedInterfaces` of the hub."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.notes import Notes, below
from cardwright.jcs import canonical_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.conversion.tables import Tables

# A2A 0.3 §5.5: the transport of a card that names none.
DEFAULT_TRANSPORT: Final = "JSONRPC"
# What a card of a dialect writes as its own version: the last patch of each.
FULL_VERSIONS: Final = {"0.1": "0.1.0", "0.2": "0.2.6", "0.3": "0.3.0"}
# A2A 1.0 §3.6: a version is Major.Minor, and a patch number does not count.
_VERSION: Final = re.compile(r"(\d{1,3}\.\d{1,3})(?:\.\d+)?(?:[-+].*)?")


def major_minor(version: Any) -> str | None:
    """Return the Major.Minor of an A2A version; None for anything else, such as an MCP date."""
    match = _VERSION.fullmatch(version) if type(version) is str else None
    return match[1] if match else None


def to_hub(document: dict[str, Any], hub: dict[str, Any], version: str, tables: Tables, notes: Notes) -> None:
    """Write a 0.x card's endpoints into the hub, the card's own first, none twice."""
    spoken = _spoken(document, version, notes)
    sources: list[str] = []
    interfaces: list[dict[str, Any]] = []
    if document.get("url") is not None:
        interfaces.append(_own(document, version, notes))
        sources.append("")
    elif document.get("preferredTransport") is not None:
        notes.lose("/preferredTransport", "it is the transport of a url, and there is none")
    for source, entry in list(_additional(document, interfaces, tables, notes)):
        interfaces.append(entry)
        sources.append(source)
    if not interfaces:
        return
    hub["supportedInterfaces"] = [{**entry, "protocolVersion": spoken} for entry in interfaces]
    said = major_minor(document.get("protocolVersion")) is not None
    for index, source in enumerate(sources):
        at = f"/supportedInterfaces/{index}"
        notes.move(at, source)
        if source:
            notes.move(f"{at}/protocolBinding", f"{source}/transport")
        if not said:
            why = f"no protocolVersion is given: the dialect is A2A {version}"
            notes.assume(f"{at}/protocolVersion", spoken, why)
    notes.move("/supportedInterfaces/0/protocolVersion", "/protocolVersion")


def _own(document: dict[str, Any], version: str, notes: Notes) -> dict[str, Any]:
    """Return the interface that a 0.x card's own members say."""
    at = "/supportedInterfaces/0/protocolBinding"
    if type(document["url"]) is not str:
        notes.doubt("/url", "it is no URL")
    transport = document.get("preferredTransport")
    if transport is not None:
        notes.move(at, "/preferredTransport")
        return {"url": document["url"], "protocolBinding": transport}
    why = f"no preferredTransport is given: A2A {version} means {DEFAULT_TRANSPORT}"
    notes.assume(at, DEFAULT_TRANSPORT, why)
    return {"url": document["url"], "protocolBinding": DEFAULT_TRANSPORT}


def _additional(
    document: dict[str, Any], interfaces: list[dict[str, Any]], tables: Tables, notes: Notes
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield where each further interface stands, and what it is in the hub."""
    additional = document.get("additionalInterfaces")
    if additional is None:
        return
    if type(additional) is not list:
        notes.lose("/additionalInterfaces", "it is no array")
        return
    own = interfaces[0] if interfaces else None
    said = _Said()
    if own is None:
        notes.doubt("/additionalInterfaces", "without a url of the card, the first of them is its own")
    else:
        said.says_more({"url": own["url"], "transport": own["protocolBinding"]})
    for index, item in enumerate(additional):
        at = f"/additionalInterfaces/{index}"
        if type(item) is not dict:
            notes.lose(at, "it is no interface")
            continue
        known = said.knows(item)
        if not said.says_more(item):
            notes.doubt(at, "it says again what another member or element says of the same interface")
            continue
        entry = tables.object(item, "AgentInterface", at, at, notes)
        more = {name: value for name, value in entry.items() if name not in ("url", "protocolBinding")}
        if index == 0 and own and known and own.keys().isdisjoint(more):
            # The card's own interface again, with more said of it.
            own |= more
            for name in more:
                notes.move(below("/supportedInterfaces/0", name), below(at, name))
            notes.doubt(at, "it says again what another member or element says of the same interface")
            continue
        yield at, entry


class _Said:
    """What the endpoints of a 0.x card say: a URL and a transport tell them apart, and what else is said of them."""

    def __init__(self) -> None:
        self._alike: set[tuple[str, str]] = set()
        self._whole: set[bytes] = set()

    def knows(self, entry: dict[str, Any]) -> bool:
        """Whether an endpoint of that URL and transport was there."""
        return self._key(entry) in self._alike

    def says_more(self, entry: dict[str, Any]) -> bool:
        """Whether an endpoint says what none before it did; it is one of those before from now on."""
        whole = canonical_bytes(entry)
        again = whole in self._whole or (entry.keys() <= {"url", "transport"} and self.knows(entry))
        self._alike.add(self._key(entry))
        self._whole.add(whole)
        return not again

    @staticmethod
    def _key(entry: dict[str, Any]) -> tuple[str, str]:
        return str(entry.get("url")), str(entry.get("transport"))


def _spoken(document: dict[str, Any], version: str, notes: Notes) -> str:
    """Return the version that a 0.x card says it speaks, as the hub says it."""
    given = document.get("protocolVersion")
    spoken = major_minor(given)
    if spoken is None:
        if given is not None:
            notes.lose("/protocolVersion", f"it is no version of A2A; the card is read as {version}")
        return version
    if given != FULL_VERSIONS[version]:
        notes.doubt(
            "/protocolVersion", "a version counts as Major.Minor, its patch number does not (A2A 1.0 §3.6)"
        )
    return spoken


def from_hub(
    hub: dict[str, Any],
    out: dict[str, Any],
    versions: tuple[str, ...],
    tables: Tables,
    notes: Notes,
) -> None:
    """Write the interfaces that speak one of some versions into a 0.x card; all of them where none does."""
    version = versions[0]
    chosen, speaking = chosen_of(hub, versions, notes)
    if not chosen:
        return
    written: list[Any] = []
    said = _Said()
    for index, item in chosen:
        at = f"/supportedInterfaces/{index}"
        place = len(written)
        to = f"/additionalInterfaces/{place}"
        bare = {name: value for name, value in item.items() if name != "protocolVersion"}
        entry = tables.object(bare, "AgentInterface", at, to, notes)
        if not said.says_more(entry):
            why = f"in A2A {version} it is the same as another: no version or tenant tells them apart"
            notes.lose(at, why)
            continue
        if not all(type(entry.get(name)) is str for name in ("url", "transport")):
            notes.doubt(at, "it has no URL, or no binding")
        written.append(entry)
        notes.move(to, at)
        spoken = item.get("protocolVersion")
        if "url" in entry and (not speaking or major_minor(spoken) != version):
            earlier = f"it says it speaks an earlier version, and is offered as A2A {version}"
            none = f"no interface says it speaks A2A {version}: this one is offered all the same"
            notes.assume("/url" if place == 0 else to, item["url"], earlier if speaking else none)
        if "protocolVersion" in item and spoken != version:
            why = f"A2A {version} has one protocolVersion for the whole card"
            notes.lose(f"{at}/protocolVersion", why)
    first = f"/supportedInterfaces/{chosen[0][0]}"
    primary = written[0]
    for own, name in (("url", "url"), ("preferredTransport", "transport")):
        if name in primary:
            out[own] = primary[name]
            notes.move(f"/{own}", f"{first}/{'url' if own == 'url' else 'protocolBinding'}")
    # A2A 0.3 §5.6.1: with several, the list also names the card's own; more said of it stands there too.
    if len(written) > 1 or primary.keys() - {"url", "transport"}:
        out["additionalInterfaces"] = written
    out["protocolVersion"] = FULL_VERSIONS[version]
    notes.move("/protocolVersion", f"{first}/protocolVersion")


def chosen_of(
    hub: dict[str, Any], versions: tuple[str, ...], notes: Notes
) -> tuple[list[tuple[int, dict[str, Any]]], bool]:
    """Return the hub's interfaces that an older version can use, and whether they say they speak it."""
    interfaces = hub.get("supportedInterfaces")
    if type(interfaces) is not list:
        if interfaces is not None:
            notes.lose("/supportedInterfaces", "it is no array")
        return [], False
    usable: list[tuple[int, dict[str, Any]]] = []
    for index, item in enumerate(interfaces):
        if type(item) is dict:
            usable.append((index, item))
        else:
            notes.lose(f"/supportedInterfaces/{index}", "it is no interface")
    speaking = [pair for pair in usable if major_minor(pair[1].get("protocolVersion")) in versions]
    if speaking:
        heard = {index for index, _ in speaking}
        for index, _ in usable:
            if index not in heard:
                why = f"it does not speak A2A {versions[0]}, and another interface does"
                notes.lose(f"/supportedInterfaces/{index}", why)
    speaking.sort(key=lambda pair: versions.index(major_minor(pair[1].get("protocolVersion")) or ""))
    return speaking or usable, bool(speaking)
