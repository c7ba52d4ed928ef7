"""Where cards are kept: every version with its provenance, found again by text and by what they say."""

from __future__ import annotations

from cardwright.store.cards import CardStore
from cardwright.store.records import (
    Answer,
    Counts,
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
    "Answer",
    "CardStore",
    "Counts",
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
