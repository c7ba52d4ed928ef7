"""Rewrite an upstream card so that every interface is at the gateway, and return where its calls go.

A pure function of the card and two URLs. URLs are compared by origin and path segments; nothing is joined
by guessing (interop, Rewriting URLs in the gateway).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.dialect import named, older_half
from cardwright_gateway.catalog.rewriting.halves import a2a
from cardwright_gateway.catalog.rewriting.leaks import leaks
from cardwright_gateway.catalog.rewriting.passage import Note, Passage
from cardwright_gateway.catalog.rewriting.references import references, strays
from cardwright_gateway.upstream.route import Upstream
from cardwright_gateway.upstream.urls import Bases

if TYPE_CHECKING:
    from cardwright.card import Card

__all__ = ["CARRIED", "TRANSLATED", "Note", "Rewriting", "Upstream", "edited", "leaks", "rewritten"]

# The bindings and versions of A2A that the gateway forwards (project decision).
CARRIED: Final = frozenset(
    {("JSONRPC", "0.2"), ("JSONRPC", "0.3"), ("JSONRPC", "1.0"), ("HTTP+JSON", "0.3"), ("HTTP+JSON", "1.0")}
)
# Those whose calls it translates, because clients of later versions cannot call them.
TRANSLATED: Final = frozenset({("JSONRPC", "0.1")})


@dataclass(frozen=True, slots=True)
class Rewriting:
    """The result of rewriting a card.

    Attributes:
        card: The card as the gateway serves it. Unknown fields are unchanged.
        routes: The upstream endpoints, in the card's order, one for each binding and version. Empty if every
            interface is already at the gateway, and for the card of an MCP server.
        notes: The changes, with pointers into the upstream card.
        usable: Whether an interface is left.
    """

    card: Card
    routes: tuple[Upstream, ...]
    notes: tuple[Note, ...]
    usable: bool


def rewritten(
    card: Card,
    public: str,
    backend: str,
    *,
    base: str | None = None,
    carries: frozenset[tuple[str, str]] = CARRIED,
) -> Rewriting:
    """Return a card of any dialect as the gateway serves it; the argument is not changed.

    Every interface that the gateway supports is moved to `public`, in every form and in both halves of a hybrid.
    All others with a host are removed, as are signatures and references to internal hosts. URLs at or below
    `public` stay, so rewriting is idempotent. Token, OpenID and OAuth metadata URLs stay (interop, Rewriting
    URLs in the gateway). The rewritten card is not validated yet.

    Args:
        card: The upstream card, valid or not.
        public: The public URL of the agent, such as `https://gw.example/agents/travel`.
        backend: The configured URL of the agent: its base, an endpoint, or its card's URL.
        base: The public URL of the gateway, such as `https://gw.example`: other interfaces at or below it are
            removed. Default: only `public` is known to be the gateway's.
        carries: The supported bindings and versions.

    >>> from cardwright import Card
    >>> card = Card.from_document({"name": "A", "url": "http://localhost:9999/", "protocolVersion": "0.3.0"})
    >>> made = rewritten(card, "https://gw.example/agents/a", "http://10.1.2.3:8000")
    >>> made.card.document["url"], made.routes[0].url
    ('https://gw.example/agents/a', 'http://10.1.2.3:8000/')

    Raises:
        BadBaseURL: If `public`, `backend` or `base` is not a usable http or https URL.
    """
    passage = Passage(card, Bases.of(public, backend, base), carries)
    document = dict(card.document)
    halved = False
    match card.dialect.family:
        case "beach":
            usable = _transports(document, passage)
        case "mcp":
            usable = _of_server(document, passage)
        case _:
            halved, usable = a2a(document, passage)
    strays(document, passage)
    references(document, passage)
    made = card
    if passage.notes:
        made = edited(card, document, _dialect(card, document, halved=halved))
    return Rewriting(made, tuple(passage.routes.values()), tuple(passage.notes), usable)


def edited(card: Card, document: dict[str, Any], dialect: str = "") -> Card:
    """Return a card with another document, without validating it: further edits follow."""
    return replace(
        card, document=document, dialect=named(dialect) if dialect else card.dialect, violations=()
    )


def _dialect(card: Card, document: dict[str, Any], *, halved: bool) -> str:
    """Return the dialect of the rewritten document: that of the other half if a half of a hybrid was removed."""
    if not halved or str(card.dialect) != "a2a-hybrid":
        return str(card.dialect)
    return "a2a-1.0" if "supportedInterfaces" in document else older_half(document)


def _transports(document: dict[str, Any], passage: Passage) -> bool:
    """Rewrite a Beach card's transports; return whether an A2A transport is left."""
    items = document.get("transports")
    if type(items) is not list:
        if items is not None:
            document["transports"] = []
            passage.note("/transports", "removed: it is not a list of transports")
        return False
    document["transports"] = passage.listed(items, "transports", "endpoint")
    return any(item.get("protocol") == "a2a" for item in document["transports"])


def _of_server(document: dict[str, Any], passage: Passage) -> bool:
    """Rewrite the URL in the card of an MCP server; return whether it is left."""
    if document.get("url") is None:
        return False
    written = passage.url("/url", "/url")
    if written is None:
        del document["url"]
        return False
    document["url"] = written
    return True
