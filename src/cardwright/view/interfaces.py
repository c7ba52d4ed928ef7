"""All interfaces of an agent in a card of any dialect, in the card's order of preference."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from cardwright.dialect import KNOWN, older_half
from cardwright.view.fields import string
from cardwright_models.a2a_facts import DEFAULT_TRANSPORT
from cardwright_runtime.checks import dig, objects
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.dialect import Dialect
    from cardwright_runtime.violation import JsonObject

# The version of a 1.0 interface that states none.
A2A_VERSION: Final = "1.0"
# Beach protocol 0.6.0, Agent Card advertising: its parameters have what an A2A card has no field for.
BEACH_EXTENSION_URI: Final = "https://beach.cool-ai.io/extensions/v1"
# A2A 1.0 §3.6: a version is Major.Minor, and a patch number does not count.
_VERSION: Final = re.compile(r"(\d{1,3}\.\d{1,3})(?:\.\d+)?(?:[-+].*)?")
# A2A 1.0 §4.4.6: the bindings of the specification.
CORE_BINDINGS: Final = ("JSONRPC", "GRPC", "HTTP+JSON")
# Spellings in published cards, by the intended name.
_INTENDED: Final = {
    "rest": "HTTP+JSON",
    "http_json": "HTTP+JSON",
    "http-json": "HTTP+JSON",
    "json-rpc": "JSONRPC",
    "json_rpc": "JSONRPC",
    "jsonrpc2.0": "JSONRPC",
}
# Spellings of MCP's streamable HTTP (MCP 2025-03-26, Transports).
_STREAMABLE: Final = frozenset({"http", "https", "streamablehttp", "streamable-http", "streamable_http"})
# The last version that a card with a bare `url` can declare (A2A 1.0 §8.3 has an interface for each).
_LAST_0X: Final = "0.3"


class HasDocument(Protocol):
    """A document of a known dialect, such as a `Card`."""

    @property
    def document(self) -> JsonObject:
        """The JSON object."""
        ...

    @property
    def dialect(self) -> Dialect:
        """The dialect that it is read as."""
        ...


@dataclass(frozen=True, slots=True)
class Interface:
    """An interface of an agent.

    Attributes:
        protocol: `a2a`, `mcp`, or another name of a Beach transport, such as `smtp`.
        binding: The A2A binding: `JSONRPC`, `GRPC`, `HTTP+JSON` or a custom name; else "".
        version: The protocol's version; A2A's as Major.Minor (A2A 1.0 §3.6). "" if unknown.
        url: The URL; "" if the card has none.
        tenant: The tenant in each request, exactly as written (A2A 1.0 §8.3.2), or None.
        tool: The MCP tool that peers call (Beach Agent Card, Transport entry), or None.
        transport: The MCP transport, such as `http`, or "".
        pointer: JSON Pointer to the interface in the card.
        assumptions: Assumptions made to read it, as text.
    """

    protocol: str
    binding: str
    version: str
    url: str
    tenant: str | None = None
    tool: str | None = None
    transport: str = ""
    pointer: str = ""
    assumptions: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return a one-line description for messages."""
        name = {"a2a": "A2A", "mcp": "MCP"}.get(self.protocol, _plain(self.protocol))
        how = f"over {_plain(self.binding or self.transport)}" if self.binding or self.transport else ""
        at = f"at {quote(self.url)}" if self.url else "without a URL"
        return " ".join(filter(None, (name, _plain(self.version), how, at)))


# Names of MCP in the place of an A2A binding, such as `MCP-STREAMABLE-HTTP`; the rule transports/foreign has more.
_MCP: Final = re.compile(r"(?<![a-z])mcp(?![a-z])", re.IGNORECASE)


def is_mcp(binding: Any) -> bool:
    """Return whether the binding of an interface names MCP, whose messages are not A2A's."""
    return type(binding) is str and _MCP.search(binding) is not None


def major_minor(version: Any) -> str | None:
    """Return the Major.Minor of an A2A version; None for anything else, such as an MCP date."""
    match = _VERSION.fullmatch(version) if type(version) is str else None
    return match[1] if match else None


def interfaces(card: HasDocument) -> tuple[Interface, ...]:
    """Return all interfaces in a card, in the card's order, without duplicates.

    An invalid card is read as far as possible; no error is raised. In a hybrid card the 1.0 fields come first,
    then interfaces only in the older fields. A bare `url` means 0.3 or older, whatever version the card declares.

    Args:
        card: The card of any dialect.

    >>> from cardwright import Card
    >>> card = Card.from_document({"name": "A", "url": "https://a.example", "protocolVersion": "0.3.0"})
    >>> [str(one) for one in interfaces(card)]
    ['A2A 0.3 over JSONRPC at "https://a.example"']
    """
    unique: dict[tuple[str | None, ...], Interface] = {}
    for one in each_interface(card):
        unique.setdefault((one.protocol, one.binding, one.version, one.url, one.tenant, one.tool), one)
    return tuple(unique.values())


def each_interface(card: HasDocument) -> Iterator[Interface]:
    """Yield the same interfaces as `interfaces`, with duplicates, each with its own pointer."""
    document = card.document if isinstance(card.document, dict) else {}
    match card.dialect.family:
        case "beach":
            yield from _beach(document)
        case "mcp":
            yield from _mcp(document)
        case _:
            yield from map(_by_protocol, _a2a(document, str(card.dialect)))


