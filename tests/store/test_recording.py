from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cardwright import Card
from cardwright.dialect import KNOWN
from cardwright.errors import BadArgument, UnknownPeer
from cardwright.store import PeerRecord, PeerSettings, Query, digest_of
from tests.store.cards import NOW, answer, keep, seen, url, without_card

if TYPE_CHECKING:
    from cardwright.store import CardStore


def peer(store: CardStore, name: str) -> PeerRecord:
    found = store.peer(url(name))
    assert found is not None
    return found


def test_a_new_card_is_stored_with_its_bytes_and_provenance(store: CardStore) -> None:
    store.add([PeerSettings(url("a"))])
    sighting = seen("a", agent_id="agent-a", change='{"bump":"minor"}')
    [version] = store.record([sighting])
    assert version is not None
    found = peer(store, "a")
    assert (found.version, found.id, found.name, found.dialect, found.valid, found.errors) == (
        version, "agent-a", "Seed Bank", "a2a-1.0", True, 0,
    )  # fmt: skip
    assert found.answer == answer("a")
    assert (found.last_checked_at, found.last_ok_at, found.next_at, found.fresh_until, found.state) == (
        NOW, NOW, NOW + 600, NOW + 300, "ok",
    )  # fmt: skip
    assert store.body(version) == sighting.body
    assert found.body_digest == digest_of(sighting.body)
    [kept] = store.versions(url("a"))
    assert (kept.version, kept.state, kept.change, kept.answer) == (
        version, "current", '{"bump":"minor"}', answer("a"),
    )  # fmt: skip


def test_an_invalid_card_is_stored_and_marked_as_invalid(store: CardStore) -> None:
    keep(store, "a", skills=None)
    found = peer(store, "a")
    assert found.valid is False
    assert found.errors > 0


def test_a_changed_card_replaces_the_old_one_and_both_versions_are_stored(store: CardStore) -> None:
    [first] = keep(store, "a", name="Before")
    [second] = store.record([seen("a", outcome="changed", name="After")])
    assert [(one.version, one.state) for one in store.versions(url("a"))] == [
        (second, "current"),
        (first, "past"),
    ]
    assert [hit.name for hit in store.search(Query("after")).hits] == ["After"]
    assert store.search(Query("before")).hits == ()


def test_an_unchanged_card_is_fresh_again_and_its_failures_are_reset(store: CardStore) -> None:
    [version] = keep(store, "a")
    store.record([without_card("a", "failed", error="no answer", error_rule="fetch/timeout")])
    later = replace(answer("a"), fetched_at=NOW + 50)
    assert store.record([without_card("a", "unchanged", at=NOW + 50, answer=later)]) == [version]
    found = peer(store, "a")
    assert (found.last_ok_at, found.fresh_until, found.failures, found.error, found.error_rule) == (
        NOW + 50, NOW + 350, 0, "", "",
    )  # fmt: skip
    assert found.answer == later


def test_a_result_without_a_response_keeps_the_stored_one(store: CardStore) -> None:
    keep(store, "a")
    store.record([without_card("a", "unchanged")])
    assert peer(store, "a").answer == answer("a")


def test_a_failure_keeps_the_last_valid_card_and_is_counted(store: CardStore) -> None:
    [version] = keep(store, "a")
    failed = without_card("a", "failed", at=NOW + 9, error="no answer", error_rule="fetch/timeout")
    assert store.record([failed]) == [version]
    store.record([failed])
    found = peer(store, "a")
    assert (found.version, found.failures, found.error, found.error_rule, found.state) == (
        version, 2, "no answer", "fetch/timeout", "failing",
    )  # fmt: skip
    assert (found.last_checked_at, found.last_ok_at) == (NOW + 9, NOW)


def test_a_quarantined_card_is_stored_beside_the_approved_one(store: CardStore) -> None:
    [version] = keep(store, "a", name="Good")
    [waiting] = store.record([seen("a", outcome="quarantined", name="Doubtful")])
    found = peer(store, "a")
    assert (found.name, found.version, found.waiting, found.state) == ("Good", version, waiting, "waiting")
    assert store.search(Query("doubtful")).hits == ()
    assert [one.state for one in store.versions(url("a"))] == ["waiting", "current"]


def test_equal_bytes_are_quarantined_once_and_others_replace_them(store: CardStore) -> None:
    keep(store, "a")
    doubtful = seen("a", outcome="quarantined", name="Doubtful")
    assert store.record([doubtful]) == store.record([doubtful])
    [other] = store.record([seen("a", outcome="quarantined", name="Worse")])
    assert peer(store, "a").waiting == other
    assert [one.state for one in store.versions(url("a"))] == ["waiting", "past", "current"]


