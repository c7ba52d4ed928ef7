"""Where an agent is reached: `url` and its companions of A2A 0.x, `supportedInterfaces` of the hub."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.notes import Notes, below
from cardwright.jcs import canonical_bytes
from cardwright.view.interfaces import is_mcp, major_minor
from cardwright_models.a2a_facts import DEFAULT_TRANSPORT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.conversion.tables import Tables

# The protocolVersion of a card of each dialect: the last patch release.
FULL_VERSIONS: Final = {"0.1": "0.1.0", "0.2": "0.2.6", "0.3": "0.3.0"}


def to_hub(document: dict[str, Any], hub: dict[str, Any], version: str, tables: Tables, notes: Notes) -> None:
    """Write the endpoints of a 0.x card into the hub, the main one first, without duplicates."""
    protocol_version = _protocol_version(document, version, notes)
    sources: list[str] = []
    interfaces: list[dict[str, Any]] = []
    if document.get("url") is not None:
        interfaces.append(_main_interface(document, version, notes))
        sources.append("")
    elif document.get("preferredTransport") is not None:
        notes.lose("/preferredTransport", "it is the transport of url, which is missing")
    for source, entry in list(_additional(document, interfaces, tables, notes)):
        interfaces.append(entry)
        sources.append(source)
    if not interfaces:
        return
    hub["supportedInterfaces"] = [{**entry, "protocolVersion": protocol_version} for entry in interfaces]
    has_version = major_minor(document.get("protocolVersion")) is not None
    for index, source in enumerate(sources):
        at = f"/supportedInterfaces/{index}"
        notes.move(at, source)
        notes.move(f"{at}/protocolVersion", "/protocolVersion")
        if source:
            notes.move(f"{at}/protocolBinding", f"{source}/transport")
        binding = interfaces[index].get("protocolBinding")
        if is_mcp(binding):
            why = f"A2A 1.0 requires a version, and {binding} is no binding of A2A: it has that of the card or of its dialect"
            notes.assume(f"{at}/protocolVersion", protocol_version, why)
        elif not has_version:
            why = f"the card has no protocolVersion: the dialect is A2A {version}"
            notes.assume(f"{at}/protocolVersion", protocol_version, why)


def _main_interface(document: dict[str, Any], version: str, notes: Notes) -> dict[str, Any]:
    """Return the main interface of a 0.x card: `url` and `preferredTransport`."""
    at = "/supportedInterfaces/0/protocolBinding"
    if type(document["url"]) is not str:
        notes.doubt("/url", "it is not a string")
    transport = document.get("preferredTransport")
    if transport is not None:
        notes.move(at, "/preferredTransport")
        return {"url": document["url"], "protocolBinding": transport}
    why = f"the card has no preferredTransport: the default of A2A {version} is {DEFAULT_TRANSPORT}"
    notes.assume(at, DEFAULT_TRANSPORT, why)
    return {"url": document["url"], "protocolBinding": DEFAULT_TRANSPORT}


def _additional(
    document: dict[str, Any], interfaces: list[dict[str, Any]], tables: Tables, notes: Notes
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (pointer in the source, interface in the hub) of each additional interface."""
    additional = document.get("additionalInterfaces")
    if additional is None:
        return
    if type(additional) is not list:
        notes.lose("/additionalInterfaces", "it is not an array")
        return
    own = interfaces[0] if interfaces else None
    seen = _SeenInterfaces()
    if own is None:
        notes.doubt(
            "/additionalInterfaces", "the card has no url, so that the first of them is the main interface"
        )
    else:
        seen.original_of(
            {"url": own["url"], "transport": own["protocolBinding"]}, "/url", "/preferredTransport"
        )
    for index, item in enumerate(additional):
        at = f"/additionalInterfaces/{index}"
        if type(item) is not dict:
            notes.lose(at, "it is not an interface")
            continue
        known = seen.contains(item)
        if originals := seen.original_of(item, at):
            notes.repeats[at] = originals
            notes.doubt(at, "it repeats another interface of the card")
            continue
        entry = tables.object(item, "AgentInterface", at, at, notes)
        more = {name: value for name, value in entry.items() if name not in ("url", "protocolBinding")}
        if index == 0 and own and known and own.keys().isdisjoint(more):
            # The main interface again, with additional fields.
            own |= more
            for name in more:
                notes.move(below("/supportedInterfaces/0", name), below(at, name))
            notes.doubt(at, "it repeats another interface of the card")
            continue
        yield at, entry


