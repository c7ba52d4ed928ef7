"""Every way to reach an agent, whatever dialect its card is of, in the card's order of preference."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.beach_transports import A2A_VERSION
from cardwright.conversion.interfaces import DEFAULT_TRANSPORT, major_minor
from cardwright.dialect import KNOWN, older_half
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card

# A2A 1.0 §4.4.6: what the specification itself binds the protocol to.
CORE_BINDINGS: Final = ("JSONRPC", "GRPC", "HTTP+JSON")
# Spellings seen in published cards, by the name that was meant.
_MEANT: Final = {
    "rest": "HTTP+JSON",
    "http_json": "HTTP+JSON",
    "http-json": "HTTP+JSON",
    "json-rpc": "JSONRPC",
    "json_rpc": "JSONRPC",
    "jsonrpc2.0": "JSONRPC",
}
# What is written for MCP's streamable HTTP (MCP 2025-03-26, Transports).
_STREAMABLE: Final = frozenset({"http", "https", "streamablehttp", "streamable-http", "streamable_http"})
# The last version that a card with a bare `url` can speak (A2A 1.0 §8.3 has an interface for each).
_LAST_OLDER: Final = "0.3"


@dataclass(frozen=True, slots=True)
class Interface:
    """One way to reach an agent.

    Attributes:
        protocol: `a2a`, `mcp`, or another name of a Beach transport, such as `smtp`.
        binding: How A2A is bound: `JSONRPC`, `GRPC`, `HTTP+JSON` or a name of somebody's own; else "".
        version: The protocol's version; A2A's as Major.Minor (A2A 1.0 §3.6). "" where none is known.
        url: Where; "" where the card does not say.
        tenant: What every request names as its tenant, exactly as it is written (A2A 1.0 §8.3.2), or None.
        tool: The MCP tool that a peer talks to (Beach Agent Card, Transport entry), or None.
        transport: How MCP's messages travel, such as `http`, or "".
        pointer: Where in the card it stands.
        assumptions: What had to be assumed to read it, in words.
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
        """Say it in one line, as messages do."""
        name = {"a2a": "A2A", "mcp": "MCP"}.get(self.protocol, _shown(self.protocol))
        how = f"over {_shown(self.binding or self.transport)}" if self.binding or self.transport else ""
        at = f"at {quote(self.url)}" if self.url else "at no URL"
        return " ".join(filter(None, (name, _shown(self.version), how, at)))


def interfaces(card: Card) -> tuple[Interface, ...]:
    """Return every way to reach an agent that its card names, in the card's order, none twice.

    An invalid card is read as far as it goes: nothing here raises. Of a hybrid the 1.0 half comes first,
    then what only the older half says. A bare `url` is 0.3 or older, whatever version stands beside it.

    Args:
        card: The card of any dialect; it is not changed.

    >>> from cardwright import Card
    >>> card = Card.from_document({"name": "A", "url": "https://a.example", "protocolVersion": "0.3.0"})
    >>> [str(one) for one in interfaces(card)]
    ['A2A 0.3 over JSONRPC at "https://a.example"']
    """
    seen: dict[tuple[str | None, ...], Interface] = {}
    for one in each_interface(card):
        seen.setdefault((one.protocol, one.binding, one.version, one.url, one.tenant, one.tool), one)
    return tuple(seen.values())


def each_interface(card: Card) -> Iterator[Interface]:
    """Yield what `interfaces` returns, those that stand there twice too: each by its own pointer."""
    document = card.document
    match card.dialect.family:
        case "beach":
            yield from _beach(document)
        case "mcp":
            yield from _mcp(document)
        case _:
            yield from _a2a(document, str(card.dialect))


def binding_of(written: Any, member: str) -> tuple[str, tuple[str, ...]]:
    """Return the binding that a name means, and what was assumed; core names are read without case."""
    if type(written) is not str or not written:
        return DEFAULT_TRANSPORT, (f"a card without {member} means {DEFAULT_TRANSPORT}",)
    if written in CORE_BINDINGS:
        return written, ()
    lowered = written.strip().lower()
    meant = next((core for core in CORE_BINDINGS if core.lower() == lowered), _MEANT.get(lowered))
    return (meant, (f"{quote(written)} is read as {meant}",)) if meant else (written, ())


