"""What a card's contracts refer to: fetched with the card and kept, so that judging fetches nothing."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import orjson

from cardwright.discovery.schemas import fetch_schemas
from cardwright.discovery.skill_schemas import declared_schemas
from cardwright.errors import BadAnswer, MalformedDocument
from cardwright.guard import target_of

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.guard import GuardedClient
    from cardwright.store import CardStore

# Whether a card refers to schemas, and all of them could be had.
References: TypeAlias = Literal["", "whole", "missing"]
# All of one card's references together (ours).
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
    """Fetch the schemas that a card refers to, keep what comes, and say whether all of them could be had.

    Args:
        card: The card.
        peer: The peer that it is of.
        base: The URL that it came from, which relative references are relative to.
        client: What fetches.
        store: Where they are kept.
        at: When that is, in seconds since the epoch.
        configured: The origin that the operator wrote into a file, which may be dialled wherever it is.

    Raises:
        StoreError: If they cannot be kept.
    """
    if not may_refer(card):
        return ""
    turn = asyncio.Lock()

    async def fetch(url: str) -> bytes:
        # One at a time: a card is not to turn us against somebody else's server.
        async with turn:
            answer = await client.get(url, configured=configured)
        if answer.status != 200:
            shown = target_of(url).shown
            raise BadAnswer(shown, "status", f"it answers {answer.status}", status=answer.status)
        return answer.body

    try:
        async with asyncio.timeout(_SECONDS):
            schemas = await fetch_schemas(card, fetch, base=base)
    except TimeoutError:
        return "missing"
    if schemas.failures:
        # What was had before is better than nothing, as far as there is room.
        for url, body in (await asyncio.to_thread(store.documents, peer, list(schemas.failures))).items():
            with suppress(MalformedDocument):
                schemas = schemas.with_schema(url, body)
    bodies = {url: orjson.dumps(value) for url, value in schemas.documents.items()}
    if not bodies and not schemas.failures:
        return ""
    await asyncio.to_thread(store.keep_documents, peer, bodies, at=at)
    return "missing" if schemas.failures else "whole"


def may_refer(card: Card) -> bool:
    """Return whether a card may refer to a schema elsewhere: quick, and right where it says no."""
    return any(_refers(one.schema) for one in declared_schemas(card))


def _refers(schema: object) -> bool:
    """Whether `$ref` or `$dynamicRef` stands anywhere in a schema, as a name or in a text."""
    try:
        return b"Ref" in (text := orjson.dumps(schema)) or b"$ref" in text
    except (TypeError, RecursionError):
        return False
