"""The limits of a peer's history, and released claims."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from cardwright.store import CardStore, PeerSettings, history
from tests.store.cards import NOW, keep, url

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_history_of_a_changing_peer_is_limited(store: CardStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_VERSIONS", 5)
    keep(store, "quiet")
    for number in range(20):
        keep(store, "a", description=f"version {number}")
    versions = store.versions(url("a"))
    assert [one.state for one in versions] == ["current", *["past"] * 5]
    assert len({one.body_digest for one in versions}) == 6
    assert len(store.versions(url("quiet"))) == 1


def test_large_versions_are_removed_sooner(store: CardStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MAX_BYTES", 30_000)
    for number in range(10):
        keep(store, "a", description=f"{number} " + "x" * 9_000)
    assert [one.state for one in store.versions(url("a"))] == ["current", *["past"] * 3]


def test_a_released_claim_is_due_again_and_other_claims_are_not(store: CardStore) -> None:
    store.add([PeerSettings(url(name)) for name in ("a", "b")])
    first = store.claim(now=NOW, limit=1, owner="me", lease_seconds=60)
    second = store.claim(now=NOW, limit=1, owner="them", lease_seconds=60)
    store.release([first[0].url, second[0].url], owner="me", now=NOW)
    assert [one.url for one in store.claim(now=NOW, limit=9, owner="third", lease_seconds=60)] == [
        first[0].url
    ]


def test_a_known_peer_can_be_added_while_another_process_writes(tmp_path: Path) -> None:
    place = tmp_path / "a.db"
    with CardStore.open(place, wait_seconds=0.1) as store:
        store.add([PeerSettings(url("a"))])
        with closing(sqlite3.connect(place, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            store.add([PeerSettings(url("a"))])
