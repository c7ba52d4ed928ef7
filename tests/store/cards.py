"""Peers, cards and sightings to store."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import orjson

from cardwright import Card
from cardwright.store import FetchRecord, Observation, PeerSettings
from tests.serve.cards import NEWER

if TYPE_CHECKING:
    from cardwright.store import CardStore
    from cardwright.store.records import Outcome

NOW = 1_000.0


def url(name: str) -> str:
    return f"https://{name}.example.com"


def answer(name: str, etag: str = '"one"') -> FetchRecord:
    return FetchRecord(
        f"{url(name)}/.well-known/agent-card.json",
        NOW,
        200,
        (("etag", etag), ("cache-control", "max-age=60")),
        (("accept", "application/json"),),
        "agent-card.json",
        "verified",
        "key-1",
    )


def seen(
    name: str,
    document: dict[str, Any] | None = None,
    /,
    *,
    outcome: Outcome = "new",
    at: float = NOW,
    next_at: float = NOW + 600,
    fresh_until: float = NOW + 300,
    agent_id: str | None = None,
    change: str = "",
    **changes: Any,
) -> Observation:
    """The result of a refresh of a peer: a valid A2A 1.0 card with some fields replaced, or another document."""
    whole = {**deepcopy(NEWER), **changes} if document is None else document
    body = orjson.dumps(whole)
    card = Card.from_bytes(body)
    return Observation(
        url(name), at, next_at, fresh_until, outcome, answer(name), body, card, agent_id, change
    )


def without_card(name: str, outcome: Outcome, *, at: float = NOW, **more: Any) -> Observation:
    return Observation(url(name), at, at + 600, at + 300, outcome, **more)


def keep(store: CardStore, *names: str, **changes: Any) -> list[int | None]:
    """Add peers, each with a card, and return the ids of their versions."""
    store.add(PeerSettings(url(name)) for name in names)
    more: list[dict[str, Any]] = [{"name": name.title(), **changes} for name in names]
    return store.record([seen(name, **fields) for name, fields in zip(names, more, strict=True)])