class _SeenInterfaces:
    """The interfaces of a 0.x card so far, to detect duplicates by URL, transport and other fields."""

    def __init__(self) -> None:
        self._endpoints: dict[tuple[str, str], tuple[str, ...]] = {}
        self._entries: dict[bytes, tuple[str, ...]] = {}

    def contains(self, entry: dict[str, Any]) -> bool:
        """Return whether an interface with this URL and transport was added."""
        return self._key(entry) in self._endpoints

    def original_of(self, entry: dict[str, Any], *places: str) -> tuple[str, ...] | None:
        """Add an interface and its places; return those of an earlier one that has all its information, or None."""
        encoded = canonical_bytes(entry)
        original = self._entries.get(encoded)
        if original is None and entry.keys() <= {"url", "transport"}:
            original = self._endpoints.get(self._key(entry))
        self._endpoints.setdefault(self._key(entry), places)
        self._entries.setdefault(encoded, places)
        return original

    @staticmethod
    def _key(entry: dict[str, Any]) -> tuple[str, str]:
        return str(entry.get("url")), str(entry.get("transport"))


def _protocol_version(document: dict[str, Any], version: str, notes: Notes) -> str:
    """Return the protocol version of a 0.x card as Major.Minor."""
    raw_version = document.get("protocolVersion")
    protocol_version = major_minor(raw_version)
    if protocol_version is None:
        if raw_version is not None:
            notes.lose("/protocolVersion", f"it is not a version of A2A; the card is read as A2A {version}")
        return version
    if raw_version != FULL_VERSIONS[version]:
        notes.doubt(
            "/protocolVersion", "a version is Major.Minor, and the patch number is ignored (A2A 1.0 §3.6)"
        )
    return protocol_version


def from_hub(
    hub: dict[str, Any], out: dict[str, Any], versions: tuple[str, ...], tables: Tables, notes: Notes
) -> None:
    """Write the interfaces of some versions into a 0.x card; all interfaces if none has one of these versions."""
    version = versions[0]
    chosen, matching = chosen_of(hub, versions, notes)
    if not chosen:
        return
    written: list[Any] = []
    seen = _SeenInterfaces()
    for index, item in chosen:
        at = f"/supportedInterfaces/{index}"
        place = len(written)
        to = f"/additionalInterfaces/{place}"
        bare = {name: value for name, value in item.items() if name != "protocolVersion"}
        entry = tables.object(bare, "AgentInterface", at, to, notes)
        if len(chosen) > 1 and seen.original_of(entry, at):
            why = f"in A2A {version} it equals another interface, without version and tenant"
            notes.lose(at, why)
            continue
        if not all(type(entry.get(name)) is str for name in ("url", "transport")):
            notes.doubt(at, "it has no URL, or no binding")
        written.append(entry)
        notes.move(to, at)
        protocol_version = item.get("protocolVersion")
        if "url" in entry and (not matching or major_minor(protocol_version) != version):
            earlier = f"the interface declares an earlier version, and is listed as A2A {version}"
            none = f"no interface declares A2A {version}: this one is listed anyway"
            notes.assume("/url" if place == 0 else to, item["url"], earlier if matching else none)
        if "protocolVersion" in item and protocol_version != version:
            why = f"A2A {version} has one protocolVersion for the whole card"
            notes.lose(f"{at}/protocolVersion", why)
    first = f"/supportedInterfaces/{chosen[0][0]}"
    primary = written[0]
    for own, name in (("url", "url"), ("preferredTransport", "transport")):
        if name in primary:
            out[own] = primary[name]
            notes.move(f"/{own}", f"{first}/{'url' if own == 'url' else 'protocolBinding'}")
    # A2A 0.3 §5.6.1: a list of several interfaces includes the main one, with its additional fields.
    if len(written) > 1 or primary.keys() - {"url", "transport"}:
        out["additionalInterfaces"] = written
    out["protocolVersion"] = FULL_VERSIONS[version]
    notes.move("/protocolVersion", f"{first}/protocolVersion")


def chosen_of(
    hub: dict[str, Any], versions: tuple[str, ...], notes: Notes
) -> tuple[list[tuple[int, dict[str, Any]]], bool]:
    """Return the hub's interfaces for a card of an older version, and whether they declare one of the versions."""
    usable: list[tuple[int, dict[str, Any]]] = []
    for index, item in enumerate(notes.array(hub.get("supportedInterfaces"), "/supportedInterfaces")):
        if type(item) is dict:
            usable.append((index, item))
        else:
            notes.lose(f"/supportedInterfaces/{index}", "it is not an interface")
    declared = [major_minor(item.get("protocolVersion")) for _, item in usable]
    matching = [
        pair for version in versions for pair, own in zip(usable, declared, strict=True) if own == version
    ]
    if not matching:
        return usable, False
    for (index, _), own in zip(usable, declared, strict=True):
        if own not in versions:
            why = f"it does not support A2A {versions[0]}, and another interface does"
            notes.lose(f"/supportedInterfaces/{index}", why)
    return matching, True