def binding_of(value: Any, field: str) -> tuple[str, tuple[str, ...]]:
    """Return the binding for a name, and the assumptions; core names are case-insensitive."""
    if type(value) is not str or not value:
        return DEFAULT_TRANSPORT, (f"{field} is missing: read as {DEFAULT_TRANSPORT}",)
    if value in CORE_BINDINGS:
        return value, ()
    lowered = value.strip().lower()
    intended = next((core for core in CORE_BINDINGS if core.lower() == lowered), _INTENDED.get(lowered))
    return (intended, (f"{quote(value)} is read as {intended}",)) if intended else (value, ())


def transport_of(value: Any) -> tuple[str, tuple[str, ...]]:
    """Return the MCP transport, and the assumptions; all spellings of streamable HTTP give `http`."""
    if type(value) is not str or not value:
        return "http", ("the MCP transport has no name: read as streamable HTTP",)
    lowered = value.strip().lower()
    return ("http" if lowered in _STREAMABLE else lowered), ()


def _a2a(document: dict[str, Any], dialect: str) -> Iterator[Interface]:
    for index, item in objects(document.get("supportedInterfaces")):
        binding, binding_notes = binding_of(item.get("protocolBinding"), "protocolBinding")
        version, version_notes = _version(item.get("protocolVersion"), A2A_VERSION)
        tenant = item.get("tenant")
        yield Interface(
            "a2a", binding, version, string(item, "url"),
            # An empty tenant means none: the default of the field in the protocol definition.
            tenant=tenant if type(tenant) is str and tenant else None,
            pointer=f"/supportedInterfaces/{index}", assumptions=(*binding_notes, *version_notes),
        )  # fmt: skip
    yield from _older(document, dialect)
    for index, item in objects(dig(document, ("capabilities", "extensions"))):
        if item.get("uri") == BEACH_EXTENSION_URI:
            yield from _beach(item.get("params"), f"/capabilities/extensions/{index}/params")


def _by_protocol(interface: Interface) -> Interface:
    """Return an interface of an A2A card whose binding names MCP as one of MCP."""
    if not is_mcp(interface.binding):
        return interface
    assumption = f"{quote(interface.binding)} is no binding of A2A: read as MCP over HTTP"
    return replace(
        interface, protocol="mcp", binding="", version="", transport="http", assumptions=(assumption,)
    )


def _older(document: dict[str, Any], dialect: str) -> Iterator[Interface]:
    """Yield the interfaces of A2A 0.x fields: the card's own URL and the additional ones."""
    version, version_notes = _older_version(document, dialect)
    if document.get("url") is not None:
        binding, binding_notes = binding_of(document.get("preferredTransport"), "preferredTransport")
        assumptions = (*binding_notes, *version_notes)
        yield Interface(
            "a2a", binding, version, string(document, "url"), pointer="/url", assumptions=assumptions
        )
    for index, item in objects(document.get("additionalInterfaces")):
        binding, binding_notes = binding_of(item.get("transport"), "transport")
        at, assumptions = f"/additionalInterfaces/{index}", (*binding_notes, *version_notes)
        yield Interface("a2a", binding, version, string(item, "url"), pointer=at, assumptions=assumptions)


def _older_version(document: dict[str, Any], dialect: str) -> tuple[str, tuple[str, ...]]:
    read_as = KNOWN[older_half(document) if dialect in ("a2a-hybrid", "a2a-1.0") else dialect].version
    version, assumptions = _version(document.get("protocolVersion"), read_as)
    if major_minor(document.get("protocolVersion")) is not None:
        # A2A 0.x writes the patch number, so this is not an assumption.
        assumptions = ()
    if not version.startswith("0."):
        return _LAST_0X, (f"a bare url means A2A {_LAST_0X} or older, although the card declares {version}",)
    return version, assumptions


def _version(value: Any, default: str) -> tuple[str, tuple[str, ...]]:
    version = major_minor(value)
    if version is None:
        reason = "the version is missing" if value is None else f"{quote(value)} is not a version of A2A"
        return default, (f"{reason}: read as {default}",)
    if version != value:
        return version, (f"{quote(value)} is read as {version}: the patch number is ignored",)
    return version, ()


def _beach(document: Any, at: str = "") -> Iterator[Interface]:
    """Yield the transports of a Beach card, or of its parameters in an A2A card, which are at a pointer."""
    for index, item in objects(dig(document, ("transports",))):
        protocol = string(item, "protocol")
        interface = Interface(
            protocol, "", string(item, "version"), string(item, "endpoint"),
            tool=string(item, "tool") or None, transport=string(item, "transport"),
            pointer=f"{at}/transports/{index}",
        )  # fmt: skip
        if protocol == "a2a":
            version, version_notes = _version(item.get("version"), A2A_VERSION)
            assumption = f"a Beach transport has no A2A binding: read as {DEFAULT_TRANSPORT}"
            interface = replace(
                interface,
                binding=DEFAULT_TRANSPORT,
                version=version,
                assumptions=(assumption, *version_notes),
            )
        elif protocol == "mcp" and not interface.url.lower().startswith("stdio:"):
            transport, assumed = transport_of(item.get("transport"))
            interface = replace(interface, transport=transport, assumptions=assumed)
        yield interface


def _mcp(document: dict[str, Any]) -> Iterator[Interface]:
    """Yield the interface of the MCP server that a card was created from (SuperX seed, MCP form)."""
    if document.get("url") is None:
        return
    url, version = string(document, "url"), string(document, "protocolVersion")
    transport, assumed = ("stdio", ()) if url.lower().startswith("stdio:") else transport_of(None)
    yield Interface("mcp", "", version, url, transport=transport, pointer="/url", assumptions=assumed)


def _plain(text: str) -> str:
    return quote(text)[1:-1]
