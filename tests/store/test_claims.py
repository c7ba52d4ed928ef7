from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from cardwright.store import CardStore, PeerSettings, Query
from tests.store.cards import NOW, keep, seen, url, without_card

if TYPE_CHECKING:
    from pathlib import Path

# Claims what is due until nothing is, and prints what it got; it finds the same time every time.
WORKER = """
import sys
from cardwright.store import CardStore
from tests.store.cards import NOW, without_card
place, owner = sys.argv[1:]
with CardStore.open(place, wait_seconds=60) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    while claimed := store.claim(now=NOW, limit=7, owner=owner, lease_seconds=600):
        found = [without_card(peer.url.removeprefix("https://").removesuffix(".example.com"), "unchanged") for peer in claimed]
        assert len(store.record(found, owner=owner)) == len(found)
        print(*(peer.url for peer in claimed), sep="\\n", flush=True)
"""
PEERS = 150


def two_processes_share(place: str) -> None:
    """Check that two processes claim every peer of a database once between them."""
    names = [f"peer-{number}" for number in range(PEERS)]
    with CardStore.open(place) as store:
        store.add(PeerSettings(url(name)) for name in names)
    command = [sys.executable, "-c", WORKER, place]
    workers = [
        subprocess.Popen([*command, owner], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for owner in ("one", "two")
    ]
    try:
        for worker in workers:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.write("go\n")
            worker.stdin.flush()
        lines = [line for worker in workers for line in worker.communicate(timeout=120)[0].split()]
    finally:
        for worker in workers:
            if worker.poll() is None:
                worker.kill()
                worker.wait()
    assert [worker.returncode for worker in workers] == [0, 0]
    assert Counter(lines) == Counter(url(name) for name in names)


def test_due_peers_are_claimed_once_the_longest_waiting_first(store: CardStore) -> None:
    keep(store, "a")
    store.add(PeerSettings(url(name)) for name in "bc")
    first = store.claim(now=NOW + 700, limit=2, owner="one", lease_seconds=60)
    rest = store.claim(now=NOW + 700, limit=9, owner="two", lease_seconds=60)
    assert {peer.url for peer in first} == {url("b"), url("c")}
    assert [peer.url for peer in rest] == [url("a")]
    assert store.claim(now=NOW + 700, limit=9, owner="three", lease_seconds=60) == []


def test_a_peer_that_is_not_due_is_claimed_only_if_forced(store: CardStore) -> None:
    keep(store, "a", "b")
    assert store.claim(now=NOW, limit=9, owner="one", lease_seconds=60) == []
    forced = store.claim(now=NOW, limit=9, owner="one", lease_seconds=60, force=True, urls=[url("a")])
    assert [peer.url for peer in forced] == [url("a")]
    assert store.claim(now=NOW, limit=9, owner="two", lease_seconds=60, force=True, urls={url("a")}) == []


def test_only_named_peers_are_claimed(store: CardStore) -> None:
    store.add(PeerSettings(url(name)) for name in "abc")
    claimed = store.claim(now=NOW, limit=9, owner="one", lease_seconds=60, urls=[url("c"), url("nobody")])
    assert [peer.url for peer in claimed] == [url("c")]
    assert store.claim(now=NOW, limit=9, owner="one", lease_seconds=60, urls=[]) == []


def test_an_expired_lease_blocks_no_claim(store: CardStore) -> None:
    store.add([PeerSettings(url("a"))])
    store.claim(now=NOW, limit=1, owner="dead", lease_seconds=60)
    assert store.next_due() == NOW + 60
    assert store.claim(now=NOW + 59, limit=1, owner="one", lease_seconds=60) == []
    assert [one.url for one in store.claim(now=NOW + 60, limit=1, owner="one", lease_seconds=60)] == [
        url("a")
    ]


def test_a_result_of_a_lost_claim_is_dropped(store: CardStore) -> None:
    store.add([PeerSettings(url("a"))])
    store.claim(now=NOW, limit=1, owner="slow", lease_seconds=1)
    store.claim(now=NOW + 2, limit=1, owner="quick", lease_seconds=60)
    assert store.record([seen("a", name="Old")], owner="slow") == [None]
    [version] = store.record([seen("a", name="New")], owner="quick")
    assert store.record([seen("a", name="Old")], owner="slow") == [None]
    found = store.peer(url("a"))
    assert found is not None
    assert (found.name, found.version) == ("New", version)
    assert [hit.name for hit in store.search(Query()).hits] == ["New"]


def test_recording_releases_the_claim(store: CardStore) -> None:
    store.add([PeerSettings(url("a"))])
    store.claim(now=NOW, limit=1, owner="one", lease_seconds=9_999)
    store.record([without_card("a", "failed", error="no answer")], owner="one")
    claimed = store.claim(now=NOW + 600, limit=1, owner="two", lease_seconds=60)
    assert [one.failures for one in claimed] == [1]


def test_an_empty_store_has_no_due_peer(store: CardStore) -> None:
    assert store.next_due() is None


@pytest.mark.process
def test_two_processes_on_one_file_claim_every_peer_once(tmp_path: Path) -> None:
    two_processes_share(str(tmp_path / "peers.sqlite"))
