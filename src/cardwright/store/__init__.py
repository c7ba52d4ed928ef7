"""Store of cards: all versions with their provenance, and search by text and facets."""

from __future__ import annotations

from cardwright.store.cards import CardStore
from cardwright.store.records import (
    Counts,
    FetchRecord,
    Hit,
    Observation,
    Outcome,
    Page,
    PeerRecord,
    PeerSettings,
    Query,
    VersionRecord,
)
from cardwright.store.rows import digest_of

__all__ = [
    "CardStore",
    "Counts",
    "FetchRecord",
    "Hit",
    "Observation",
    "Outcome",
    "Page",
    "PeerRecord",
    "PeerSettings",
    "Query",
    "VersionRecord",
    "digest_of",
]
