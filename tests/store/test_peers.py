from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

from cardwright.errors import BadArgument
from cardwright.store import Counts, PeerSettings, Query
from tests.store.cards import NOW, keep, seen, url, without_card

if TYPE_CHECKING:
    from cardwright.store import CardStore
    from cardwright.store.database import Database


def test_a_peer_is_read_back_with_all_its_settings(store: CardStore) -> None:
    settings = PeerSettings(url("a"), "agent-a", 60.0, "sha256:00", replace_valid=True, source="file")
    store.add([settings])
    found = store.peer(url("a"))
    assert found is not None
    assert (found.settings, found.id, found.state, found.next_at) == (settings, "agent-a", "unknown", 0.0)


def test_an_unknown_url_has_no_peer(store: CardStore) -> None:
    assert store.peer(url("nobody")) is None
    assert store.by_id("nobody") is None
    assert store.by_name("Nobody") == []
    assert store.versions(url("nobody")) == []


def test_changed_settings_keep_the_card(store: CardStore) -> None:
    keep(store, "a")
    store.add([PeerSettings(url("a"), id="mine", source="command")])
    found = store.peer(url("a"))
    assert found is not None
    assert (found.id, found.name, found.next_at, found.settings.source) == ("mine", "A", NOW + 600, "command")


def test_the_configured_id_wins_over_the_id_of_the_card(store: CardStore) -> None:
    store.add([PeerSettings(url("a"), id="configured"), PeerSettings(url("b"))])
    store.record([seen("a", agent_id="said"), seen("b", agent_id="said")])
    by_configured, by_declared = store.by_id("configured"), store.by_id("said")
    assert by_configured is not None
    assert by_declared is not None
    assert (by_configured.url, by_declared.url) == (url("a"), url("b"))
    assert store.conflicts() == []


def test_of_two_peers_with_one_id_the_first_keeps_it(store: CardStore) -> None:
    keep(store, "b", "a", agent_id="twin")
    found, second = store.by_id("twin"), store.peer(url("a"))
    assert found is not None
    assert second is not None
    assert (found.url, found.conflicts_with, second.conflicts_with) == (url("b"), None, url("b"))
    assert [peer.url for peer in store.conflicts()] == [url("a")]


def test_when_the_first_is_removed_the_other_gets_the_id(store: CardStore) -> None:
    keep(store, "b", "a", agent_id="twin")
    store.remove([url("b")])
    found = store.by_id("twin")
    assert found is not None
    assert (found.url, store.conflicts()) == (url("a"), [])


def test_a_peer_added_again_is_last(store: CardStore) -> None:
    keep(store, "b", "a", agent_id="twin")
    store.remove([url("b")])
    store.add([PeerSettings(url("b"))])
    found, back = store.by_id("twin"), store.peer(url("b"))
    assert found is not None
    assert back is not None
    assert (found.url, back.conflicts_with, back.next_at, back.name) == (url("a"), url("a"), 0.0, "B")


def test_when_the_first_loses_its_id_the_other_gets_it(store: CardStore) -> None:
    keep(store, "b", "a", agent_id="twin")
    store.record([seen("b", outcome="changed", agent_id="other")])
    found = store.by_id("twin")
    assert found is not None
    assert (found.url, store.conflicts()) == (url("a"), [])


def test_a_removed_peer_is_not_found_and_its_history_is(store: CardStore) -> None:
    keep(store, "a")
    store.remove([url("a"), url("nobody")])
    gone = store.peer(url("a"))
    assert gone is not None
    assert (gone.state, store.by_name("A"), list(store.peers()), store.next_due()) == (
        "removed",
        [],
        [],
        None,
    )
    assert store.search(Query("a")).hits == ()
    assert len(store.versions(url("a"))) == 1
    assert store.claim(now=NOW * 9, limit=9, owner="me", lease_seconds=9) == []
    assert store.record([seen("a", outcome="changed")]) == [None]
    assert store.count() == Counts()