def transport_of(written: Any) -> tuple[str, tuple[str, ...]]:
    """Return how MCP's messages travel, and what was assumed: streamable HTTP in all its spellings."""
    if type(written) is not str or not written:
        return "http", ("an MCP transport that does not say how messages travel is read as streamable HTTP",)
    lowered = written.strip().lower()
    return ("http" if lowered in _STREAMABLE else lowered), ()


def _a2a(document: dict[str, Any], dialect: str) -> Iterator[Interface]:
    for at, item in _objects(document, "supportedInterfaces"):
        binding, assumed = binding_of(item.get("protocolBinding"), "protocolBinding")
        version, told = _version(item.get("protocolVersion"), A2A_VERSION)
        tenant = item.get("tenant")
        yield Interface(
            "a2a", binding, version, _text(item.get("url")),
            # An empty tenant is none: the member's default in the protocol's own definition.
            tenant=tenant if type(tenant) is str and tenant else None,
            pointer=at, assumptions=(*assumed, *told),
        )  # fmt: skip
    yield from _older(document, dialect)


def _older(document: dict[str, Any], dialect: str) -> Iterator[Interface]:
    """Yield what the members of A2A 0.x say: the card's own URL, and those beside it."""
    version, told = _older_version(document, dialect)
    if document.get("url") is not None:
        binding, assumed = binding_of(document.get("preferredTransport"), "preferredTransport")
        url = _text(document["url"])
        yield Interface("a2a", binding, version, url, pointer="/url", assumptions=(*assumed, *told))
    for at, item in _objects(document, "additionalInterfaces"):
        binding, assumed = binding_of(item.get("transport"), "transport")
        url = _text(item.get("url"))
        yield Interface("a2a", binding, version, url, pointer=at, assumptions=(*assumed, *told))


def _older_version(document: dict[str, Any], dialect: str) -> tuple[str, tuple[str, ...]]:
    read_as = KNOWN[older_half(document) if dialect in ("a2a-hybrid", "a2a-1.0") else dialect].version
    version, told = _version(document.get("protocolVersion"), read_as)
    if major_minor(document.get("protocolVersion")) is not None:
        # A2A 0.x writes the patch number, so it is no surprise.
        told = ()
    if not version.startswith("0."):
        return _LAST_OLDER, (f"a bare url is A2A {_LAST_OLDER} or older, though the card says {version}",)
    return version, told


def _version(written: Any, default: str) -> tuple[str, tuple[str, ...]]:
    version = major_minor(written)
    if version is None:
        why = "no version is given" if written is None else f"{quote(written)} is no version of A2A"
        return default, (f"{why}: read as {default}",)
    if version != written:
        return version, (f"{quote(written)} is read as {version}: a patch number does not count",)
    return version, ()


def _beach(document: dict[str, Any]) -> Iterator[Interface]:
    for at, item in _objects(document, "transports"):
        protocol = _text(item.get("protocol"))
        one = Interface(
            protocol, "", _text(item.get("version")), _text(item.get("endpoint")),
            tool=_text(item.get("tool")) or None, transport=_text(item.get("transport")), pointer=at,
        )  # fmt: skip
        if protocol == "a2a":
            version, told = _version(item.get("version"), A2A_VERSION)
            why = f"Beach names no binding of A2A: messages are posted, as {DEFAULT_TRANSPORT}"
            one = replace(one, binding=DEFAULT_TRANSPORT, version=version, assumptions=(why, *told))
        elif protocol == "mcp" and not one.url.lower().startswith("stdio:"):
            transport, assumed = transport_of(item.get("transport"))
            one = replace(one, transport=transport, assumptions=assumed)
        yield one


def _mcp(document: dict[str, Any]) -> Iterator[Interface]:
    """Yield the one way to a server of MCP that a card was made from (SuperX seed, MCP form)."""
    if document.get("url") is None:
        return
    url, version = _text(document["url"]), _text(document.get("protocolVersion"))
    transport, assumed = ("stdio", ()) if url.lower().startswith("stdio:") else transport_of(None)
    yield Interface("mcp", "", version, url, transport=transport, pointer="/url", assumptions=assumed)


def _objects(document: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    items = document.get(name)
    for index, item in enumerate(items if type(items) is list else ()):
        if type(item) is dict:
            yield f"/{name}/{index}", item


def _text(value: Any) -> str:
    return value if type(value) is str else ""


def _shown(text: str) -> str:
    return quote(text)[1:-1]
