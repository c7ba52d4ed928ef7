"""Fetch the schemas that a card's contracts refer to, so that validation needs no requests."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import orjson

from cardwright.discovery.schemas import fetch_schemas
from cardwright.discovery.skill_schemas import declared_schemas
from cardwright.errors import BadResponse, MalformedDocument
from cardwright.guard import target_of

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.guard import GuardedClient
    from cardwright.store import CardStore

# Whether a card refers to schemas, and whether all of them are available.
References: TypeAlias = Literal["", "whole", "missing"]
# The time limit for all references of a card (project decision).
_SECONDS: Final = 20.0


async def keep_references(
    card: Card,
    peer: str,
    *,
    base: str,
    client: GuardedClient,
    store: CardStore,
    at: float,
    configured: str | None,
) -> References:
    """Fetch and store the schemas that a card refers to; return whether all are available.

    Args:
        card: The card.
        peer: The URL of the peer.
        base: The URL of the card, the base of relative references.
        client: The guarded HTTP client.
        store: The database.
        at: The current time, in seconds since the epoch.
        configured: The origin from the operator's file; connections to it are allowed at any address.

    Raises:
        StoreError: If they cannot be stored.
    """
    if not may_refer(card):
        return ""
    lock = asyncio.Lock()

    async def fetch(url: str) -> bytes:
        # One at a time: a card must not cause many requests to another server.
        async with lock:
            answer = await client.get(url, configured=configured)
        if answer.status != 200:
            safe_url = target_of(url).safe_url
            raise BadResponse(safe_url, "status", f"HTTP {answer.status}", status=answer.status)
        return answer.body

    try:
        async with asyncio.timeout(_SECONDS):
            schemas = await fetch_schemas(card, fetch, base=base)
    except TimeoutError:
        return "missing"
    if schemas.failures:
        # Use the earlier version of schemas that failed, within the limits.
        for url, body in (await asyncio.to_thread(store.documents, peer, list(schemas.failures))).items():
            with suppress(MalformedDocument):
                schemas = schemas.with_schema(url, body)
    bodies = {url: orjson.dumps(value) for url, value in schemas.documents.items()}
    if not bodies and not schemas.failures:
        return ""
    await asyncio.to_thread(store.store_documents, peer, bodies, at=at)
    return "missing" if schemas.failures else "whole"


def may_refer(card: Card) -> bool:
    """Whether a card may refer to other schemas: fast, and certain if False."""
    return any(_refers(one.schema) for one in declared_schemas(card))


def _refers(schema: object) -> bool:
    """Whether a schema contains `$ref` or `$dynamicRef`, as a name or in a text."""
    try:
        return b"Ref" in (text := orjson.dumps(schema)) or b"$ref" in text
    except (TypeError, RecursionError):
        return False