def test_purging_removes_all_data_of_a_peer(store: CardStore) -> None:
    versions = keep(store, "a", "b")
    store.remove([url("a")], purge=True)
    assert store.peer(url("a")) is None
    assert [hit.url for hit in store.search(Query()).hits] == [url("b")]
    assert versions[0] is not None
    with pytest.raises(BadArgument, match="there is no version"):
        store.body(versions[0])


def test_peers_come_in_the_order_of_their_urls(store: CardStore) -> None:
    keep(store, "c", "a", "d", "b")
    assert [peer.url for peer in store.peers()] == [url(name) for name in "abcd"]
    assert [peer.url for peer in store.peers(after=url("b"), limit=1)] == [url("c")]
    assert list(store.peers(limit=0)) == []


def test_a_name_finds_every_card_that_has_it_exactly(store: CardStore) -> None:
    keep(store, "b", "a", name="Seed  Bank")
    keep(store, "c", name="seed bank")
    assert [peer.url for peer in store.by_name("Seed  Bank")] == [url("b"), url("a")]


def test_counts_show_the_states_of_the_peers(store: CardStore) -> None:
    keep(store, "a", "b")
    store.add([PeerSettings(url("c")), PeerSettings(url("d"))])
    store.record(
        [
            seen("c", {"name": "C", "supportedInterfaces": []}, fresh_until=NOW - 1),
            without_card("d", "failed", error="no answer"),
            seen("a", outcome="quarantined", name="Other"),
        ]
    )
    assert store.count() == Counts(peers=4, cards=3, valid=2, stale=1, failed=1, waiting=1)


@pytest.mark.parametrize(
    "peer",
    [PeerSettings(""), PeerSettings("https://a/" + "x" * 2_048), PeerSettings(url("a"), id="x" * 513)],
    ids=["no url", "long url", "long id"],
)
def test_an_invalid_peer_key_is_refused_and_nothing_added(store: CardStore, peer: PeerSettings) -> None:
    # More than are written at once.
    others = [PeerSettings(url(f"b{number}")) for number in range(1_200)]
    with pytest.raises(BadArgument):
        store.add([*others, peer])
    assert list(store.peers()) == []


def test_many_peers_have_the_order_in_which_they_are_added(store: CardStore) -> None:
    # They are written in several chunks; with one id, the first that was added keeps it.
    urls = [url(str(number)) for number in range(1_200)]
    twins = urls[490], urls[505], urls[1_002]
    store.add([PeerSettings(one, id="twin" if one in twins else None) for one in urls])
    claimed = store.claim(now=NOW, limit=2_000, owner="me", lease_seconds=1)
    assert [claim.url for claim in claimed] == urls
    first = store.by_id("twin")
    assert first is not None
    assert first.url == twins[0]


def test_of_two_settings_with_one_url_the_last_counts(store: CardStore) -> None:
    store.add(
        [PeerSettings(url("a"), source="file"), PeerSettings(url("b")), PeerSettings(url("a"), id="own")]
    )
    found = store.peer(url("a"))
    assert found is not None
    assert (found.id, found.settings.source) == ("own", PeerSettings(url("a")).source)


def test_every_lookup_uses_an_index(database: Database, store: CardStore) -> None:
    keep(store, "a", agent_id="agent-a")
    requests: list[tuple[str, Any]] = []

    def listen(_: Any, __: Any, statement: str, parameters: Any, ___: Any, ____: Any) -> None:
        if statement.startswith("SELECT peers"):
            requests.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", listen)
    store.peer(url("a"))
    store.by_id("agent-a")
    store.by_name("A")
    store.next_due()
    list(store.peers(after=url("a")))
    store.claim(now=NOW * 9, limit=1, owner="me", lease_seconds=1)
    event.remove(database.engine, "before_cursor_execute", listen)
    assert len(requests) == 6
    with database.reading() as connection:
        for statement, parameters in requests:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
            steps = [str(step[3]) for step in plan]
            assert not [step for step in steps if step.startswith("SCAN peers") and "INDEX" not in step], (
                steps
            )
            assert not [step for step in steps if step.startswith("SCAN earlier")], steps
