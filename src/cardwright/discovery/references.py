"""What a card's contracts refer to: fetched with the card and kept, so that judging fetches nothing."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import orjson

from cardwright.discovery.schemas import fetch_schemas, wanted_schemas
from cardwright.errors import BadAnswer
from cardwright.guard import target_of

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.guard import GuardedClient
    from cardwright.store import CardStore

# All of one card's references together (ours).
_SECONDS: Final = 20.0


async def keep_references(
    card: Card, *, base: str, client: GuardedClient, store: CardStore, at: float
) -> None:
    """Fetch the schemas that a card refers to, and keep what comes.

    Args:
        card: The card.
        base: The URL that it came from, which relative references are relative to.
        client: What fetches.
        store: Where they are kept.
        at: When that is, in seconds since the epoch.

    Raises:
        StoreError: If they cannot be kept.
    """
    if not wanted_schemas(card, base=base):
        return
    turn = asyncio.Lock()

    async def fetch(url: str) -> bytes:
        # One at a time: a card is not to turn us against somebody else's server.
        async with turn:
            answer = await client.get(url)
        if answer.status != 200:
            shown = target_of(url).shown
            raise BadAnswer(shown, "status", f"it answers {answer.status}", status=answer.status)
        return answer.body

    with suppress(TimeoutError):
        async with asyncio.timeout(_SECONDS):
            schemas = await fetch_schemas(card, fetch, base=base)
            bodies = {url: orjson.dumps(value) for url, value in schemas.documents.items()}
            await asyncio.to_thread(store.keep_documents, bodies, at=at)