def test_an_approved_card_becomes_the_current_one(store: CardStore) -> None:
    keep(store, "a", name="Good")
    [waiting] = store.record([seen("a", outcome="quarantined", name="Better", agent_id="better")])
    found = store.approve(url("a"), version=waiting)
    assert (found.name, found.id, found.version, found.waiting, found.state) == (
        "Better", "better", waiting, None, "ok",
    )  # fmt: skip
    assert [hit.url for hit in store.search(Query("better")).hits] == [url("a")]
    assert store.search(Query("good")).hits == ()
    assert [one.state for one in store.versions(url("a"))] == ["current", "past"]


def test_a_first_card_can_be_quarantined_too(store: CardStore) -> None:
    store.add([PeerSettings(url("a"))])
    store.record([seen("a", outcome="quarantined")])
    assert peer(store, "a").version is None
    assert store.approve(url("a")).name == "Seed Bank"


def test_a_rejected_card_is_not_quarantined_again(store: CardStore) -> None:
    keep(store, "a", name="Good")
    doubtful = seen("a", outcome="quarantined", name="Doubtful")
    store.record([doubtful])
    assert store.refuse(url("a")).waiting is None
    store.record([doubtful])
    found = peer(store, "a")
    assert (found.waiting, found.name) == (None, "Good")
    assert [one.state for one in store.versions(url("a"))] == ["refused", "current"]
    store.record([seen("a", outcome="quarantined", name="New doubts")])
    assert peer(store, "a").state == "waiting"


def test_only_a_quarantined_card_can_be_approved(store: CardStore) -> None:
    [version] = keep(store, "a")
    with pytest.raises(BadArgument, match="no version of"):
        store.approve(url("a"))
    with pytest.raises(BadArgument, match="no version of"):
        store.refuse(url("a"))
    store.record([seen("a", outcome="quarantined", name="Doubtful")])
    with pytest.raises(BadArgument, match="is not waiting"):
        store.approve(url("a"), version=version)
    with pytest.raises(UnknownPeer):
        store.approve(url("nobody"))


def test_a_changed_card_ends_the_quarantine(store: CardStore) -> None:
    keep(store, "a")
    store.record([seen("a", outcome="quarantined", name="Doubtful")])
    store.record([seen("a", outcome="changed", name="Fine")])
    found = peer(store, "a")
    assert (found.waiting, found.name) == (None, "Fine")
    assert [one.state for one in store.versions(url("a"))] == ["current", "past", "past"]


def test_one_batch_may_have_a_peer_twice(store: CardStore) -> None:
    store.add([PeerSettings(url("a"))])
    first, second = store.record([seen("a", name="First"), seen("a", outcome="changed", name="Second")])
    assert first != second
    assert [one.version for one in store.versions(url("a"))] == [second, first]
    assert [hit.name for hit in store.search(Query()).hits] == ["Second"]


def test_a_mixed_batch_is_written_whole(store: CardStore) -> None:
    versions = keep(store, "a", "b", "c")
    store.add([PeerSettings(url("d"))])
    recorded = store.record(
        [
            without_card("a", "unchanged"),
            without_card("b", "failed", error="no answer"),
            seen("c", outcome="changed", name="Other"),
            seen("d", name="Newest"),
            without_card("nobody", "unchanged"),
        ]
    )
    assert (recorded[:2], recorded[4]) == ([versions[0], versions[1]], None)
    assert [peer(store, name).version for name in "abcd"] == recorded[:4]


def test_a_card_without_its_bytes_is_refused(store: CardStore) -> None:
    store.add([PeerSettings(url("a"))])
    with pytest.raises(BadArgument, match="needs a card and its bytes"):
        store.record([without_card("a", "changed")])
    with pytest.raises(BadArgument, match="not a finite number"):
        store.record([replace(seen("a"), next_at=float("nan"))])


def test_text_that_no_database_can_store_does_not_lose_the_card(store: CardStore) -> None:
    store.add(PeerSettings(url(name)) for name in "abc")
    document = {"name": "N\x00ul", "description": "a\x00b", "skills": [{"tags": ["\x00\udfff", "x"]}]}
    strange = replace(
        seen("b"),
        body=json.dumps(document).encode(),
        card=Card(document, KNOWN["a2a-1.0"], ()),
        answer=replace(answer("b"), headers=(("etag", "\x00\ud800"),), signed_by="\udfff"),
        change='"\x00\ud800"',
        agent_id="b\x00",
    )
    assert None not in store.record([seen("a"), strange, seen("c")])
    found = peer(store, "b")
    assert (found.name, found.id) == ("N\ufffdul", "b\ufffd")
    assert found.answer is not None
    assert found.answer.headers == (("etag", "\x00\ud800"),)
    assert [one.url for one in store.by_name("N\x00ul")] == [url("b")]


def test_a_very_long_name_is_cut_and_still_found(store: CardStore) -> None:
    keep(store, "a", name="n" * 100_000)
    assert [one.url for one in store.by_name("n" * 100_000)] == [url("a")]


def test_a_very_long_id_is_ignored(store: CardStore) -> None:
    keep(store, "a", agent_id="n" * 100_000)
    assert peer(store, "a").id is None
