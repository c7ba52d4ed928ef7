"""Catalogues of cards: the entry of a card, and an ARD manifest or an AI catalogue of entries.

Sources: ARD 0.91 §4 and §5.1; AI Catalog 1.0, Catalog Entry.
"""

from __future__ import annotations

from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

import orjson

from cardwright_runtime.checks import dig, objects
from cardwright_runtime.fix_functions import slugged
from cardwright_runtime.identifiers import domain_part, name_part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.card import Card

ARD: Final = "ard-0.91"
AI_CATALOG: Final = "ai-catalog-1"
ARD_PATH: Final = "/.well-known/ard.json"
CATALOGUE_PATH: Final = "/.well-known/ai-catalog.json"
CATALOGUE_TYPE: Final = "application/ai-catalog+json"
REGISTRY_TYPE: Final = "application/ai-registry+json"
# What a registry of agents is asked, for its own entry.
REGISTRY_QUERIES: Final = ("Find an agent that translates", "Which agents book hotels?")
CARD_TYPE: Final = "application/a2a-agent-card+json"
Kind = Literal["agent", "catalog", "server", "other"]
# ARD 0.91 §4.2: two to five representative queries.
_MAX_QUERIES: Final = 5
# Project decision: a registry filters by some tags, not by hundreds.
_MAX_TERMS: Final = 32


def identifier(publisher: str, name: str, namespace: str = "agents") -> str:
    """Return the identifier of a resource (ARD 0.91 §4.2 and Appendix C); equal arguments give an equal identifier.

    Args:
        publisher: The domain of the publisher, or a URL there.
        name: The name of the resource, such as the id of an agent.
        namespace: What the resource is.

    >>> identifier("https://harbour.example.com:8443/agents", "Tide Desk")
    'urn:air:harbour.example.com:agents:Tide-Desk'
    """
    host = publisher if "://" not in publisher else urlsplit(publisher).hostname or ""
    return f"urn:air:{domain_part(host)}:{namespace}:{name_part(name) or 'agent'}"


def entry_of(
    card: Card, *, publisher: str, name: str = "", url: str | None = None, media_type: str = CARD_TYPE
) -> dict[str, Any]:
    """Return the entry of a card.

    Args:
        card: The card.
        publisher: The domain of the publisher, or a URL there.
        name: The name in the identifier; by default, one made from the name of the agent.
        url: The URL of the card; None to put the card itself into the entry.
        media_type: The media type of the document at the URL, or of the card itself.
    """
    view = card.view
    examples = [skill.examples for skill in view.skills]
    # One example of each skill first, so that the queries cover different skills.
    queries = (text for row in zip_longest(*examples) for text in row if text)
    fields: dict[str, Any] = {
        "identifier": identifier(publisher, name or slugged(view.name)),
        "displayName": view.name or name or "Unnamed agent",
        "type": media_type,
        "url": url,
        "data": card.document if url is None else None,
        "description": view.description,
        "representativeQueries": _distinct(queries, _MAX_QUERIES),
        "capabilities": _distinct((skill.id for skill in view.skills if skill.id), _MAX_TERMS),
        "tags": _distinct(chain.from_iterable(skill.tags for skill in view.skills), _MAX_TERMS),
        "version": view.version,
    }
    return {field: value for field, value in fields.items() if value}


def manifest(dialect: str, entries: Sequence[Any], host: str = "") -> dict[str, Any]:
    """Return an ARD manifest or an AI catalogue with some entries.

    Args:
        dialect: `ard-0.91` or `ai-catalog-1`.
        entries: The entries.
        host: The name of the operator for people; a field of AI Catalog alone.
    """
    if dialect == ARD:
        return {"entries": list(entries)}
    operator = {"host": {"displayName": host}} if host else {}
    return {"specVersion": "1.0", **operator, "entries": list(entries)}


def links_to(ard: str, ai_catalog: str) -> tuple[bytes, bytes]:
    """Return the header field Link of a page that lists agents (ARD 0.91 §5.1; AI Catalog 1.0, Link Relation Discovery).

    Args:
        ard: The URL of the ARD manifest, perhaps relative to the page.
        ai_catalog: The URL of the AI catalogue.
    """
    return b"link", f'<{ard}>; rel="ard", <{ai_catalog}>; rel="ai-catalog"; type="{CATALOGUE_TYPE}"'.encode()


def kind_of(media_type: str) -> Kind:
    """Return what a media type says an entry is; forty spellings occur in practice, so a part of it decides.

    >>> kind_of("application/vnd.a2a.agent-card+json; version=1.0"), kind_of("application/ai-registry+json")
    ('agent', 'other')
    """
    text = media_type.partition(";")[0].strip().lower()
    if "catalog" in text or text.endswith(("/ard+json", ".ard+json")):
        return "catalog"
    if "mcp" in text or "modelcontextprotocol" in text:
        return "server"
    return "agent" if "a2a" in text or "agent-card" in text or text in ("", "application/json") else "other"


def inline_card(body: bytes, identifier: str) -> Any:
    """Return the card in the entry of a catalogue that has an identifier, or None.

    Args:
        body: The catalogue as JSON.
        identifier: The identifier of the entry.
    """
    try:
        document = orjson.loads(body)  # noqa: TID251 - a body within the limits of the lookup
    except orjson.JSONDecodeError:
        return None
    for _, entry in objects(dig(document, ("entries",))):
        if entry.get("identifier") == identifier and type(entry.get("data")) is dict:
            return entry["data"]
    return None


def _distinct(texts: Any, most: int) -> list[str]:
    return list(islice(dict.fromkeys(texts), most))
