"""An agent's card as a gateway serves it: every interface at the gateway, and where its calls go.

A pure function of the card and two places. Whether a URL leads to the gateway is asked by segments and
by origins; nothing of it is joined by guessing (interop, Rewriting URLs in the gateway).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.dialect import named, older_half
from cardwright_gateway.catalog.rewriting.halves import a2a
from cardwright_gateway.catalog.rewriting.leaks import leaks
from cardwright_gateway.catalog.rewriting.passage import Note, Passage
from cardwright_gateway.catalog.rewriting.references import CARD_PATH, references, strays
from cardwright_gateway.upstream.route import Upstream
from cardwright_gateway.upstream.urls import Bases

if TYPE_CHECKING:
    from cardwright.card import Card

__all__ = ["CARD_PATH", "CARRIED", "Note", "Rewriting", "Upstream", "edited", "leaks", "rewritten"]

# The bindings and versions of A2A that the gateway takes calls in (ours).
CARRIED: Final = frozenset(
    {("JSONRPC", "0.2"), ("JSONRPC", "0.3"), ("JSONRPC", "1.0"), ("HTTP+JSON", "0.3"), ("HTTP+JSON", "1.0")}
)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What rewriting made of a card.

    Attributes:
        card: The card as the gateway serves it. Unknown fields are what they were.
        routes: Where calls go, in the card's order, one for each binding and version. Empty where every
            interface leads to the gateway already, and of a card that was made from an MCP server.
        notes: What was done, with pointers into the card as it came.
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
    """Return a card of any dialect as the gateway serves it; the card itself is not changed.

    Every interface that the gateway carries is at `public`, in every shape and in both halves of a hybrid;
    all others that name a host go, and so do signatures and what refers to internal hosts. What is at
    `public` or below it already stays, so rewriting twice is rewriting once. Token, OpenID and OAuth
    metadata URLs stay (interop, Rewriting URLs in the gateway). The rewritten card is not validated yet.

    Args:
        card: The card as it came, valid or not.
        public: Where callers find the agent, such as `https://gw.example/agents/travel`.
        backend: The configured URL of the agent: its base, an endpoint, or its card's URL.
        base: Where the gateway itself is, such as `https://gw.example`: no other interface at it or below it is
            carried. Without it only `public` is known to be the gateway's.
        carries: The bindings and versions that are carried.

    >>> from cardwright import Card
    >>> card = Card.from_document({"name": "A", "url": "http://localhost:9999/", "protocolVersion": "0.3.0"})
    >>> made = rewritten(card, "https://gw.example/agents/a", "http://10.1.2.3:8000")
    >>> made.card.document["url"], made.routes[0].url
    ('https://gw.example/agents/a', 'http://10.1.2.3:8000/')

    Raises:
        BadBaseURL: If `public`, `backend` or `base` is no http or https URL that can be dialled.
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
    """Return a card with another document that nobody has validated yet: it goes through further edits."""
    return replace(
        card, document=document, dialect=named(dialect) if dialect else card.dialect, violations=()
    )


def _dialect(card: Card, document: dict[str, Any], *, halved: bool) -> str:
    """Return what the rewritten document is judged by: the other half's dialect where a half of a hybrid went."""
    if not halved or str(card.dialect) != "a2a-hybrid":
        return str(card.dialect)
    return "a2a-1.0" if "supportedInterfaces" in document else older_half(document)


def _transports(document: dict[str, Any], passage: Passage) -> bool:
    """Rewrite a Beach card's transports; return whether one of A2A is left."""
    items = document.get("transports")
    if type(items) is not list:
        if items is not None:
            document["transports"] = []
            passage.note("/transports", "removed: it is no list of transports, so nobody reads any there")
        return False
    document["transports"] = passage.listed(items, "transports", "endpoint")
    return any(item.get("protocol") == "a2a" for item in document["transports"])


def _of_server(document: dict[str, Any], passage: Passage) -> bool:
    """Rewrite the one URL of a card that was made from an MCP server; return whether it is left."""
    if document.get("url") is None:
        return False
    written = passage.url("/url", "/url")
    if written is None:
        del document["url"]
        return False
    document["url"] = written
    return True
